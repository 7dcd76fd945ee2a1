"""What the Python tools are started with in tests."""

import os
from pathlib import Path

SOURCE = Path(__file__).resolve().parents[2]


def tool_environment():
    """Without a screen, and with the modules of the tree."""
    environment = {
        name: value
        for name, value in os.environ.items()
        if name not in ("DISPLAY", "WAYLAND_DISPLAY")
    }
    return environment | {"PYTHONPATH": str(SOURCE / "python")}
