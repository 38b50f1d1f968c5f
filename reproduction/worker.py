"""A worker process: reads tasks as lines of JSON, does them, answers ``null`` or what went wrong."""

from __future__ import annotations

import json
import signal
import sys

from bitsep.errors import BitsepError
from reproduction.work import do


def main() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C reaches the whole group; the parent decides
    answers, sys.stdout = sys.stdout, sys.stderr  # a stray print must not look like an answer
    for line in sys.stdin:
        failure = None
        try:
            do(json.loads(line))
        except Exception as error:
            known = isinstance(error, BitsepError)
            failure = {"kind": type(error).__name__, "message": str(error) if known else repr(error)}
        answers.write(json.dumps(failure) + "\n")
        answers.flush()


if __name__ == "__main__":
    main()
