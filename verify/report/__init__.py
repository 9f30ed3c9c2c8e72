"""Reports: Markdown and JSON rendered from recorded results, byte for byte reproducible."""
