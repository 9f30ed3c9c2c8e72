"""Numbers as people read them: certain digits, short exact numbers, powers of ten."""

from __future__ import annotations

import math
import re
from fractions import Fraction

from flint import arb

from verify.flow.balls import ball, dyadic, dyadic_fraction, precision

SHORT = 12  # characters of an exact number that is shown as it is


def number(value: arb, digits: int) -> str:
    """The certain digits of a ball (the last one may be off by one), or a bound where it may be zero."""
    with precision(math.ceil(digits * 3.4) + 64):
        if not value.is_finite():
            return "unknown"
        if value.is_zero():
            return "0"
        if value.contains(0):
            return f"0 +- {_above(dyadic_fraction(dyadic(arb(value.abs_upper()))))}"
        if value.is_exact() and value.is_integer() and abs(value) < 10**9:
            return str(int(float(value.mid())))
        if value.rel_accuracy_bits() < 3:
            return _plain(value.str(3))
        return _plain(value.str(digits, radius=False))


def _plain(text: str) -> str:
    """2e35 for 2e+35, 2 for 2e+0, and 2 +- 0.1 for [2 +/- 0.1]."""
    text = text.replace("+/-", "+-").strip("[]").replace("e+", "e")
    return re.sub(r"e0\b", "", text)


def exact_text(value: Fraction, digits: int) -> str:
    """An exact number, in full where its decimals end soon, as a short fraction where they do not end, with a power of ten where
    it is large or small.
    """
    twos, fives, rest = 0, 0, value.denominator
    while rest % 2 == 0:
        twos, rest = twos + 1, rest // 2
    while rest % 5 == 0:
        fives, rest = fives + 1, rest // 5
    if rest == 1:
        places = max(twos, fives)
        whole = abs(value.numerator) * 2 ** (places - twos) * 5 ** (places - fives)
        sign = "-" if value < 0 else ""
        if places <= 40 and whole < 10**24 and abs(value) < 10**12:
            text = f"{whole:0{places + 1}d}"
            return sign + (f"{text[:-places]}.{text[-places:]}" if places else text)
        zeros = 0
        while zeros < 20_000 and whole and whole % 10 == 0:
            whole, zeros = whole // 10, zeros + 1
        if whole < 10**digits:
            text = str(whole)
            return f"{sign}{text[0]}{'.' + text[1:] if text[1:] else ''}e{zeros - places + len(text) - 1}"
    elif max(abs(value.numerator), value.denominator) < 10**6:
        return str(value)
    with precision(math.ceil(digits * 3.4) + 64):
        return number(ball(value), digits)


def short_text(value: Fraction, digits: int = 6) -> str:
    """An exact number for a sentence: itself where it is short, otherwise a few of its digits."""
    small = value.numerator.bit_length() + value.denominator.bit_length() < 3 * SHORT
    return str(value) if small and len(str(value)) <= SHORT else exact_text(value, digits)


def log10(value: Fraction) -> float:
    """log10 of a positive number of any size."""
    return _log10(value.numerator) - _log10(value.denominator)


def _log10(n: int) -> float:
    shift = max(0, n.bit_length() - 60)
    return math.log10(n >> shift) + shift * math.log10(2)


def _above(value: Fraction) -> str:
    """A power of ten, or twice or five times one, at or above a positive number."""
    power = math.floor(log10(value)) - 1
    while True:
        for k in (1, 2, 5):
            if value <= k * Fraction(10) ** power:
                return f"{k}e{power}"
        power += 1
