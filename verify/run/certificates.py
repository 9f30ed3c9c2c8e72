"""Certificates and pinned statements, as `verify/kernel/LOGIC.md` specifies them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from verify.errors import InputError
from verify.run.files import MAX_CERTIFICATE, canonical, digest, read_json, write
from verify.run.results import PROVED, RoleResult

SCHEMA = 1


def build(claim: str, roles: Mapping[str, RoleResult]) -> dict[str, Any] | None:
    """The certificate of a claim from its proved roles; None when there are none."""
    parts = {
        role: {"statement": result.formula, "proof": result.proof}
        for role, result in sorted(roles.items())
        if result.status == PROVED
    }
    if not parts:
        return None
    body: dict[str, Any] = {"schema": SCHEMA, "claim": claim, "parts": parts}
    return {**body, "sha256": digest(body)}


def path_of(folder: Path, claim: str) -> Path:
    """Where the certificate of a claim is stored below a folder."""
    paper, _, name = claim.partition(".")
    return folder / "certificates" / paper / f"{name}.json"


def text_of(certificate: Mapping[str, Any]) -> str:
    """The bytes of a certificate file."""
    return canonical(certificate) + "\n"


def read(path: Path, where: str) -> dict[str, Any]:
    """Read a certificate and check its shape and its digest; what it proves is the checker's business."""
    data = read_json(path, MAX_CERTIFICATE, where)
    if not isinstance(data, dict) or set(data) != {"schema", "claim", "parts", "sha256"}:
        raise InputError(f"{where}: not a certificate; it has the keys schema, claim, parts, sha256")
    body = {k: v for k, v in data.items() if k != "sha256"}
    if data["schema"] != SCHEMA or data["sha256"] != digest(body):
        raise InputError(f"{where}: the digest does not fit the content; run `verify report` to write it anew")
    return data


def roles(path: Path) -> set[str] | None:
    """The roles that a stored certificate speaks of, none without a file; None when it cannot be read, which the checker says."""
    if not path.is_file():
        return set()
    try:
        data = read_json(path, MAX_CERTIFICATE)
    except InputError:
        return None
    parts = data.get("parts") if isinstance(data, dict) else None
    return set(parts) if isinstance(parts, dict) else None


def statements(roles: Mapping[tuple[str, str], RoleResult]) -> dict[str, Any]:
    """The content of `statements.json`: by claim and role the digest of the formula."""
    pins: dict[str, Any] = {}
    for (claim, role), result in sorted(roles.items(), key=lambda item: item[0]):
        if result.spoken:
            pins.setdefault(claim, {})[role] = result.digest()
    return pins


def write_all(folder: Path, certificates: Iterable[Mapping[str, Any]]) -> None:
    """Make the certificates below a folder exactly these."""
    wanted: set[Path] = set()
    for certificate in certificates:
        path = path_of(folder, certificate["claim"])
        write(path, text_of(certificate))
        wanted.add(path)
    for path in sorted(folder.glob("certificates/*/*.json")):
        if path not in wanted:
            path.unlink()
