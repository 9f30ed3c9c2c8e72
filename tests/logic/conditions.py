"""Rows for dom: the condition under which v -> e is smooth, as the fact about a function that stays positive asks for it."""

from __future__ import annotations

from collections.abc import Callable

from tests.recheck.support import ANY, REAL, SMOOTH, Case, J, add, given, le, lt, mul, ne, node

from .rules import hyp

FALSE, TRUE = ["false"], ["true"]
DECLS = [
    *REAL,
    ["n", "Z"],
    ["f", SMOOTH],
    ["g", ANY],
    ["k", ["F", ["R"], "Z", "any"]],
    ["f2", ["F", ["R", "R"], "R", "smooth"]],
    ["A", ["M", 2, 2]],
    ["W", ["F", ["R"], ["M", 2, 2], "smooth"]],
    ["W5", ["F", ["R"], ["M", 5, 5], "smooth"]],
    ["V", ["F", ["R"], ["M", "n", "n"], "smooth"]],
]


def stays_positive(value: Callable[[J], J], condition: J) -> Case:
    """A function that is positive at x, and smooth there, is positive near x; with a condition in the place of smooth."""
    inside = ["and", le(add("x", mul(-1, "h")), "t"), le("t", add("x", "h"))]
    near = ["ex", [["h", "R"]], ["and", lt(0, "h"), ["all", [["t", "R"]], ["=>", inside, lt(0, value("t"))]]]]
    leaf = node("fact", hyp("a"), fact="persistence", params=["x", ["lam", [["s", "R"]], value("s")]], name="a")
    return given(DECLS, [], ["=>", condition, ["=>", lt(0, value("x")), near]], leaf)


def total(body: J, low: J = 1, high: J = "n") -> J:
    return ["sum", "i", low, high, body]


def at(a: J) -> J:
    return ["entry", a, 1, 2]


def each(body: J, low: J = 1, high: J = "n") -> J:
    return ["all", [["i", "Z"]], ["=>", ["and", le(low, "i"), le("i", high)], body]]


# the function, its condition at x, and conditions that are not it
CONDITIONS: dict[str, tuple[Callable[[J], J], J, list[J]]] = {
    "a literal power": (lambda s: ["^", s, 2], TRUE, [ne("x", 0), FALSE]),
    "the power 0": (lambda s: ["^", s, 0], TRUE, [ne("x", 0)]),
    "a negative power": (lambda s: ["^", s, -2], ne("x", 0), [TRUE, lt(0, "x")]),
    "the power -1": (lambda s: ["^", s, -1], ne("x", 0), [TRUE, FALSE]),
    "a whole power": (lambda s: ["^", s, "n"], ne("x", 0), [TRUE, lt(0, "x"), le(0, "n")]),
    "a rational power": (lambda s: ["^", s, ["q", 1, 2]], lt(0, "x"), [TRUE, ne("x", 0), le(0, "x")]),
    "a real power": (lambda s: ["^", s, "y"], lt(0, "x"), [TRUE, ne("x", 0)]),
    "an exponent": (lambda s: ["^", "y", s], lt(0, "y"), [TRUE, lt(0, "x"), ne("y", 0)]),
    "a whole exponent that varies": (lambda s: ["^", s, ["call", "k", s]], ["and", FALSE, lt(0, "x")], [ne("x", 0), lt(0, "x")]),
    "a logarithm": (lambda s: ["log", s], lt(0, "x"), [TRUE, le(0, "x"), ne("x", 0)]),
    "a quotient of constants": (lambda s: mul(s, ["/", 1, "y"]), TRUE, [ne("y", 0)]),
    "a numerator": (lambda s: ["/", s, "y"], TRUE, [ne("y", 0), ne("x", 0)]),
    "a power of a constant": (lambda s: mul(s, ["^", "y", -1]), TRUE, [ne("y", 0)]),
    "one condition twice": (
        lambda s: add(["log", s], ["sqrt", s]),
        lt(0, "x"),
        [["and", lt(0, "x"), lt(0, "x")], TRUE],
    ),
    "two conditions": (
        lambda s: ["/", ["log", s], s],
        ["and", lt(0, "x"), ne("x", 0)],
        [["and", ne("x", 0), lt(0, "x")], lt(0, "x"), ne("x", 0)],
    ),
    "the inner one first": (
        lambda s: ["log", ["sqrt", s]],
        ["and", lt(0, "x"), lt(0, ["sqrt", "x"])],
        [["and", lt(0, ["sqrt", "x"]), lt(0, "x")], lt(0, "x"), lt(0, ["sqrt", "x"])],
    ),
    "an inverse": (lambda s: at(["inv", ["sm", s, "A"]]), ne(["det", ["sm", "x", "A"]], 0), [TRUE, ne("x", 0)]),
    "an inverse of a constant": (lambda s: mul(s, at(["inv", "A"])), TRUE, [ne(["det", "A"], 0)]),
    "an absolute value": (lambda s: ["abs", s], FALSE, [TRUE, ne("x", 0)]),
    "a minimum": (lambda s: ["min", "y", s], FALSE, [TRUE, ne("x", "y")]),
    "a maximum": (lambda s: ["max", s, 0], FALSE, [TRUE, ne("x", 0)]),
    "an absolute value of a constant": (lambda s: mul(s, ["abs", "y"]), TRUE, [FALSE, ne("y", 0)]),
    "a norm": (lambda s: ["op", "spec", ["sm", s, "A"]], FALSE, [TRUE, ne("x", 0)]),
    "an index that varies": (lambda s: mul(s, ["entry", "A", ["call", "k", s], 1]), FALSE, [TRUE]),
    "an entry": (lambda s: at(["sm", s, "A"]), TRUE, [FALSE]),
    "a matrix, its transpose and product": (lambda s: at(["mm", ["T", ["sm", s, "A"]], "A"]), TRUE, [FALSE]),
    "a determinant": (lambda s: ["det", ["sm", s, "A"]], TRUE, [FALSE, ne("x", 0)]),
    "a smooth function": (lambda s: ["call", "f", s], TRUE, [FALSE]),
    "a function that is not smooth": (lambda s: ["call", "g", s], FALSE, [TRUE]),
    "a function that is not smooth, at a constant": (lambda s: mul(s, ["call", "g", "y"]), TRUE, [FALSE]),
    "the last argument": (lambda s: ["call", "f2", "y", s], TRUE, [FALSE]),
    "the first argument": (lambda s: ["call", "f2", s, "y"], FALSE, [TRUE]),
    "both arguments": (lambda s: ["call", "f2", s, s], FALSE, [TRUE]),
    "a smooth function of matrices": (lambda s: at(["call", "W", s]), TRUE, [FALSE]),
    "a second derivative": (lambda s: ["d", 2, "f", s], TRUE, [FALSE]),
    "a derivative of the order 0": (lambda s: ["d", 0, "f", s], TRUE, [FALSE]),
    "a derivative of the order n": (lambda s: ["d", "n", "f", s], le(0, "n"), [TRUE, lt(0, "n"), le("n", 0), FALSE]),
    "a derivative of a negative order": (lambda s: ["d", -1, "f", s], FALSE, [TRUE]),
    "a derivative of an order that varies": (lambda s: ["d", ["call", "k", s], "f", s], FALSE, [TRUE, le(0, ["call", "k", "x"])]),
    "a derivative by the first argument": (lambda s: ["d", 1, "f2", s, "y"], FALSE, [TRUE]),
    "a power of a matrix": (lambda s: at(["mpow", ["sm", s, "A"], 2]), TRUE, [FALSE, le(0, 2)]),
    "the power n of a matrix": (lambda s: at(["mpow", ["sm", s, "A"], "n"]), le(0, "n"), [TRUE, lt(0, "n"), FALSE]),
    "a power of a matrix that varies": (lambda s: at(["mpow", ["sm", s, "A"], ["call", "k", s]]), FALSE, [TRUE]),
    "a sum": (lambda s: total(mul("i", s)), TRUE, [FALSE, le(1, "n")]),
    "a sum with a condition": (
        lambda s: total(["log", mul("i", s)]),
        each(lt(0, mul("i", "x"))),
        [
            TRUE,
            FALSE,
            lt(0, "x"),
            each(lt(0, mul("i", "x")), low=0),
            each(lt(0, mul("i", "x")), high=add("n", -1)),
            each(ne(mul("i", "x"), 0)),
            ["all", [["i", "Z"]], lt(0, mul("i", "x"))],
            ["all", [["i", "Z"]], ["=>", ["and", lt(1, "i"), le("i", "n")], lt(0, mul("i", "x"))]],
            ["all", [["i", "Z"]], ["=>", ["and", le(1, "i"), lt("i", "n")], lt(0, mul("i", "x"))]],
            ["all", [["i", "Z"]], ["=>", le("i", "n"), lt(0, mul("i", "x"))]],
        ],
    ),
    "a sum up to what varies": (lambda s: mul(s, total("i", high=["call", "k", s])), FALSE, [TRUE]),
    "a sum from what varies": (lambda s: mul(s, total("i", low=["call", "k", s])), FALSE, [TRUE]),
    "a sum of constants": (lambda s: mul(s, total(["log", "i"])), TRUE, [each(lt(0, "i"))]),
    "a product over an index": (lambda s: ["prod", "i", 1, "n", s], FALSE, [TRUE]),
    "a product of constants over an index": (lambda s: mul(s, ["prod", "i", 1, "n", "y"]), TRUE, [FALSE]),
    "a derivative at a point that varies": (lambda s: ["D", "r", ["^", "r", 3], s], TRUE, [FALSE]),
    "a derivative with a body that varies": (lambda s: ["D", "r", ["/", "r", s], "y"], ne("x", 0), [TRUE, FALSE]),
    "a derivative of a constant": (lambda s: ["D", "r", ["log", s], "y"], TRUE, [FALSE, lt(0, "x")]),
    "a derivative that wants a condition": (lambda s: ["D", "r", ["log", "r"], s], FALSE, [TRUE, lt(0, "x")]),
    "a derivative of an absolute value": (lambda s: ["D", "r", ["abs", "r"], s], FALSE, [TRUE]),
    "a derivative that is not known": (lambda s: ["D", "r", ["det", ["call", "V", "r"]], s], FALSE, [TRUE]),
    "a derivative of a high power": (lambda s: ["D", "r", at(["mpow", ["call", "W", "r"], 99]), s], FALSE, [TRUE]),
    "a derivative of a determinant": (lambda s: ["D", "r", ["det", ["call", "W", "r"]], s], TRUE, [FALSE]),
    "a derivative of a large determinant": (lambda s: ["D", "r", ["det", ["call", "W5", "r"]], s], TRUE, [FALSE]),
    "a derivative that does not vary": (lambda s: mul(s, ["D", "r", ["abs", "r"], "y"]), TRUE, [FALSE]),
}
GOOD: dict[str, Case] = {name: stays_positive(value, right) for name, (value, right, _) in CONDITIONS.items()}
BAD: dict[str, Case] = {
    f"{name}: {wrong}": stays_positive(value, wrong) for name, (value, _, wrongs) in CONDITIONS.items() for wrong in wrongs
}
