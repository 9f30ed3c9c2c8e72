"""One package per paper: its catalogue and its proofs."""
