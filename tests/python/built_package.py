"""The Python package of the build, and what tests of it stand on."""

import os
import sys
from pathlib import Path

SOURCE = Path(__file__).resolve().parents[2]
BINARY = Path(os.environ.get("NODIA_BINARY") or SOURCE / "build/release/bin/nodia").resolve()
PACKAGE = BINARY.parents[1] / "python"
sys.path[:0] = [str(PACKAGE), str(SOURCE / "tests/tools")]

MASS_KG = 0.5  # of the fixture `box`: 0.1 m x 0.1 m x 0.05 m of 1000 kg/m^3
