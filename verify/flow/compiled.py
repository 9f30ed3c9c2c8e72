"""The C file of :mod:`verify.flow.fixedpoint`: its structures and functions, and how it is compiled.

The result is kept in the user's cache directory (XDG_CACHE_HOME or ~/.cache), under a name that depends on the source,
the flags and the processor.
"""

from __future__ import annotations

import ctypes
import hashlib
import os
import shutil
import subprocess
import sysconfig
import tempfile
from pathlib import Path
from typing import Any


class Op(ctypes.Structure):
    _fields_ = (
        ("kind", ctypes.c_int64),
        ("size", ctypes.c_int64),
        ("a", ctypes.c_int64),
        ("b", ctypes.c_int64),
        ("terms", ctypes.c_int64),
        ("sign", ctypes.c_int64),
        ("left", ctypes.c_void_p),
        ("right", ctypes.c_void_p),
        ("weight", ctypes.c_void_p),
        ("mass", ctypes.c_double),
        ("top", ctypes.c_int64),
        ("digits", ctypes.c_int64),
        ("fwd", ctypes.c_void_p),
        ("rev", ctypes.c_void_p),
        ("used_right", ctypes.c_int64),
        ("rows", ctypes.c_int64),
        ("last", ctypes.c_void_p),
        ("gain", ctypes.c_double),
        ("shadow", ctypes.c_void_p),
        ("mirror", ctypes.c_void_p),
        ("held", ctypes.c_void_p),
        ("single", ctypes.c_int64),
        ("apart", ctypes.c_int64),
        ("wide", ctypes.c_int64),
        ("entries", ctypes.c_double),
        ("given", ctypes.c_void_p),
        ("times", ctypes.c_void_p),
        ("summands", ctypes.c_int64),
    )


class Book(ctypes.Structure):
    """A program with its memory."""

    _fields_ = (
        ("ops", ctypes.c_void_p),
        ("count", ctypes.c_int64),
        ("slots", ctypes.c_int64),
        ("norms", ctypes.c_void_p),
        ("work", ctypes.c_void_p),
        ("input", ctypes.c_void_p),
        ("inputs", ctypes.c_int64),
        ("residual", ctypes.c_int64),
        ("frame", ctypes.c_void_p),
        ("rests", ctypes.c_void_p),
        ("radii", ctypes.c_void_p),
        ("tubes", ctypes.c_void_p),
        ("top", ctypes.c_void_p),
        ("last", ctypes.c_void_p),
    )


class Move(ctypes.Structure):
    """A step: what it is to be like, and what was made."""

    _fields_ = (
        *((name, ctypes.c_double) for name in ("error", "tau", "limit", "price", "margin", "entries")),
        *((name, ctypes.c_int64) for name in ("unit", "words", "probe", "orders")),
        ("order", ctypes.c_void_p),
        ("point", ctypes.c_void_p),
        ("known", ctypes.c_void_p),
        ("memory", ctypes.c_void_p),
        ("size", ctypes.c_int64),
        ("needed", ctypes.c_int64),
        ("slack", ctypes.c_double),
        ("most", ctypes.c_double),
        *((name, ctypes.c_int64) for name in ("timed", "beta", "beta_exponent", "chosen", "h", "h_exponent")),
        *((name, ctypes.c_double) for name in ("rho", "bound", "begin", "radius", "after")),
        ("end_unit", ctypes.c_int64),
        ("end", ctypes.c_void_p),
        ("residual", ctypes.c_void_p),
        *((name, ctypes.c_double) for name in ("norm", "largest", "length")),
        *((name, ctypes.c_int64) for name in ("usual", "since", "last_timed")),
        ("spread", ctypes.c_double),
    )


class Wish(ctypes.Structure):
    """What a step is to be like."""

    _fields_ = (
        ("tau", ctypes.c_double),
        ("goal", ctypes.c_double),
        ("slack", ctypes.c_double),
        ("limit", ctypes.c_double),
        ("cells", ctypes.c_double),
        ("price", ctypes.c_double),
        ("unit", ctypes.c_int64),
        ("probe", ctypes.c_int64),
        ("orders", ctypes.c_int64),
        ("order", ctypes.c_void_p),
        ("usual", ctypes.c_int64),
        ("sure", ctypes.c_int64),
    )


class Frame(ctypes.Structure):
    """What the bound of a tube needs to know about a model; made by :meth:`Program.frame`."""

    _fields_ = (
        ("depth", ctypes.c_int64),
        ("columns", ctypes.c_int64),
        ("input", ctypes.c_void_p),
        ("rows", ctypes.c_void_p),
        ("cols", ctypes.c_void_p),
        ("places", ctypes.c_void_p),
        ("gains", ctypes.c_void_p),
        ("residual", ctypes.c_int64),
        ("height", ctypes.c_int64),
        ("width", ctypes.c_int64),
        ("entries", ctypes.c_void_p),
        ("gain", ctypes.c_double),
        ("data", ctypes.c_double),
        ("factor", ctypes.c_double),
        ("spread", ctypes.c_double),
    )


class Series(ctypes.Structure):
    """A sum of exponentials; made by :meth:`Program.place`."""

    _fields_ = (
        ("terms", ctypes.c_int64),
        ("rates", ctypes.c_int64),
        ("digits", ctypes.c_int64),
        ("place", ctypes.c_void_p),
        ("power", ctypes.c_void_p),
        ("first", ctypes.c_void_p),
        ("rate", ctypes.c_void_p),
        ("cells", ctypes.c_int64),
        ("modes", ctypes.c_int64),
        ("mode", ctypes.c_void_p),
        ("dual", ctypes.c_void_p),
        ("value", ctypes.c_void_p),
        ("main", ctypes.c_void_p),
    )


class Library:
    """The functions of the compiled file, with their signatures."""

    def __init__(self, path: str):
        lib = ctypes.CDLL(path)
        p, i, d = ctypes.c_void_p, ctypes.c_int64, ctypes.c_double
        if ctypes.sizeof(ctypes.c_void_p) != 8:
            raise OSError("needs 64-bit addresses")

        def bind(name: str, *types: Any, result: Any = None) -> Any:
            function = getattr(lib, name)
            function.argtypes, function.restype = types, result
            return function

        self.plan = bind("flow_plan", p, p, p, p, p, p, p, p, p, result=i)
        self.places = bind("flow_places", p, i, i, i, d, d, d, i, p, p, p, p, p, result=d)
        self.sketch = bind("flow_sketch", p, p, p, i, d, d)
        self.layout = bind("flow_layout", p, i, i, i, p, p, p, i, i, result=i)
        self.stride = bind("flow_stride", p, p, p, result=i)
        self.load = bind("flow_load", p, i, i, p, i, i, result=i)
        self.expand = bind("flow_expand", p, i, i, i, p, p, i, result=i)
        self.endpoint = bind("flow_endpoint", p, i, i, i, p, i, result=i)
        self.defect = bind("flow_defect", p, i, i, p, p, p, result=i)
        self.correct = bind("flow_correct", p, i, i, p, p, p, result=i)
        self.shadow = bind("flow_shadow", p, i, i, i, i, i)
        self.norms = bind("flow_norms", p, i, i, i, p)
        self.rest = bind("flow_rest", p, i, i, i, d, d, i, p, p, p, p, p, result=d)
        self.spectral = bind("flow_spectral", p, i, i, d, p, result=d)


def build() -> str:
    """Path of the compiled library, from the cache or compiled now. Raises OSError or SubprocessError."""
    if os.name != "posix":
        raise OSError("only built on POSIX systems")
    source = Path(__file__).with_name("fixedpoint.c")
    compiler = shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")
    text = source.read_bytes()
    flags = ["-O3", "-march=native", "-std=gnu11", "-fPIC", "-shared", "-ffp-contract=off"]
    key = hashlib.sha256(b"\0".join([text, *(f.encode() for f in flags), _processor()])).hexdigest()[:20]
    base = os.environ.get("XDG_CACHE_HOME") or os.path.join(os.path.expanduser("~"), ".cache")
    folder = Path(base) / "verify-papers"
    suffix = sysconfig.get_config_var("SHLIB_SUFFIX") or ".so"
    target = folder / f"fixedpoint-{key}{suffix}"
    if target.is_file() and target.stat().st_uid == os.getuid():
        return str(target)
    if compiler is None:
        raise OSError("no C compiler")
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder) as work:
        made = Path(work) / "library"
        subprocess.run(
            [compiler, *flags, "-o", str(made), str(source), "-lm"], check=True, capture_output=True, timeout=120
        )
        os.replace(made, target)
    return str(target)


def _processor() -> bytes:
    """What distinguishes processors that may share a cache directory."""
    try:
        with open("/proc/cpuinfo", "rb") as handle:
            return b"".join(sorted({line for line in handle if line.startswith((b"model name", b"flags"))}))
    except OSError:
        return os.uname().machine.encode()
