"""Runs the nodia command for the results, stores its output, and shows the progress."""

import csv
import hashlib
import json
import os
import re
import subprocess
import sys
import time
from pathlib import Path

import numpy as np

from nodia_tools.command_line import InputError
from nodia_tools.formats import require_format
from nodia_tools.paper.result import CannotMake

SOURCE = Path(os.environ.get("NODIA_SOURCE_DIR") or Path(__file__).resolve().parents[3])
PAPER_TRIALS, DEFAULT_TRIALS, DEFAULT_STEPS = 20, 2, 20

# Solver settings of the papers' scenes, which COND solved. At a Poisson's ratio near 0.5, COND needs Nesterov's
# acceleration, because Chebyshev's stalls. If many nodes press on a light body, it needs a higher coupling stiffness.
PAPER_SOLVER = {
    "soft_mat": ("solver=cond",),
    "soft_ball": ("solver=cond",),
    "cable_benchmark": ("solver=cond",),
    "soft_gripper": (
        "solver=cond",
        "acceleration=nesterov",
        "virtual_gain=100",
        "max_iterations=10000",
    ),
}


def program():
    """Path of the nodia command: the one that the user started, else the build of the source tree."""
    path = Path(os.environ.get("NODIA_PROGRAM") or SOURCE / "build/release/bin/nodia")
    if not path.is_file():
        raise InputError(f"{path}: no nodia command (build it, or set NODIA_PROGRAM)")
    return path


class Progress:
    """Progress display: on a terminal a bar and the current command, otherwise one line per result."""

    WIDTH = 24

    def __init__(self, n_entry, stream=None):
        self._n_entry = n_entry
        self._stream = stream or sys.stderr
        self._terminal = self._stream.isatty()
        self._start = time.monotonic()
        self._done, self._id = 0, ""

    def begin(self, entry):
        self._id = entry.id
        if not self._terminal:
            self._line(f"{self._counter()} {entry.id}: {entry.title}")

    def working(self, what):
        if not self._terminal:
            return
        filled = int(self.WIDTH * self._done / max(self._n_entry, 1))
        bar = "#" * filled + "." * (self.WIDTH - filled)
        elapsed = time.monotonic() - self._start
        text = f"[{bar}] {self._counter()} {self._id}, {elapsed:.0f} s: {what}"
        print(f"\r\x1b[K{text[:118]}", end="", file=self._stream, flush=True)

    def end(self, entry, seconds, verdict):
        self._done += 1
        self._clear()
        self._line(f"{entry.id}: {verdict}, {seconds:.1f} s")

    def _counter(self):
        return f"{min(self._done + 1, self._n_entry)}/{self._n_entry}"

    def _clear(self):
        if self._terminal:
            print("\r\x1b[K", end="", file=self._stream)

    def _line(self, text):
        print(text, file=self._stream, flush=True)


class Context:
    """Sizes, folders, and access to the nodia command.

    The output of each command is stored in DIR/data under a name that is computed from its arguments, so that results can
    share runs. With `resume`, stored output of an earlier call is reused.
    """

    def __init__(self, out, trials=DEFAULT_TRIALS, steps=DEFAULT_STEPS, full=False, resume=False):
        self.out = Path(out)
        self.full, self.resume = full, resume
        self.trials = trials
        self.steps = steps
        self.progress = Progress(1)
        self._program = program()
        self._info = None
        self._known = {}

    # ---- sizes

    def seeds(self, at_most=None):
        """Seeds of the trials. An expensive result sets `at_most`, which --full ignores."""
        n = self.trials if self.full or at_most is None else min(self.trials, at_most)
        return list(range(n))

    def samples(self, at_most=None):
        """Number of steps per trial. An expensive result sets `at_most`, which --full ignores."""
        return self.steps if self.full or at_most is None else min(self.steps, at_most)

    def size(self, trials, samples):
        """Describes the number of trials and steps in a sentence for the report."""
        return (
            f"{trials} randomised trial{'s' if trials > 1 else ''} (`--seed 0` to {trials - 1}), "
            f"{samples} evenly spaced steps each (the paper: 20 trials, all steps)"
        )

    # ---- the command

    @property
    def info(self):
        if self._info is None:
            self._info = json.loads(self._call(["info", "--json"]))
        return self._info

    def require_solver(self, name):
        if name not in [solver["name"] for solver in self.info["solvers"]]:
            raise CannotMake(f"this nodia has no solver {name} (nodia info lists them)")

    def reference(self, path):
        """Path of a file of the reference data. Raises CannotMake if it is absent."""
        folder = Path(os.environ.get("NODIA_REFERENCE_DIR") or SOURCE.parent / "shared/reference")
        file = folder / path
        if not file.is_file():
            raise CannotMake(f"reference data {path} is absent (set NODIA_REFERENCE_DIR)")
        return file

    def scenario(self, name):
        return SOURCE / "scenarios" / name / f"{name}.yaml"

    def json(self, *words):
        """The object that `nodia words... --json` prints."""
        words = [str(word) for word in words]
        path = self._data(words, ".json")
        if not path.exists():
            self._write(path, self._call([*words, "--json"]))
        try:
            return json.loads(path.read_text(encoding="utf-8"))
        except ValueError:
            raise CannotMake(f"nodia {words[0]}: printed no JSON") from None

    def run(self, *words, may_fail=False):
        """Runs `nodia run words...` and returns its run directory.

        @param may_fail  accept a run in which some steps do not converge
        """
        words = ["run", *map(str, words)]
        directory = self._data(words, "")
        if not (directory / "summary.json").exists():
            good = (0, 1) if may_fail else (0,)
            self._call([*words, "--out", str(directory), "--overwrite", "--threads", "1"], good)
        if not (directory / "summary.json").exists():
            raise CannotMake(f"nodia {self._short(words)}: wrote no summary")
        return directory

    def steps_of(self, directory):
        """Columns of steps.csv: {name: values [n_step]}. Columns of text are arrays of strings."""
        with open(directory / "steps.csv", newline="", encoding="utf-8") as file:
            rows = list(csv.DictReader(file))
        if not rows:
            raise CannotMake(f"{directory.name}: steps.csv holds no step")
        columns = {}
        for name in rows[0]:
            words = [row[name] for row in rows]
            try:
                columns[name] = np.array([float(word) if word else np.nan for word in words])
            except ValueError:
                columns[name] = np.array(words)
        return columns

    def summary_of(self, directory):
        path = directory / "summary.json"
        summary = json.loads(path.read_text(encoding="utf-8"))
        require_format(path, summary, "nodia_summary", 2)
        return summary

    # ---- inside

    def _data(self, words, suffix):
        key = tuple(words)
        if key not in self._known:
            identity = "\n".join([self.info["commit"], *words])
            short = re.sub(r"[^A-Za-z0-9]+", "_", Path(words[1]).stem if len(words) > 1 else "")
            name = f"{words[0]}_{short}_{hashlib.sha256(identity.encode()).hexdigest()[:12]}"
            path = self.out / "data" / (name + suffix)
            if not self.resume:
                _remove(path)
            self._known[key] = path
        return self._known[key]

    def _write(self, path, text):
        path.parent.mkdir(parents=True, exist_ok=True)
        partial = path.with_suffix(".partial")
        partial.write_text(text, encoding="utf-8")
        partial.replace(path)

    def _short(self, words):
        text = " ".join(Path(word).name if "/" in word else word for word in words)
        return text if len(text) < 200 else text[:197] + "..."

    def _call(self, words, good=(0,)):
        """Runs `nodia words...` and returns its standard output."""
        process = subprocess.Popen(
            [self._program, *with_papers_solver(words)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
        try:
            while True:
                self.progress.working(self._short(words))
                try:
                    output, errors = process.communicate(timeout=1)
                    break
                except subprocess.TimeoutExpired:
                    pass
        except BaseException:
            process.terminate()
            process.wait()
            raise
        if process.returncode not in good:
            lines = [line for line in errors.splitlines() if line.strip()]
            said = lines[-1].strip() if lines else "no message"
            raise CannotMake(f"nodia {self._short(words)}: exit code {process.returncode}: {said}")
        return output


def with_papers_solver(words):
    """Inserts the solver settings of the paper after the name of each scenario that has some."""
    complete = []
    for word in words:
        complete.append(word)
        if word.endswith(".yaml"):
            for setting in PAPER_SOLVER.get(Path(word).stem, ()):
                complete += ["--set", f"solver.{setting}"]
    return complete


def _remove(path):
    """Removes stored output of an earlier call: a file, or the summary of a run directory."""
    if path.is_file():
        path.unlink()
    elif path.is_dir():
        (path / "summary.json").unlink(missing_ok=True)
