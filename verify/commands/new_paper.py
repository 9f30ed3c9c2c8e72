"""`verify new-paper`: a scaffold for a paper of one's own."""

from __future__ import annotations

import datetime
import re

import click

from verify.commands import _options as options

CATALOGUE = """schema = 1

[paper]
slug = "{slug}"
title = "{title}"
authors = ["A. Author"]
year = {year}
notation = '''
Say here what the letters mean, e.g. $A\\in\\mathbb R^{{n\\times n}}$.
'''

[[claim]]
id = "{slug}.lemma-1"
label = "Lemma 1"
section = "1"
kind = "lemma"
title = "Transposition reverses a product"
statement = '''
For all real $n\\times n$ matrices, $(AB)^\\top=B^\\top A^\\top$.
'''
assumptions = '''
$n\\ge1$.
'''
depends_on = []
route = "symbolic-general"
check = '''
One matrix identity.
'''
edge_cases = '''
$n=1$.
'''
"""

PROOFS = '''"""Proofs for section 1 of {slug}."""

from verify.kernel import Goal
from verify.registry import holds


@holds(
    "{slug}.lemma-1",
    "all n:Z, A B:M(n,n). 1 <= n => T(A @ B) = T(B) @ T(A)",
    argument="sound",
)
def transposition_reverses_a_product(g: Goal) -> None:
    """Both sides have the same normal form."""
    g.intro()
    g.nc()
'''


@click.command(name="new-paper")
@click.argument("name")
@click.option("--title", default="A paper", help="The title of the paper.")
def command(name: str, title: str) -> None:
    """Write the scaffold of a paper: proofs/NAME with a catalogue and a first proof module."""
    from verify.errors import InputError
    from verify.run.files import write

    if not re.fullmatch(r"[a-z][a-z0-9]*", name):
        raise InputError(f"{name!r} must be lower-case letters and digits, beginning with a letter, like smith2024")
    if '"' in title or "\\" in title or "\n" in title:
        raise InputError("a title must not contain quotation marks, backslashes or line breaks")
    root = options.new_root()
    package = root / "proofs" / name
    if package.exists():
        raise InputError(f"proofs/{name} exists already; choose another name or edit proofs/{name}/catalogue.toml")
    if not (root / "proofs" / "__init__.py").is_file():
        write(root / "proofs" / "__init__.py", '"""One package per paper: its catalogue and its proofs."""\n')
    write(package / "__init__.py", f'"""Proofs for the claims of {name}."""\n')
    write(package / "catalogue.toml", CATALOGUE.format(slug=name, title=title, year=datetime.date.today().year))
    write(package / "section_1.py", PROOFS.format(slug=name))
    click.echo(f"wrote proofs/{name}: edit catalogue.toml, then section_1.py, and run `verify run {name}`")
