"""What a file says, as it may stand in a line: no name can end the line, begin another or look like the words around it."""

from __future__ import annotations

import re

MOST = 160
"""Characters of a name or of a reason that are printed."""
_PLAIN = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*(:[A-Za-z0-9._-]+)?")


def plain(name: str) -> str:
    """A name of a claim, role, file or fact: as it is if it is a plain word, else quoted, with everything but ASCII escaped."""
    return name if len(name) <= MOST and _PLAIN.fullmatch(name) else ascii(name[:MOST])


def one_line(text: str) -> str:
    """Free text in one line; what is not printable is escaped, so that it cannot move the cursor either."""
    return "".join(c if c.isprintable() else ascii(c)[1:-1] for c in " ".join(text.split()))
