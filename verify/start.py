"""Where the command line begins: whoever interrupts it while it is still being imported gets one line as well."""

from __future__ import annotations

import os
import signal

INTERRUPTED = 130
SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


def main() -> None:
    """Run the command line (see :func:`verify.cli.main`, which takes over the signals)."""
    for number in SIGNALS:
        if signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, _early)
    from verify.cli import main as run

    run()


def _early(number: int, frame: object) -> None:
    """End at once: nothing has begun, and an exception could be lost inside of an import."""
    os.write(2, ("\n" if os.isatty(2) else "").encode() + b"verify: interrupted before it began\n")
    os._exit(INTERRUPTED)
