"""Figures B1 and B2: patterns of 7 and of 19 entries in the three classes."""

from __future__ import annotations

from proofs.bai2024.examples import by_computation
from verify.registry import holds


def matrix(cells: set[tuple[int, int]], d: int) -> str:
    """The pattern as a literal matrix."""
    return "[" + ",".join("[" + ",".join(str(int((i, j) in cells)) for j in range(d)) + "]" for i in range(d)) + "]"


def entries(p: str, d: int) -> str:
    """The number of observed entries."""
    return f"sum(i, 1, {d}, sum(j, 1, {d}, {p}[i,j]))"


def rectangles(p: str, d: int) -> str:
    """Each component is complete bipartite (Definition 3)."""
    box = " and ".join(f"1 <= {v} and {v} <= {d}" for v in "ijkl")
    return f"(all i j k l:Z. {box} => {p}[i,j] = 1 and {p}[i,l] = 1 and {p}[k,j] = 1 => {p}[k,l] = 1)"


def cross(d: int) -> set[tuple[int, int]]:
    """The first row and the first column."""
    return {(i, j) for i in range(d) for j in range(d) if 0 in (i, j)}


def chain(d: int) -> set[tuple[int, int]]:
    """The staircase (i, i), (i, i + 1)."""
    return {(i, j) for i in range(d) for j in range(d) if j - i in (0, 1)}


def blocks(d: int, cut: int, missing: set[tuple[int, int]]) -> set[tuple[int, int]]:
    """Two blocks, top left and bottom right, without some entries."""
    return {(i, j) for i in range(d) for j in range(d) if (i < cut) == (j < cut)} - missing


CONNECTED = matrix(cross(4), 4)
DISCONNECTED = matrix(blocks(4, 2, {(3, 3)}), 4)
COMPLETE = matrix({(0, 0), (0, 1), (0, 2), (1, 0), (1, 1), (1, 2), (2, 3)}, 4)

holds(
    "bai2024.fig-b1",
    f"""{entries(CONNECTED, 4)} = 7 and {entries(DISCONNECTED, 4)} = 7 and {entries(COMPLETE, 4)} = 7 and ncomp({CONNECTED}) = 1 and
       1 < ncomp({DISCONNECTED}) and not {rectangles(DISCONNECTED, 4)} and 1 < ncomp({COMPLETE}) and {rectangles(COMPLETE, 4)}""",
    uses=["bai2024.def-3"],
    argument="sound",
    reading="the positions stand only in the image: patterns of 7 entries of each class are exhibited; ncomp counts the components of the"
    " observation graph, and complete bipartite is said by the rectangles of the claim on Definition 3",
)(by_computation)

LARGE_BLOCKS = matrix(
    blocks(
        10,
        5,
        {(i, j) for i in range(5) for j in range(5) if i > 1 and j > 1}
        | {(i, j) for i in range(5, 10) for j in range(5, 10) if i > 5 or j > 7},
    ),
    10,
)


def three_patterns(d: int, pair: str) -> str:
    """Two connected patterns and one disconnected one of 2 r d - r^2 entries, r = 1."""
    one, two = matrix(cross(d), d), matrix(chain(d), d)
    count = f"2*1*{d} - 1^2"
    return (
        f"{entries(one, d)} = {count} and {entries(two, d)} = {count} and {entries(pair, d)} = {count} and ncomp({one}) = 1 and"
        f" ncomp({two}) = 1 and ncomp({pair}) = 2"
    )


holds(
    "bai2024.fig-b2",
    f"{three_patterns(4, DISCONNECTED)} and {three_patterns(10, LARGE_BLOCKS)}",
    argument="sound",
    reading="the Z-shaped chain is the staircase (i,i), (i,i+1), which has 2d - 1 entries (top row, antidiagonal and bottom row together would have"
    " 3d - 2); the two blocks are a choice of the right size. The figures that the text and the caption refer to differ, which is no part of"
    " the statement",
)(by_computation)
