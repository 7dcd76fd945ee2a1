"""Runs the programs of a built tree or of an unpacked bundle, and finds scenarios and CUDA tools."""

import json
import os
import shutil
import time
from pathlib import Path

from nodia_tools.bounded_process import run_bounded
from nodia_tools.command_line import InputError
from nodia_tools.gpu_check.check import last_line


class Clock:
    """Time of a call. Its end is before the end of the budget, to leave time to kill programs and to write the file."""

    def __init__(self, budget_s):
        self.budget_s = budget_s
        self.reserve_s = min(4.0, 0.25 * budget_s)
        self.end = time.monotonic() + budget_s - self.reserve_s

    def left_s(self):
        return self.end - time.monotonic()

    def stop(self):
        """Ends all running programs."""
        self.end = 0


class Programs:
    def __init__(self, root, clock):
        self.root, self.clock = Path(root), clock
        bundled = self.root / "bin/nodia"
        build = Path(os.environ.get("NODIA_BUILD_DIR") or self.root / "build/release")
        self.nodia = Path(os.environ.get("NODIA_BINARY") or (bundled if bundled.exists() else build / "bin/nodia"))
        self.test_kernels = bundled.with_name("test_kernels") if bundled.exists() else build / "tests/test_kernels"
        files = sorted(self.root.glob("scenarios/*/*.yaml"))
        # Skips scenarios whose robot is in a package that the user must install.
        self.scenarios = {f"{p.parent.name}/{p.stem}": p for p in files if "package://" not in p.read_text()}
        if not self.nodia.exists():
            raise InputError(f"{self.nodia} is missing (run tools/build.sh, or unpack a bundle)")

    def run(self, *words, seconds, **more):
        """Runs a program for at most `seconds`, and not beyond the budget."""
        end = time.monotonic() + seconds
        environment = os.environ | {"NODIA_SOURCE_DIR": str(self.root)}
        return run_bounded(
            words, lambda: min(end, self.clock.end), grace_s=self.clock.reserve_s / 4, environment=environment, **more
        )

    def info(self):
        done = self.run(self.nodia, "info", "--json", seconds=0.1 * self.clock.budget_s)
        try:
            info = json.loads(done.stdout) if done.returncode == 0 else None
        except ValueError:
            info = None
        if not isinstance(info, dict) or "devices" not in info:
            words = last_line(done.stderr) or f"info --json ended with {done.returncode}"
            raise InputError(f"{self.nodia} does not run here ({words})")
        return info

    def driver(self):
        """Name and driver version of each GPU according to nvidia-smi. Empty if there is no nvidia-smi."""
        query = ["nvidia-smi", "--query-gpu=name,driver_version", "--format=csv,noheader"]
        try:
            done = self.run(*query, seconds=0.05 * self.clock.budget_s)
        except OSError:
            return []
        return done.stdout.strip().splitlines() if done.returncode == 0 else []


def find_tool(name, *folders):
    """Path of a CUDA tool on PATH, in the toolkit or in `folders`. None if it is missing."""
    paths = (shutil.which(name, path=folder) for folder in (None, "/usr/local/cuda/bin", *folders))
    return next(filter(None, paths), None)
