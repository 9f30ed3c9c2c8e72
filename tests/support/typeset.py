r"""Reads typeset formulas back, for tests: the inverse of `verify.kernel.text.latex` and of the lists on the pages.

It is written from what a reader of mathematics knows (products bind tighter than sums, a fraction bar encloses, an exponent
belongs to the letter or bracket before it) and from the notes on notation, and it is strict: a token that does not belong
is an error. Sorts of variables, which the quantifiers say, tell products of matrices from products of numbers.
"""

from __future__ import annotations

import re
from typing import Any

from verify.kernel.text.names import GREEK

TOKEN = re.compile(r"\\[A-Za-z]+|\\.|[0-9]+|\s+|.", re.DOTALL)
SAME = {r"\thinspace": r"\,", r"\cr": r"\\", r"\lt": "<", r"\gt": ">", r"\dfrac": r"\frac"}
BLANK = {r"\ ", "~"}
SHORT = {
    r"\varepsilon": "eps",
    r"{w^{\ast}}": "ws",
    r"{W^{\ast}}": "Ws",
    r"{W^{\infty}}": "Winf",
    r"{\bar{r}}": "rb",
}
LONG = {"al": "alpha", "be": "beta", "th": "theta", "Om": "Omega"}
"""Short names that are shown as the long ones are, in formulas that do not have both."""
RELATIONS = {"=": "=", r"\ne": "!=", "<": "<", r"\le": "<="}
FUNCTIONS = {"exp", "log", "sin", "cos", "sinh", "cosh", "tanh", "min", "max", "det", "asinh", "tr"}
MATRICES = {"mm", "sm", "T", "inv", "I", "J", "O", "mpow", "mat", "had"}
RULE = re.compile(r"\\rule\{\.4em\}\{\.05em\}")


class Unreadable(Exception):
    """What is typeset is no formula."""


def tokens(latex: str) -> list[str]:
    """The signs of a formula without blanks."""
    found = [SAME.get(t, t) for t in TOKEN.findall(RULE.sub("@", latex))]
    return [t for t in found if not t.isspace() and t not in BLANK]


BRACED = {name: tokens(shown) for shown, name in SHORT.items() if shown[0] == "{"}


class Reader:
    """Recursive descent over the signs, with the sorts of the variables in scope."""

    def __init__(self, latex: str, context: dict[str, Any] | None = None) -> None:
        self.tokens = [*tokens(latex), ""]
        self.at = 0
        self.context: dict[str, Any] = dict(context or {})

    # ------------------------------------------------------------------ signs

    @property
    def now(self) -> str:
        return self.tokens[self.at]

    def ahead(self, *signs: str) -> bool:
        return self.tokens[self.at] == signs[0] and tuple(self.tokens[self.at : self.at + len(signs)]) == signs

    def take(self, *signs: str) -> bool:
        if self.ahead(*signs):
            self.at += len(signs)
            return True
        return False

    def need(self, *signs: str) -> None:
        if not self.take(*signs):
            raise Unreadable(f"{' '.join(signs)} expected at {' '.join(self.tokens[self.at : self.at + 12])}")

    def refuse(self) -> Unreadable:
        before, after = self.tokens[max(0, self.at - 8) : self.at], self.tokens[self.at : self.at + 12]
        return Unreadable(f"unexpected {' '.join(before)} >>> {' '.join(after)}")

    def end(self) -> None:
        if self.now:
            raise self.refuse()

    # ------------------------------------------------------------------ names

    def starts_name(self) -> bool:
        t = self.now
        greek = t[:1] == "\\" and t[1:] in GREEK and t != r"\pi"
        if t == r"\pi":
            return self.tokens[self.at + 1] == "_"
        return (len(t) == 1 and t.isalpha()) or greek or t in (r"\mathit", r"\tilde", r"\varepsilon") or self._short() is not None

    def _short(self) -> str | None:
        if self.now != "{":
            return None
        return next((name for name, signs in BRACED.items() if self.ahead(*signs)), None)

    def word(self) -> str:
        self.need("{")
        out = ""
        while not self.take("}"):
            out += "_" if self.now == "@" else self.now
            self.at += 1
            if not self.now:
                raise self.refuse()
        return out

    def name(self) -> str:
        out = self.stem()
        start = self.at
        if not self.take("_"):
            return out
        index = self.index()
        if index is None or (out in "IJ" and len(out) == 1):
            self.at = start  # the index of an entry, or the size of a matrix
            return out
        if out in "uv" and index == ":Z":
            return f"{out}Z"
        return out + index

    def stem(self) -> str:
        short = self._short()
        if short is not None:
            self.at += len(BRACED[short])
            return short
        t = self.now
        self.at += 1
        if t == r"\mathit":
            return self.word()
        if t == r"\tilde":
            self.need("{")
            inner = self.stem()
            self.need("}")
            return inner + "_"
        if t == r"\varepsilon":
            return "eps"
        return t.removeprefix("\\")

    def index(self) -> str | None:
        """The rest of a name from its index; None if the index is no part of a name."""
        self.need("{")
        out, first = "", True
        if self.take("Z", "}"):
            return ":Z"
        while True:
            if first and self.now.isdigit():
                out += self.now
                self.at += 1
            elif self.take("("):
                out += "_" + self.now
                self.at += 1
                self.need(")")
            elif self.take(r"\mathrm"):
                out += "_" + self.word()
            else:
                return None
            if self.take("}"):
                return out
            if not self.take(";"):
                return None
            first = False

    # ------------------------------------------------------------------ sorts

    def sort(self) -> Any:
        if self.take("("):
            arguments = [self.sort()]
            while self.take(r"\times"):
                arguments.append(self.sort())
            smooth = self.take(r"\xrightarrow", "{", r"\infty", "}")
            if not smooth:
                self.need(r"\to")
            value = self.sort()
            self.need(")")
            return ("F", tuple(arguments), value, "smooth" if smooth else "any")
        self.need(r"\mathbb", "{")
        if self.take("Z", "}"):
            return "Z"
        self.need("R", "}")
        if not self.take("^", "{"):
            return "R"
        rows = self.term()
        columns = self.term() if self.take(r"\times") else 1
        self.need("}")
        return ("M", rows, columns)

    def declarations(self) -> tuple[tuple[str, Any], ...]:
        out: list[tuple[str, Any]] = []
        while True:
            names = [self.name()]
            while self.take(","):
                names.append(self.name())
            self.need(r"\in")
            s = self.sort()
            for v in names:
                self.context[v] = s
                out.append((v, s))
            if not self.take(","):
                return tuple(out)

    # ------------------------------------------------------------------ formulas

    def formula(self) -> Any:
        if self.now in (r"\forall", r"\exists"):
            return self.quantified()
        left = self.implication()
        return ("iff", left, self.disjunction()) if self.take(r"\Leftrightarrow") else left

    def quantified(self) -> Any:
        head = "all" if self.now == r"\forall" else "ex"
        self.at += 1
        outside = dict(self.context)
        declarations = self.declarations()
        self.need(":")
        body = self.formula()
        self.context = outside
        return (head, declarations, body)

    def implication(self) -> Any:
        left = self.disjunction()
        if not self.take(r"\Rightarrow"):
            return left
        return ("=>", left, self.quantified() if self.now in (r"\forall", r"\exists") else self.implication())

    def disjunction(self) -> Any:
        parts = [self.conjunction()]
        while self.take(r"\lor"):
            parts.append(self.conjunction())
        return parts[0] if len(parts) == 1 else ("or", *parts)

    def conjunction(self) -> Any:
        parts = [self.single()]
        while self.take(r"\land"):
            parts.append(self.single())
        return parts[0] if len(parts) == 1 else ("and", *parts)

    def single(self) -> Any:
        if self.take(r"\lnot"):
            return ("not", self.single())
        for sign, head in ((r"\bigwedge", "and"), (r"\bigvee", "or")):
            if self.take(sign):
                return (head, self.bracketed())
        for truth in ("true", "false"):
            if self.take(r"\mathrm", "{", *truth, "}"):
                return (truth,)
        if self.take(r"\lim", "_", "{"):
            return self.limit()
        if self.ahead(r"\left", "(") and self.encloses_formula():
            return self.bracketed()
        left = self.term()
        if self.now not in RELATIONS:
            raise self.refuse()
        head = RELATIONS[self.now]
        self.at += 1
        return (head, left, self.term())

    def bracketed(self) -> Any:
        self.need(r"\left", "(")
        found = self.formula()
        self.need(r"\right", ")")
        return found

    def encloses_formula(self) -> bool:
        """Whether the bracket that opens here has a sign of formulas inside, not in a deeper group."""
        depth = 0
        for k in range(self.at, len(self.tokens)):
            t = self.tokens[k]
            depth += t in (r"\left", "{", "(") and not (t == "(" and self.tokens[k - 1] == r"\left")
            depth -= t in (r"\right", "}", ")") and not (t == ")" and self.tokens[k - 1] == r"\right")
            if depth == 0:
                return False
            inside = depth == 1 and (t in RELATIONS or t in (r"\land", r"\lor", r"\Rightarrow", r"\Leftrightarrow", r"\lnot"))
            word = depth == 2 and t == "{" and self.tokens[k - 1] == r"\mathrm" and self.tokens[k + 1] in ("t", "f")
            word = word and "".join(self.tokens[k + 1 : k + 6]).startswith(("true", "false"))
            quantified = depth == 1 and t in (r"\forall", r"\exists", r"\lim", r"\bigwedge", r"\bigvee")
            nested = depth == 2 and t == r"\left" and k > self.at and self.tokens[k - 2 : k] == [r"\left", "("]
            if inside or word or quantified or (nested and self._nested(k)):
                return True
        return False

    def _nested(self, place: int) -> bool:
        kept, self.at = self.at, place
        found = self.ahead(r"\left", "(") and self.encloses_formula()
        self.at = kept
        return found

    def limit(self) -> Any:
        v = self.name()
        self.need(r"\to", r"\infty", "}")
        outside = dict(self.context)
        self.context[v] = "R"
        body = self.product()
        self.context = outside
        self.need("=")
        return ("tendsoo", v, body) if self.take(r"\infty") else ("tends", v, body, self.term())

    # ------------------------------------------------------------------ sums and products

    def is_matrix(self, t: Any) -> bool:
        """Whether a term is a matrix, by its outermost operator."""
        if isinstance(t, str):
            return isinstance(self.context[t], tuple)
        if isinstance(t, int):
            return False
        head = t[0]
        if head in ("call", "d"):
            return isinstance(self.context[t[1 if head == "call" else 2]][2], tuple)
        if head == "+":
            return self.is_matrix(t[1])
        if head in ("sum", "D"):
            return self.bound_matrix(t)
        return head in MATRICES

    def bound_matrix(self, t: Any) -> bool:
        outside = self.context
        self.context = {**outside, t[1]: "Z" if t[0] == "sum" else "R"}
        found = self.is_matrix(t[4 if t[0] == "sum" else 2])
        self.context = outside
        return found

    def term(self) -> Any:
        parts = [self.signed()]
        while self.now in ("+", "-"):
            negative = self.now == "-"
            self.at += 1
            t = self.product()
            parts.append(self.negative(t) if negative else t)
        return parts[0] if len(parts) == 1 else ("+", *parts)

    def negative(self, t: Any) -> Any:
        if isinstance(t, int):
            return -t
        if isinstance(t, tuple) and t[0] == "q":
            return ("q", -t[1], t[2])
        if self.is_matrix(t):
            return ("sm", -1, t)
        return ("*", -1, *t[1:]) if isinstance(t, tuple) and t[0] == "*" else ("*", -1, t)

    def signed(self) -> Any:
        """A product with a sign, which belongs to the number that begins it, or else to the product."""
        if not self.take("-"):
            return self.product()
        start = self.at
        first = self.factor()
        self.at = start
        literal = self.tokens[start].isdigit() or self.tokens[start] == r"\tfrac"
        if literal and (isinstance(first, int) or first[0] == "q"):
            return self.product(negative=True)
        return self.negative(self.product())

    def product(self, negative: bool = False) -> Any:
        first = self.factor()
        parts = [self.negative(first) if negative else first]
        if self.take(r"\odot"):
            return ("had", first, self.factor())
        while self.take(r"\,") or self.take(r"\cdot"):
            parts.append(self.factor())
        if len(parts) == 1:
            return parts[0]
        kinds = [self.is_matrix(p) for p in parts]
        scalars = [p for p, matrix in zip(parts, kinds, strict=True) if not matrix]
        matrices = parts[len(scalars) :]
        if any(kinds[: len(scalars)]):
            raise Unreadable("a number after a matrix in a product")
        c = scalars[0] if len(scalars) == 1 else ("*", *scalars)
        if not matrices:
            return c
        m = matrices[0] if len(matrices) == 1 else ("mm", *matrices)
        return m if not scalars else ("sm", c, m)

    # ------------------------------------------------------------------ factors

    def factor(self) -> Any:
        if self.now in (r"\sum", r"\prod"):
            return self.indexed()
        if self.take(r"\lVert"):
            return self.norm()
        base, power = self.base(), None
        closed = self.tokens[self.at - 1] == "}" and not self.ends_unindexed()
        if closed and self.ahead("_"):
            raise Unreadable("a second index")
        if self.take("_", "{"):
            i = self.term()
            self.need(",")
            j = self.term()
            self.need("}")
            base = ("entry", base, i, j)
        if self.take("^", "{"):
            power = self.exponent(base)
            self.need("}")
        return base if power is None else power

    def ends_unindexed(self) -> bool:
        """Whether the group in braces that ends here is no index."""
        depth = 0
        for k in range(self.at - 1, -1, -1):
            depth += (self.tokens[k] == "}") - (self.tokens[k] == "{")
            if depth == 0:
                return self.tokens[k - 1] != "_"
        raise self.refuse()

    def exponent(self, base: Any) -> Any:
        if self.take(r"\top"):
            return ("T", base)
        if self.take("-", r"\top"):
            return ("inv", ("T", base))
        if not self.is_matrix(base):
            return ("^", base, self.term())
        if self.ahead("-", "1", "}"):
            self.at += 2
            return ("inv", base)
        if self.take("(", "-", "1", ")"):
            return ("mpow", base, -1)
        return ("mpow", base, self.term())

    def indexed(self) -> Any:
        head = self.now[1:]
        self.at += 1
        self.need("_", "{")
        v = self.name()
        self.need("=")
        low = self.term()
        self.need("}", "^", "{")
        high = self.term()
        self.need("}")
        outside = dict(self.context)
        self.context[v] = "Z"
        body = self.product()
        self.context = outside
        return (head, v, low, high, body)

    def norm(self) -> Any:
        inner = self.term()
        self.need(r"\rVert", "_", "{")
        for sign, op in (("2", "spec"), (r"\ast", "nuc")):
            if self.take(sign, "}"):
                found = ("op", op, inner)
                if self.take("^", "{"):
                    found = ("^", found, self.term())
                    self.need("}")
                return found
        self.need("F", "}")
        square = ("tr", ("mm", ("T", inner), inner))
        if not self.take("^", "{"):
            return ("sqrt", square)
        power = int(self.now)
        self.at += 1
        self.need("}")
        if power < 2 or power % 2:
            raise Unreadable(f"a norm to the power {power}")
        return square if power == 2 else ("^", square, power // 2)

    def arguments(self, opening: tuple[str, ...] = ("(",), closing: tuple[str, ...] = (")",)) -> list[Any]:
        self.need(*opening)
        out = [self.term()]
        while self.take(","):
            out.append(self.term())
        self.need(*closing)
        return out

    def base(self) -> Any:
        t = self.now
        if self.take("0", "_"):
            return self.sized("O")
        if t.isdigit():
            self.at += 1
            return int(t)
        if self.ahead(r"\left", "."):
            return self.slope()
        if self.ahead(r"\left", "("):
            (found,) = self.arguments((r"\left", "("), (r"\right", ")"))
            return found
        if t in (r"\frac", r"\tfrac", r"\sqrt", r"\lvert", r"\langle", r"\begin"):
            return self.enclosed()
        if t == r"\pi" and not self.starts_name():
            self.at += 1
            return ("pi",)
        if t == r"\mathrm" or (t[:1] == "\\" and t[1:] in FUNCTIONS):
            return self.function()
        if self.starts_name():
            return self.variable()
        raise self.refuse()

    def function(self) -> Any:
        head = self.now[1:]
        self.at += 1
        if head == "mathrm":
            head = self.word()
        if head in FUNCTIONS:
            return (head, *self.arguments((r"\left", "("), (r"\right", ")")))
        return ("op", head, *self.arguments())

    def enclosed(self) -> Any:
        t = self.now
        self.at += 1
        if t in (r"\frac", r"\tfrac"):
            (above,) = self.arguments(("{",), ("}",))
            (below,) = self.arguments(("{",), ("}",))
            return ("/", above, below) if t == r"\frac" else ("q", above, below)
        if t == r"\sqrt":
            return ("sqrt", *self.arguments(("{",), ("}",)))
        if t == r"\lvert":
            inner = self.term()
            self.need(r"\rvert")
            return ("abs", inner)
        if t == r"\langle":
            x = self.term()
            self.need(",")
            y = self.term()
            self.need(r"\rangle")
            if x == y:
                raise Unreadable("an inner product of a matrix with itself")
            return ("tr", ("mm", ("T", x), y))
        self.need("{", *"pmatrix", "}")
        rows = [[self.term()]]
        while not self.take(r"\end", "{", *"pmatrix", "}"):
            if self.take("&"):
                rows[-1].append(self.term())
            else:
                self.need(r"\\")
                rows.append([self.term()])
        return ("mat", tuple(tuple(row) for row in rows))

    def slope(self) -> Any:
        self.need(r"\left", ".", r"\tfrac", "{", r"\mathrm", "{", "d", "}", "}", "{", r"\mathrm", "{", "d", "}")
        v = self.name()
        self.need("}")
        outside = dict(self.context)
        self.context[v] = "R"
        body = self.product()
        self.context = outside
        self.need(r"\right", r"\rvert", "_", "{")
        if self.name() != v:
            raise Unreadable("a derivative at a point of another variable")
        self.need("=")
        point = self.term()
        self.need("}")
        return ("D", v, body, point)

    def sized(self, head: str) -> Any:
        self.need("{")
        rows = self.term()
        columns = self.term() if self.take(r"\times") else rows
        self.need("}")
        return (head, rows) if head == "I" else (head, rows, columns)

    def comma(self, place: int) -> bool:
        """Whether the group in braces that begins at a place is a list: the index of an entry."""
        depth = 0
        for k in range(place, len(self.tokens)):
            depth += (self.tokens[k] in ("{", "(")) - (self.tokens[k] in ("}", ")"))
            if depth == 0:
                return False
            if depth == 1 and self.tokens[k] == ",":
                return True
        raise self.refuse()

    def is_operator(self) -> bool:
        """Whether the letter with an index that begins here is an operator: a function of this name has no index of digits."""
        if self.comma(self.at + 2):
            return False
        start = self.at
        name = self.name()
        found = self.now == "_" or (self.now == "(" and "_" not in name)
        self.at = start
        return found

    def variable(self) -> Any:
        for letter, op in ((r"\sigma", "sv"), (r"\lambda", "eig")):
            if self.ahead(letter, "_", "{") and self.is_operator():
                self.at += 3
                k = self.term()
                self.need("}")
                (matrix,) = self.arguments()
                return ("op", op, matrix, k)
        if (self.ahead("I", "_", "{") or self.ahead("J", "_", "{")) and not self.comma(self.at + 2):
            head = self.now
            self.at += 2
            return self.sized(head)
        name = self.name()
        if name not in self.context:
            raise Unreadable(f"{name} is not declared")
        s = self.context[name]
        if not (isinstance(s, tuple) and s[0] == "F"):
            return name
        order: Any = 0
        while self.take("'"):
            order += 1
        if order == 0 and self.take("^", "{", "("):
            order = self.term()
            self.need(")", "}")
            if order in (1, 2):
                raise Unreadable("a first or second derivative without primes")
            return ("d", order, name, *self.arguments())
        return ("d", order, name, *self.arguments()) if order else ("call", name, *self.arguments())


def read(latex: str) -> Any:
    """The formula that a reader sees in LaTeX."""
    reader = Reader(latex)
    found = reader.formula()
    reader.end()
    return found


def shown(e: Any, names: frozenset[str] | None = None) -> Any:
    """The formula with the names that a reader gives back: the long ones for short ones that look the same."""
    if names is None:
        names = frozenset(_all_names(e))
        stems = {re.sub(r"[0-9]*(_[A-Za-z0-9]+)*_?$", "", n) for n in names}
        names = frozenset(short for short, long in LONG.items() if long not in stems)
    if isinstance(e, tuple):
        return tuple(shown(x, names) for x in e)
    if isinstance(e, str):
        match = re.fullmatch(r"([A-Za-z]+)([0-9]*(?:_[A-Za-z0-9]+)*)", e)
        if match and match[1] in names:
            return LONG[match[1]] + match[2]
    return e


def _all_names(e: Any) -> set[str]:
    if isinstance(e, str):
        return {e}
    return set().union(*map(_all_names, e)) if isinstance(e, tuple) else set()
