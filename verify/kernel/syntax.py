r"""The surface syntax: text to formulas and terms. `verify.kernel.text.surface` is the way back.

Grammar, loosest first::

    all x y:R, n:Z, A:M(n,n), f:R~>R, N:M(2,2)->R, W:(Z,R)~>M(n,n). FORMULA      (also: ex)
    A <=> B      A => B (to the right)      A or B      A and B      not A
    a = b   a != b   a <= b < c (a chain is a conjunction)   tends(t, body, limit)   tendsoo(t, body)   true   false
    a + b - c    a * b / c @ d (@: matrix product)    -a    a ^ b (to the right)
    f(a, b)   f'(t)   f''(t)   d(n, f, t)   A[i,j]   exp(a) ... sum(i, lo, hi, body)  prod(...)  D(t, body, point)
    T(A) inv(A) tr(A) det(A) I(n) J(m,n) J(n) O(m,n) O(n) mpow(A,n) had(A,B) [[a,b],[c,d]]   lam x:R, y:Z. term
    V(n) is the sort M(n,1).

`R ~> R` is the sort of smooth functions, `->` of any functions. Numbers are integers or decimals (exact). `*` between a
scalar and a matrix is scalar multiplication; `A ^ n` for a matrix is `mpow`. Constants of facts.json are written as
functions.

Numbers, products and signs that stand together are read as one, also in parentheses: `1 / 2`, `(a * b) * c`, `-(a * b)`. In
braces they stay apart: `{1} / 2`, `{a * b} * c`, `-{a * b}`. A declared variable hides a function of the same name: `\T(A)`
is the transpose although there is a variable T. A word of the grammar is a variable in back quotes: `` `all` ``. `\and(A)` and
`\or(A)` have one member.
"""

from __future__ import annotations

import re
from fractions import Fraction

from verify.kernel.facts import library
from verify.kernel.sign import literal
from verify.kernel.terms import UNARY, Context, Formula, LogicError, Sort, Term, bind, check_formula, check_sort, sort_of

WORD = re.compile(r"[0-9]+\.[0-9]+|[0-9]+|\\?[A-Za-z_][A-Za-z0-9_]*|`[A-Za-z_][A-Za-z0-9_]*`|<=>|=>|<=|>=|!=|~>|->|''|\S")
SIGNS = frozenset("-+*/^@=<>()[]{},.:'") | {"<=>", "=>", "<=", ">=", "!=", "~>", "->", "''", ""}
NAME_START = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_")
DIGITS = frozenset("0123456789")
BINDING = frozenset({"sum", "prod", "D", "tends", "tendsoo"})
ADDING, MULTIPLYING = frozenset("+-"), frozenset("*/@")
COMPARING = frozenset({"=", "!=", "<=", "<", ">=", ">"})
OF_FORMULAS = COMPARING | {"true", "false", "tends", "tendsoo", "dom"}
"""Every formula has one of these words, no term has any of them except as a name."""
AFTER_FORMULA = frozenset({"", ")", ",", "and", "or", "=>", "<=>", "]"})
NAMED = UNARY | {"min", "max", "tr", "det", "T", "inv", "mpow", "had"}
SCALARS = UNARY | {"q", "*", "/", "^", "min", "max", "pi", "prod", "tr", "det", "entry"}
MATRICES = frozenset({"mm", "sm", "T", "inv", "I", "J", "O", "mpow", "mat", "had"})


class SyntaxProblem(LogicError):
    """The text is no formula or term; the message shows the place."""


def rational(c: Fraction) -> Term:
    return c.numerator if c.denominator == 1 else ("q", c.numerator, c.denominator)


def as_fraction(t: Term) -> Fraction | None:
    lit = literal(t)
    return None if lit is None else Fraction(*lit)


class Parser:
    """Recursive descent with the sorts of the context at hand."""

    def __init__(self, text: str, ctx: Context) -> None:
        self.text, self.ctx = text, dict(ctx)
        self.words = [*WORD.findall(text), ""]
        self.at = 0
        for word in set(self.words):
            marked = len(word) > 1 and word[0] in "`\\"
            if word not in SIGNS and word[0] not in NAME_START and word[0] not in DIGITS and not marked:
                self.at = self.words.index(word)
                raise SyntaxProblem(f"unexpected character {word!r} at {self.place()}")
        self.chains: set[Formula] = set()  # conjunctions that stand for a chain a <= b < c
        self.kept = -1  # the place after the last closing brace
        self._groups: dict[int, bool] | None = None

    # ------------------------------------------------------------------ tokens

    @property
    def now(self) -> str:
        return self.words[self.at]

    def place(self) -> int:
        """Where in the text the present word begins."""
        starts = [m.start() for m in WORD.finditer(self.text)]
        return [*starts, len(self.text)][self.at]

    def fail(self, what: str) -> SyntaxProblem:
        place = self.place()
        return SyntaxProblem(
            f"{what} expected at ...{self.text[max(0, place - 30) : place]!r} >>> {self.text[place : place + 30]!r}"
        )

    def take(self, *options: str) -> str | None:
        word = self.words[self.at]
        if word in options and word:
            self.at += 1
            return word
        return None

    def need(self, token: str) -> None:
        if self.words[self.at] != token:
            raise self.fail(repr(token))
        self.at += 1

    def name(self) -> str:
        word = self.words[self.at]
        if word[:1] not in NAME_START:
            if word[:1] != "`":
                raise self.fail("a name")
            word = word[1:-1]
        self.at += 1
        return word

    def end(self) -> None:
        if self.now:
            raise self.fail("the end")

    def may_hold_formula(self, at: int) -> bool:
        """Whether the parenthesis that opens at a word has a word of formulas inside; computed once for all."""
        if self._groups is None:
            self._groups = {}
            open_at: list[tuple[int, bool]] = []
            for k, word in enumerate(self.words):
                if word == "(":
                    open_at.append((k, False))
                elif word == ")" and open_at:
                    start, found = open_at.pop()
                    self._groups[start] = found
                    if found and open_at:
                        open_at[-1] = (open_at[-1][0], True)
                elif word in OF_FORMULAS and open_at:
                    open_at[-1] = (open_at[-1][0], True)
        return self._groups.get(at, True)

    # ------------------------------------------------------------------ sorts and declarations

    def sort(self) -> Sort:
        if self.take("("):
            args = [self.simple_sort()]
            while self.take(","):
                args.append(self.simple_sort())
            self.need(")")
        else:
            args = [self.simple_sort()]
        arrow = self.take("~>", "->")
        if arrow is None:
            if len(args) != 1:
                raise self.fail("-> or ~>")
            return args[0]
        s = ("F", tuple(args), self.simple_sort(), "smooth" if arrow == "~>" else "any")
        check_sort(s, self.ctx)
        return s

    def simple_sort(self) -> Sort:
        n = self.name()
        if n in ("R", "Z"):
            return n
        if n in ("M", "V"):
            self.need("(")
            rows = self.term()
            cols: Term = 1
            if n == "M":
                self.need(",")
                cols = self.term()
            self.need(")")
            s = ("M", rows, cols)
            check_sort(s, self.ctx)
            return s
        self.at -= 1
        raise self.fail("a sort (R, Z, M(r,c), V(n), A->B, A~>B)")

    def declarations(self) -> tuple[tuple[str, Sort], ...]:
        decls: list[tuple[str, Sort]] = []
        while True:
            names = [self.name()]
            while self.now != ":":
                names.append(self.name())
            self.need(":")
            start = self.at
            for n in names:
                self.at = start
                s = self.sort()
                self.ctx = bind(self.ctx, n, s)
                decls.append((n, s))
            if not self.take(","):
                break
        self.need(".")
        return tuple(decls)

    # ------------------------------------------------------------------ formulas

    def formula(self) -> Formula:
        q = self.take("all", "ex")
        if q:
            saved = dict(self.ctx)
            decls = self.declarations()
            body = self.formula()
            self.ctx = saved
            return (q, decls, body)
        left = self.implication()
        if self.take("<=>"):
            return ("iff", left, self.implication())
        return left

    def implication(self) -> Formula:
        left = self.disjunction()
        if self.take("=>"):
            return ("=>", left, self.formula() if self.now in ("all", "ex") else self.implication())
        return left

    def disjunction(self) -> Formula:
        parts = [self.conjunction()]
        while self.take("or"):
            parts.append(self.conjunction())
        return parts[0] if len(parts) == 1 else ("or", *parts)

    def conjunction(self) -> Formula:
        parts = [self.negation()]
        while self.take("and"):
            parts.append(self.negation())
        if len(parts) == 1:
            return parts[0]
        flat: list[Formula] = []
        for p in parts:
            flat.extend(p[1:] if p[0] == "and" and p in self.chains else [p])
        return ("and", *flat)

    def negation(self) -> Formula:
        if self.take("not"):
            return ("not", self.negation())
        if self.now in ("all", "ex"):
            return self.formula()
        if self.take("true"):
            return ("true",)
        if self.take("false"):
            return ("false",)
        if self.now in ("tends", "tendsoo"):
            return self.limit()
        if (single := self.take("\\and", "\\or")) is not None:
            self.need("(")
            f = self.formula()
            self.need(")")
            return (single[1:], f)
        if self.now == "dom" and "dom" not in self.ctx:  # only in the library of facts; goals do not admit it
            self.at += 1
            return ("dom", *self.args())
        if self.now == "(" and self.may_hold_formula(self.at):
            # a parenthesis opens a formula or a term: try the formula first
            start, saved = self.at, dict(self.ctx)
            try:
                self.at += 1
                f = self.formula()
                self.need(")")
                if self.now in AFTER_FORMULA:
                    return f
            except SyntaxProblem:
                pass
            self.at, self.ctx = start, saved
        return self.relation()

    def limit(self) -> Formula:
        head = self.name()
        self.need("(")
        v = self.name()
        self.need(",")
        saved = dict(self.ctx)
        self.ctx = bind(self.ctx, v, "R")
        body = self.term()
        self.ctx = saved
        out: Formula = (head, v, body)
        if head == "tends":
            self.need(",")
            out = (*out, self.term())
        self.need(")")
        return out

    def relation(self) -> Formula:
        left = self.term()
        parts: list[Formula] = []
        while (op := self.words[self.at]) in COMPARING:
            self.at += 1
            right = self.term()
            if op in (">", ">="):
                parts.append(("<" if op == ">" else "<=", right, left))
            else:
                parts.append((op, left, right))
            left = right
        if not parts:
            raise self.fail("a relation")
        if len(parts) == 1:
            return parts[0]
        f = ("and", *parts)
        self.chains.add(f)
        return f

    # ------------------------------------------------------------------ terms

    def is_matrix(self, t: Term) -> bool:
        """Whether a term is a matrix if it is well-sorted, which is checked when the whole is read."""
        while isinstance(t, tuple):
            head = t[0]
            if head in SCALARS:
                return False
            if head in MATRICES:
                return True
            if head in ("call", "d"):
                sort = self.ctx.get(t[1 if head == "call" else 2])
                return isinstance(sort, tuple) and sort[0] == "F" and isinstance(sort[2], tuple)
            if head != "+":
                return isinstance(sort_of(t, self.ctx), tuple)
            t = t[1]
        return isinstance(t, str) and isinstance(self.ctx.get(t), tuple)

    def term(self) -> Term:
        if self.words[self.at] == "lam":
            self.at += 1
            saved = dict(self.ctx)
            decls = self.declarations()
            body = self.term()
            self.ctx = saved
            return ("lam", decls, body)
        first = self.product()
        if self.words[self.at] not in ADDING:
            return first
        parts = [first]
        while (op := self.words[self.at]) in ADDING:
            self.at += 1
            t = self.product()
            parts.append(self.minus(t) if op == "-" else t)
        return ("+", *parts)

    def minus(self, t: Term) -> Term:
        """The negative; a literal or a product takes the sign in, unless it ends with a brace."""
        if self.kept == self.at:
            return ("sm" if self.is_matrix(t) else "*", -1, t)
        c = as_fraction(t)
        if c is not None:
            return rational(-c)
        if self.is_matrix(t):
            return ("sm", -1, t)
        return ("*", -1, *t[1:]) if isinstance(t, tuple) and t[0] == "*" else ("*", -1, t)

    def product(self) -> Term:
        left = self.unary()
        while (op := self.words[self.at]) in MULTIPLYING:
            kept = self.kept == self.at
            self.at += 1
            right = self.unary()
            if op == "@":
                parts = [*(left[1:] if isinstance(left, tuple) and left[0] == "mm" and not kept else [left]), right]
                left = ("mm", *parts)
            elif op == "/":
                a, b = as_fraction(left), as_fraction(right)
                if a is not None and b and not kept:
                    left = rational(a / b)
                elif self.is_matrix(left):
                    left = ("sm", ("/", 1, right), left)
                else:
                    left = ("/", left, right)
            elif self.is_matrix(right):
                left = ("sm", left, right)
            elif self.is_matrix(left):
                left = ("sm", right, left)
            else:
                left = ("*", *(left[1:] if isinstance(left, tuple) and left[0] == "*" and not kept else [left]), right)
            self.kept = -1
        return left

    def unary(self) -> Term:
        if self.words[self.at] == "-":
            self.at += 1
            t = self.minus(self.unary())
            self.kept = -1
            return t
        base = self.postfix()
        if self.words[self.at] == "^":
            self.at += 1
            e = self.minus(self.exponent()) if self.take("-") else self.exponent()
            self.kept = -1
            return ("mpow", base, e) if self.is_matrix(base) else ("^", base, e)
        return base

    def exponent(self) -> Term:
        base = self.postfix()
        return ("^", base, self.exponent()) if self.take("^") else base

    def postfix(self) -> Term:
        t = self.atom()
        while self.words[self.at] == "[" and self.is_matrix(t):
            self.at += 1
            i = self.term()
            self.need(",")
            j = self.term()
            self.need("]")
            t = ("entry", t, i, j)
        return t

    def args(self) -> list[Term]:
        self.need("(")
        out = [self.term()]
        while self.take(","):
            out.append(self.term())
        self.need(")")
        return out

    def atom(self) -> Term:
        token = self.words[self.at]
        if token[:1] in DIGITS:
            self.at += 1
            return int(token) if token.isdigit() else rational(Fraction(token))
        if token == "(":
            self.at += 1
            t = self.term()
            self.need(")")
            return t
        if token == "[":
            return self.literal_matrix()
        if token == "{":
            self.at += 1
            t = self.term()
            self.need("}")
            self.kept = self.at
            return t
        if token[:1] == "\\":
            self.at += 1
            return self.built_in(token[1:])
        n = self.name()
        sort = self.ctx.get(n)
        if isinstance(sort, tuple) and sort[0] == "F":
            order = 0
            while tick := self.take("'", "''"):
                order += len(tick)
            if self.now != "(":
                if order:
                    raise self.fail("'('")
                return n  # a function as a parameter
            args = self.args()
            return ("d", order, n, *args) if order else ("call", n, *args)
        if sort is not None and not (n == "d" and self.now == "("):  # a dimension may be called d as well
            return n
        return self.built_in(n)

    def built_in(self, n: str) -> Term:
        """What a name stands for that no declared variable hides."""
        if n == "pi":
            return ("pi",)
        if n in BINDING:
            return self.binder(n)
        if n == "d":
            self.need("(")
            order_term = self.term()
            self.need(",")
            f = self.name()
            rest = []
            while self.take(","):
                rest.append(self.term())
            self.need(")")
            return ("d", order_term, f, *rest)
        if self.now != "(":
            self.at -= 1
            raise self.fail(f"a declared variable instead of {n!r}")
        args = self.args()
        if n in NAMED:
            return (n, *args)
        if n == "I" and len(args) == 1:
            return ("I", args[0])
        if n in ("J", "O"):
            return (n, args[0], args[-1])
        if n in library()[1]:
            return ("op", n, *args)
        raise SyntaxProblem(f"unknown function {n!r}")

    def binder(self, head: str) -> Term:
        self.need("(")
        v = self.name()
        self.need(",")
        saved = dict(self.ctx)
        if head == "D":
            self.ctx = bind(self.ctx, v, "R")
            body = self.term()
            self.ctx = saved
            self.need(",")
            point = self.term()
            self.need(")")
            return ("D", v, body, point)
        lo = self.term()
        self.need(",")
        hi = self.term()
        self.need(",")
        self.ctx = bind(self.ctx, v, "Z")
        body = self.term()
        self.ctx = saved
        self.need(")")
        return (head, v, lo, hi, body)

    def literal_matrix(self) -> Term:
        self.need("[")
        rows = []
        while True:
            self.need("[")
            row = [self.term()]
            while self.take(","):
                row.append(self.term())
            self.need("]")
            rows.append(tuple(row))
            if not self.take(","):
                break
        self.need("]")
        return ("mat", tuple(rows))


def parse(text: str, ctx: Context | None = None) -> Formula:
    """A formula from its text, well-sorted in the context; raises SyntaxProblem or LogicError."""
    p = Parser(text, ctx or {})
    f = p.formula()
    p.end()
    check_formula(f, ctx or {})
    return f


def parse_term(text: str, ctx: Context | None = None) -> Term:
    """A term (or a lambda) from its text."""
    p = Parser(text, ctx or {})
    t = p.term()
    p.end()
    if not (isinstance(t, tuple) and t[0] == "lam"):
        sort = (ctx or {}).get(t) if isinstance(t, str) else None
        if not (isinstance(sort, tuple) and sort[0] == "F"):
            sort_of(t, ctx or {})
    return t
