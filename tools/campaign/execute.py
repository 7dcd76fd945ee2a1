"""Runs one scene in a folder of its own, with limits of time and memory, and says how the run ended."""

import json
import os
import shutil
import signal
import time
from dataclasses import dataclass, field
from pathlib import Path

import yaml
from nodia_tools.bounded_process import run_bounded

INTERRUPTED = 130  # exit code of nodia after SIGXCPU
MEMORY_KIB = 4 << 20  # address space of a run


@dataclass
class Outcome:
    """How a run ended, in words of the report."""

    how: str  # completed, failed (exit code 1), rejected (2), crashed or timeout
    exit_code: int | None
    seconds: float
    look_at: list = field(default_factory=list)
    message: str = ""


class _PlainDumper(yaml.SafeDumper):
    """Writes equal lists twice, not as anchors."""

    def ignore_aliases(self, data):
        return True


def text_of(scenario):
    return yaml.dump(scenario, Dumper=_PlainDumper, sort_keys=False, default_flow_style=None, width=120)


def program():
    """$NODIA_BINARY, else the program of the release build."""
    root = Path(__file__).resolve().parents[2]
    return os.environ.get("NODIA_BINARY") or str(root / "build/release/bin/nodia")


def write_scene(scene, directory):
    """Writes the scenario and its files. @return the path of the scenario"""
    directory.mkdir(parents=True, exist_ok=True)
    for name, text in scene.files.items():
        (directory / name).write_text(text, encoding="utf-8")
    path = directory / "scene.yaml"
    path.write_text(text_of(scene.scenario), encoding="utf-8")
    return path


def run_file(path, out, cpu_limit_s, options=()):
    """Runs a scenario file; the run is in `out`, which is replaced.

    The limit is of CPU time, so that a busy machine ends no run early; ten times as long has passed, the run is ended too.
    """
    shutil.rmtree(out, ignore_errors=True)
    words = ["bash", "-c", f'ulimit -v {MEMORY_KIB} -t {cpu_limit_s}; exec "$@"', "bash", program(), "run", path, "--out", out, *options]
    end = time.monotonic() + 10 * cpu_limit_s
    done = run_bounded(words, lambda: end, environment=os.environ | {"OMP_NUM_THREADS": "1"})
    message = (done.stderr.strip().splitlines() or [""])[-1]
    code = done.returncode
    ran_out = code is None or code in (-signal.SIGKILL, -signal.SIGXCPU, INTERRUPTED)
    how = "timeout" if ran_out else {0: "completed", 1: "failed", 2: "rejected"}.get(code, "crashed")
    look_at = []
    summary = Path(out) / "summary.json"
    if summary.exists():
        look_at = [entry["what"] for entry in json.loads(summary.read_text(encoding="utf-8"))["look_at"]]
    return Outcome(how, code, round(done.seconds, 2), look_at, message)
