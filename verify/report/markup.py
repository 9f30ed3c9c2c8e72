r"""LaTeX and prose for Markdown viewers.

Viewers such as GitHub's read the Markdown first and the mathematics second: `\{`, `\,` and `\\` lose their backslash,
`_` and `*` may become emphasis, `|` ends a cell of a table, `<` begins a tag, `](` makes a link, and `\operatorname` is
not allowed. Everything here is therefore written with macros made of letters, which every viewer leaves alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from verify.report.typography import typographic

_TOKEN = re.compile(r"\\operatorname\*|\\[A-Za-z]+|\\.|\s+|.", re.DOTALL)
_ROW = r"-?[0-9/]+(?:, ?-?[0-9/]+)*"
_MATRIX = re.compile(rf"\[{_ROW}(?:; ?{_ROW})+\]")
_MATH = re.compile(r"(\$\$.+?\$\$|\$[^$]+\$|`[^`]+`)", re.DOTALL)
_ESCAPE = re.compile(r"([\\*_\[\]<>`$~|]|&(?=#?\w+;))")
_LEADING = re.compile(r"^(#{1,6}(\s|$)|[-+>]\s?|=+\s*$|\d+[.)](\s|$))")

WIDE, NARROW = 110, 50
"""A displayed formula of more characters is broken; a line of fewer characters is not."""

_BREAKS = frozenset({r"\Rightarrow", r"\land", r"\lor", r"\Leftrightarrow", r"\forall", r"\exists"})
_MACROS = {
    r"\{": r"\lbrace ",
    r"\}": r"\rbrace ",
    r"\,": r"\thinspace ",
    r"\:": r"\ ",
    r"\;": r"\ ",
    r"\ ": r"\ ",
    r"\!": r"\negthinspace ",
    r"\|": r"\Vert ",
    r"\\": r"\cr ",
    r"\_": r"\text{-}",
    "|": r"\vert ",
    "<": r"\lt ",
    ">": r"\gt ",
    "*": r"\ast ",
    "~": r"\ ",
    "`": r"\prime ",
    "&": " & ",
}


def portable(latex: str) -> str:
    """The same formula in macros that Markdown does not touch, on one line."""
    out = ""
    for token in _tokens(latex):
        if token.isspace():
            out += "" if out.endswith(" ") or not out else " "
        elif token in (r"\operatorname", r"\operatorname*"):
            out += r"\mathop{\mathrm"
        elif token in _MACROS:
            out += _MACROS[token]
        elif token == "_" and not out[-1:].isalnum():
            out = out.rstrip(" ") + " _ "
        elif token == "(" and out.rstrip(" ").endswith("]"):
            out = out.rstrip(" ") + " ("
        elif token == "[" and out.endswith("!"):
            out += " ["
        else:
            out += token
    return _close_operators(re.sub(r"(?<!\\) {2,}", " ", out)).strip().rstrip("\\ ")  # no half of a blank at the end


def inline(latex: str) -> str:
    """A formula within a line."""
    return f"${portable(latex)}$"


def display(latex: str) -> str:
    """A formula as a paragraph of its own; a long one is broken before its arrows, `and` and quantifiers."""
    text = portable(latex)
    pieces = _pieces(text) if len(text) > WIDE else [text]
    if len(pieces) == 1:
        return f"$${text}$$"
    return r"$$\begin{aligned} & " + r" \cr & ".join(pieces) + r" \end{aligned}$$"


def prose(text: str) -> str:
    """Text with `$...$` for Markdown: one line, everything outside mathematics and `code` escaped."""
    return _guard(_escaped(text))


def _escaped(text: str) -> str:
    pieces = _MATH.split(" ".join(text.split()))
    out = ""
    for number, piece in enumerate(pieces):
        if number % 2 == 0:
            out += _ESCAPE.sub(r"\\\1", piece)
        elif piece.startswith("`"):
            out += piece
        elif piece.startswith("$$"):
            out += f"\n\n{display(piece[2:-2])}\n\n"
        else:
            if out[-1:].isalnum() or out[-1:] in ("-", "$", ")", "]"):
                out += " "
            out += inline(piece[1:-1])
            if number + 1 < len(pieces) and pieces[number + 1][:1].isalnum():
                out += " "
    return out.strip()


def typed(text: str) -> str:
    """Text whose mathematics was typed in plain letters, with its signs and with matrices like `[1,2; 3,4]` as formulas."""
    pieces = _MATH.split(text)
    return "".join(p if n % 2 else _MATRIX.sub(lambda m: f"${_matrix(m[0])}$", typographic(p)) for n, p in enumerate(pieces))


def _matrix(text: str) -> str:
    rows = [" & ".join(cell.strip() for cell in row.split(",")) for row in text[1:-1].split(";")]
    return r"\begin{bmatrix} " + r" \\ ".join(rows) + r" \end{bmatrix}"


def paragraphs(text: str) -> str:
    """Text of several paragraphs; a line that begins with `- ` is an item of a list."""
    out = []
    for block in re.split(r"\n\s*\n", text.strip()):
        items = re.split(r"\n(?=- )", block)
        if len(items) > 1 or block.startswith("- "):
            out.append("\n".join("- " + prose(i[2:]) if i.startswith("- ") else prose(i) for i in items))
        else:
            out.append(prose(block))
    return "\n\n".join(out)


def cell(text: str) -> str:
    """Prose for a cell of a table."""
    return " ".join(_escaped(text).split())


def code(text: str) -> str:
    """Plain text in a fenced block."""
    fence = "```"
    while fence in text:
        fence += "`"
    return f"{fence}text\n{text.strip()}\n{fence}"


def folded(summary: str, body: str) -> str:
    """Markdown that a reader opens by a click."""
    return f"<details><summary>{summary}</summary>\n\n{body}\n\n</details>"


def tick(text: str) -> str:
    """A word in code type."""
    return f"`{text.replace('`', '')}`"


def quote(text: str) -> str:
    """A block quotation."""
    return "\n".join(f"> {line}".rstrip() for line in text.splitlines())


def _pieces(text: str) -> list[str]:
    """Break a formula outside all braces and brackets."""
    pieces, line, depth = [], "", 0
    for token in _TOKEN.findall(text):
        if token in ("{", r"\left", r"\begin"):
            depth += 1
        elif token in ("}", r"\right", r"\end"):
            depth -= 1
        if depth == 0 and token in _BREAKS and len(line) > NARROW:
            pieces.append(line.strip())
            line = ""
        line += token
    return [*pieces, line.strip()]


def _tokens(latex: str) -> Iterator[str]:
    for match in _TOKEN.finditer(latex.strip()):
        yield match.group()


def _close_operators(text: str) -> str:
    """Give every `\\mathop{\\mathrm` the closing brace of its argument."""
    mark = r"\mathop{\mathrm"
    start = text.find(mark)
    while start >= 0:
        depth, at = 0, start + len(mark)
        while at < len(text):
            if text[at] == "{":
                depth += 1
            elif text[at] == "}":
                depth -= 1
                if depth == 0:
                    break
            at += 1
        text = text[: at + 1] + "}" + text[at + 1 :]
        start = text.find(mark, start + len(mark))
    return text


def _guard(line: str) -> str:
    """Keep the beginning of a paragraph from becoming a heading, a list or a quotation."""
    match = _LEADING.match(line)
    if match is None:
        return line
    if line[0].isdigit():
        return re.sub(r"^(\d+)([.)])", r"\1\\\2", line)
    return "\\" + line
