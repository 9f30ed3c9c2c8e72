"""Appendix E.1: the number of 3 x 3 observation patterns up to symmetry."""

from __future__ import annotations

from proofs.bai2024.sampling_patterns import COMPLETE, Rows, by_computation, classified, covered, matrix, whole_list
from verify.kernel import Goal
from verify.kernel.tactics import Script
from verify.registry import holds, part

PATTERNS = "shin2025.assertion-e1-patterns"
LIST = "bai2024.b3-pattern-list"


def components(rows: Rows) -> int:
    """The number of connected components of the bipartite graph of a pattern (isolated vertices removed)."""
    groups: list[set[tuple[str, int]]] = []
    for i, row in enumerate(rows):
        for j, bit in enumerate(row):
            if bit == "1":
                edge = {("row", i), ("column", j)}
                joined = [x for x in groups if x & edge]
                groups = [x for x in groups if not x & edge] + [edge.union(*joined)]
    return len(groups)


def counted(sizes: range, total: int, connected: int) -> str:
    """The classes of these sizes are `total`, of which `connected` are connected (their representatives have one component)."""
    rows = [r for size in sizes for r in COMPLETE[size]]
    ones = [r for r in rows if components(r) == 1]
    more = [r for r in rows if components(r) > 1]
    numbers = f"{' + '.join(str(len(COMPLETE[s])) for s in sizes)} = {total} and {len(ones)} = {connected}"
    split = [f"ncomp({matrix(r)}) = 1" for r in ones] + [f"2 <= ncomp({matrix(r)})" for r in more]
    return f"{numbers} and {len(more)} = {total - connected} and {' and '.join(split)}"


def list_of(sizes: range) -> str:
    """The classification for these numbers of observations."""
    return whole_list({size: COMPLETE[size] for size in sizes})


BETWEEN, NONEMPTY = range(2, 9), range(1, 10)


def classes_and_components(g: Goal, sizes: range) -> None:
    """The classification of each size, then the components of the representatives."""

    def of(size: int) -> Script:
        role = "amendment" if size == 5 else "statement"
        return lambda g: g.close_by(g.lemma(f"bai2024.b3-size-{size}", role))

    g.conj(*[of(size) for size in sizes], *[by_computation] * (len(g.concl) - 1 - len(sizes)))


USES = [f"bai2024.b3-size-{size}" for size in NONEMPTY]


@holds(
    PATTERNS,
    f"{list_of(BETWEEN)} and {counted(BETWEEN, 23, 17)}",
    argument="sound",
    reading="patterns with at least two observed and at least one unobserved entry, up to exchange of rows, exchange of columns"
    " and transposition: each is equivalent to exactly one of the listed representatives, 23 in number; 17 of these are connected"
    " (one component), 6 are not",
    context="the symmetries, and that the pattern with a single observation and the full one are left out [encoding]",
    readings=[
        ("all non-empty patterns: 25 classes, 19 connected and 6 disconnected", "refuted", "non-empty", "the printed numbers are 23 and 17"),
        ("patterns that differ by transposition count as different", "refuted", "without-transposition"),
        ("the list of 23 patterns in Bai et al., which misses two connected ones of size 5", "refuted", "list-of-bai"),
    ],
    uses=USES,
)
def twenty_three_patterns(g: Goal) -> None:
    """The classification by size, then the components of the representatives."""
    classes_and_components(g, BETWEEN)


@part(
    PATTERNS,
    "non-empty",
    f"{list_of(NONEMPTY)} and {counted(NONEMPTY, 25, 19)}",
    says="All non-empty patterns form 25 classes, 19 connected and 6 disconnected.",
    uses=USES,
)
def twenty_five_patterns(g: Goal) -> None:
    """The classification by size, then the components of the representatives."""
    classes_and_components(g, NONEMPTY)


part(
    PATTERNS,
    "without-transposition",
    "not " + covered(2, COMPLETE[2], transposition=False),
    says="Without transposition there are more classes than listed: already size 2 has a third one (all sizes 2 to 8: 33).",
)(by_computation)


@part(
    PATTERNS,
    "list-of-bai",
    "not (" + classified(5, COMPLETE[5][:3]) + ")",
    says="The three printed patterns of size 5 of the list are not all patterns of that size.",
    uses=["bai2024.b3-size-5"],
)
def the_list_is_incomplete(g: Goal) -> None:
    """See the claim on sample size 5."""
    h = g.lemma("bai2024.b3-size-5", "negation")
    k = g.assume()
    g.clash(k, h)
