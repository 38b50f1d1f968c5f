"""Every statistic and every score, in every setting, against the slow twins on random and awkward tables."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))  # for the twins
