"""``python -m bitsep``: the same as the `bitsep` command."""

import sys

from bitsep.cli import main

if __name__ == "__main__":
    sys.exit(main())
