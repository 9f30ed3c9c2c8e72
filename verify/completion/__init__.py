"""Observation sets of matrix completion: reading, graphs, coupling, ranks and norms, enumeration.

`observations` (the data), `read` (files, with `source`, `read_tables`, `read_arrays`), `graph` (connectivity),
`patterns` (enumeration), `coupling`
(whether gradient flow couples the observations) with `recheck` (an independent check of its evidence and of
the bounds in `rank`), `rank` (singular values, effective and stable rank, minimum nuclear norm, minimum
rank).
"""

from verify.completion.observations import ObservationError, Observations, Pattern
from verify.completion.read import read_observations
from verify.completion.source import Layout, Limits

__all__ = ["Layout", "Limits", "ObservationError", "Observations", "Pattern", "read_observations"]
