"""Random well-sorted formulas over the whole grammar of LOGIC.md, with names that look alike."""

from __future__ import annotations

import itertools
import random
from typing import Any

from hypothesis import strategies as st

from verify.kernel.terms import MAX_DERIVATIVE, UNARY, check_formula, free_sort

PLAIN = ("x", "y", "t", "n", "i", "A", "B", "f", "W", "Z1")
LOOK_ALIKE = """
    x1 x_1 x01 x_01 x1_1 x_1_1 x__1 x_ _x _ __ x1_ x_a x_ab x_a_b xab x_1a a1b W_flow W_0 Abbreviation_0
    al alpha al_ alpha_ al1 alpha1 alpha_1 be beta eps epsilon th theta Om Omega ws Ws Winf rb rb2 uZ u_Z vZ v_Z uZ1 u v
    pi pi1 Pi I J O I1 J_1 J1 I_n D T d e e_ E F M R Z V N S sigma sigma1 sigma_1 sigma2 lambda lambda1 lam ell l varepsilon
    sum prod tr det inv mat q exp log min max abs sqrt mm sm had mpow dom app call op entry rank sv nuc spec eig ncomp
    and or not all ex true false tends tendsoo iff prime top infty
"""
NASTY = tuple(LOOK_ALIKE.split())
REAL = (
    *("+", "*", "+", "*", "*-", "-", "/", "^", "^", "unary", "minmax", "sum", "prod", "D"),
    *("tr", "norm", "inner", "det", "entry", "op"),
)
DIGITS = (0, 1, 2, 3, -1, -2, 10)


class Grower:
    """Grows a formula with a source of choices; `ctx` has the variables in scope."""

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng
        self.ctx: dict[str, Any] = {}

    def choose(self, items: Any) -> Any:
        return items[self.rng.randrange(len(items))]

    def fresh(self) -> str:
        """A name for a binder: any but those that a sort in scope mentions."""
        mentioned = set().union(*(free_sort(s) for s in self.ctx.values())) if self.ctx else set()
        while True:
            name = self.choose(NASTY if self.rng.randrange(3) else PLAIN)
            if name not in mentioned:
                return name

    def having(self, wanted: Any) -> list[str]:
        return [v for v, s in self.ctx.items() if s == wanted]

    # ------------------------------------------------------------------ sorts

    def size(self) -> Any:
        integers = self.having("Z")
        pick = self.rng.randrange(4)
        if pick < 2 or not integers:
            return self.choose((1, 2, 3))
        n = self.choose(integers)
        return n if pick == 2 else self.choose((("+", n, 1), ("*", 2, n), ("+", n, -1), ("*", n, n)))

    def sort(self, functions: bool = True) -> Any:
        pick = self.rng.randrange(6 if functions else 4)
        if pick < 2:
            return ("R", "Z")[pick]
        if pick < 4:
            rows = self.size()
            return ("M", rows, rows if self.rng.randrange(2) else self.size())
        arguments = tuple(self.sort(False) for _ in range(self.rng.randrange(2)))
        value = self.sort(False)
        if pick == 4:
            return ("F", (*arguments, "R"), "R" if value == "Z" else value, "smooth")
        return ("F", (*arguments, self.sort(False)), value, "any")

    def binding(self, head: str, depth: int) -> Any:
        outside = dict(self.ctx)
        declarations: list[tuple[str, Any]] = []
        for _ in range(self.rng.randrange(1, 6 if not outside else 3)):
            v = self.fresh()
            if v not in [name for name, _ in declarations]:
                s = declarations[-1][1] if declarations and not self.rng.randrange(3) else self.sort()
                if v in free_sort(s):
                    continue
                self.ctx[v] = s
                declarations.append((v, s))
        if not declarations:
            declarations = [("x", "R")] if "x" not in set().union(*map(free_sort, outside.values()), set()) else [("zz", "R")]
            self.ctx[declarations[0][0]] = "R"
        body = self.formula(depth - 1)
        self.ctx = outside
        return (head, tuple(declarations), body)

    # ------------------------------------------------------------------ formulas

    def formula(self, depth: int) -> Any:
        pick = self.rng.randrange(13) if depth > 0 else self.rng.randrange(5)
        if pick < 3:
            return self.relation(self.rng.randrange(6))
        if pick == 3:
            return (self.choose(("true", "false")),)
        if pick == 4:
            return self.limit(self.rng.randrange(6))
        if pick < 7:
            return self.binding("all" if pick == 5 else "ex", depth)
        if pick == 7:
            return ("not", self.formula(depth - 1))
        if pick < 10:
            head = ("and", "or")[pick - 8]
            return (head, *(self.formula(depth - 1) for _ in range(self.rng.randrange(1, 4))))
        return (("=>", "iff")[pick % 2], self.formula(depth - 1), self.formula(depth - 1))

    def relation(self, depth: int) -> Any:
        head = self.choose(("=", "!=", "<", "<="))
        s = self.sort(False) if head in ("=", "!=") else self.choose(("R", "Z"))
        return (head, self.term(s, depth), self.term(s, depth))

    def limit(self, depth: int) -> Any:
        outside = dict(self.ctx)
        s = self.choose(("R", self.sort(False)))
        v = self.fresh()
        while v in free_sort(s):
            v = self.fresh()
        self.ctx[v] = "R"
        infinite = isinstance(s, str) and not self.rng.randrange(3)
        body = self.term(s, depth - 1)
        self.ctx = outside
        return ("tendsoo", v, body) if infinite else ("tends", v, body, self.term(s, depth - 1))

    # ------------------------------------------------------------------ terms

    def term(self, s: Any, depth: int) -> Any:
        known = self.having(s) + (self.having("Z") if s == "R" else [])
        if depth <= 0 or not self.rng.randrange(4):
            if known and self.rng.randrange(4):
                return self.choose(known)
            return self.literal(s)
        applied = [f for f, fs in self.ctx.items() if isinstance(fs, tuple) and fs[0] == "F" and fs[2] == s]
        if applied and not self.rng.randrange(3):
            return self.applied(self.choose(applied), depth)
        if s == "Z":
            return self.integer(depth)
        return self.real(depth) if s == "R" else self.matrix(s, depth)

    def literal(self, s: Any) -> Any:
        if s == "Z":
            return self.choose(DIGITS)
        if s == "R":
            return self.choose((*DIGITS, ("q", 1, 2), ("q", -2, 3), ("pi",)))
        _, rows, columns = s
        if rows == columns and not self.rng.randrange(2):
            return ("I", rows)
        return (self.choose(("J", "O")), rows, columns)

    def applied(self, f: str, depth: int) -> Any:
        _, arguments, _, kind = self.ctx[f]
        given = tuple(self.term(a, depth - 1) for a in arguments)
        if kind == "smooth" and self.rng.randrange(2):
            order = self.choose((0, 1, 2, 3, 4, MAX_DERIVATIVE, self.term("Z", 1)))
            return ("d", order, f, *given)
        return ("call", f, *given)

    def integer(self, depth: int) -> Any:
        head = self.choose(("+", "*", "*-", "^"))
        if head == "^":
            return ("^", self.term("Z", depth - 1), self.choose((0, 1, 2, 3)))
        parts = [self.term("Z", depth - 1) for _ in range(self.rng.randrange(2, 4))]
        return ("*", -1, *parts[1:]) if head == "*-" else (head, *parts)

    def real(self, depth: int) -> Any:
        d = depth - 1
        head = self.choose(REAL)
        if head in ("+", "*"):
            return (head, *(self.term("R", d) for _ in range(self.rng.randrange(2, 5))))
        if head == "*-":
            return ("*", -1, *(self.term("R", d) for _ in range(self.rng.randrange(1, 3))))
        if head == "-":
            return ("+", self.term("R", d), ("*", -1, self.term("R", d)))
        if head in ("/", "^"):
            return (head, self.term("R", d), self.term("R", d))
        if head == "unary":
            return (self.choose(sorted(UNARY)), self.term("R", d))
        if head == "minmax":
            return (self.choose(("min", "max")), self.term("R", d), self.term("R", d))
        if head in ("sum", "prod"):
            return self.summed(head, "R", d)
        if head == "D":
            return self.slope("R", d)
        return self.of_matrices(head, d)

    def of_matrices(self, head: str, d: int) -> Any:
        """A number made from matrices."""
        rows, columns = self.size(), self.size()
        a = self.term(("M", rows, columns), d)
        if head == "norm":
            square = ("tr", ("mm", ("T", a), a))
            return self.choose((square, ("sqrt", square), ("^", square, self.choose((1, 2, 3, -1, ("q", 1, 2))))))
        if head == "inner":
            return ("tr", ("mm", ("T", a), self.term(("M", rows, columns), d)))
        if head in ("tr", "det"):
            return (head, self.term(("M", rows, rows), d))
        if head == "entry":
            return ("entry", a, self.term("Z", d), self.term("Z", d))
        name = self.choose(("rank", "nuc", "spec", "ncomp", "sv", "eig"))
        if name == "eig":
            return ("op", name, self.term(("M", rows, rows), d), self.term("Z", d))
        return ("op", name, a, self.term("Z", d)) if name == "sv" else ("op", name, a)

    def summed(self, head: str, s: Any, d: int) -> Any:
        low, high = self.term("Z", d), self.term("Z", d)
        v, body = self.under("Z", s, d)
        return (head, v, low, high, body)

    def slope(self, s: Any, d: int) -> Any:
        point = self.term("R", d)
        v, body = self.under("R", s, d)
        return ("D", v, body, point)

    def under(self, bound: str, s: Any, d: int) -> tuple[str, Any]:
        """A bound variable, and a term with it."""
        outside = dict(self.ctx)
        v = self.fresh()
        while v in free_sort(s):
            v = self.fresh()
        self.ctx[v] = bound
        body = self.term(s, d)
        self.ctx = outside
        return v, body

    def matrix(self, s: Any, depth: int) -> Any:
        d = depth - 1
        _, rows, columns = s
        heads = ["+", "sm", "sm-", "mm", "mm", "T", "had", "sum", "D"]
        heads += ["inv", "mpow", "mpow", "invT"] * (rows == columns)
        heads += ["mat", "mat"] * (isinstance(rows, int) and isinstance(columns, int))
        head = self.choose(heads)
        if head == "+":
            return ("+", *(self.term(s, d) for _ in range(self.rng.randrange(2, 4))))
        if head in ("sm", "sm-"):
            return ("sm", -1 if head == "sm-" else self.term("R", d), self.term(s, d))
        if head == "mm":
            inner = [rows, *(self.size() for _ in range(self.rng.randrange(1, 3))), columns]
            return ("mm", *(self.term(("M", a, b), d) for a, b in itertools.pairwise(inner)))
        if head == "T":
            return ("T", self.term(("M", columns, rows), d))
        if head == "invT":
            return self.choose((("inv", ("T", self.term(s, d))), ("T", ("inv", self.term(s, d)))))
        if head == "had":
            return ("had", self.term(s, d), self.term(s, d))
        if head == "sum":
            return self.summed("sum", s, d)
        if head == "D":
            return self.slope(s, d)
        if head == "mat":
            return ("mat", tuple(tuple(self.term("R", d) for _ in range(columns)) for _ in range(rows)))
        return ("inv", self.term(s, d)) if head == "inv" else ("mpow", self.term(s, d), self.term("Z", d))


def grown(rng: random.Random, depth: int = 4) -> Any:
    """A closed formula."""
    found = Grower(rng).binding(("all", "ex")[rng.randrange(2)], depth)
    check_formula(found, {})
    return found


@st.composite
def formulas(draw: Any) -> Any:
    """Closed formulas."""
    return grown(draw(st.randoms(use_true_random=False)), draw(st.integers(1, 4)))
