"""Processes that a test interrupts."""

from __future__ import annotations

import signal


def listen_to_interrupts() -> None:
    """For `preexec_fn`: a test run in the background of a shell ignores SIGINT, under nohup SIGHUP, and what it starts would
    as well."""
    for number in (signal.SIGINT, signal.SIGHUP):
        signal.signal(number, signal.SIG_DFL)
