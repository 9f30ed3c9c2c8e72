"""The text of formulas: levels of precedence, names as letters, LaTeX. Nothing here is needed to check a proof."""
