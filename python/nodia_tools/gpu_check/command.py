"""The words, the time and the report of tools/gpu_check.sh."""

import datetime
import json
import math
import os
import signal
import time
from pathlib import Path

from nodia_tools.bounded_process import run_bounded
from nodia_tools.command_line import ArgumentParser, InputError, exit_code_of
from nodia_tools.formats import require_format
from nodia_tools.gpu_check.check import FAIL, NOT_RUN, UNFINISHED, last_line, result
from nodia_tools.gpu_check.parts import PARTS

FORMAT, FORMAT_VERSION = "nodia_gpu_check", 1
BUDGET_S = 540
MOST_ROWS = 2000  # that are kept of one check
# Of what is left of the budget, to a part before others; of the part, to a check before others:
# what hangs leaves time for what follows.
SHARE_OF_PART, SHARE_OF_CHECK = 2 / 3, 1 / 2


class Clock:
    """The budget. The end lies before the budget's by what starting, killing and writing take."""

    def __init__(self, budget_s):
        self.started = time.monotonic()
        reserve_s = min(4.0, 0.25 * budget_s)
        self.grace_s = reserve_s / 4
        self.end = self.started + budget_s - reserve_s

    def left_s(self):
        return self.end - time.monotonic()


class Place:
    """The programs and scenarios of a built tree or of an unpacked bundle."""

    def __init__(self, root, clock):
        self.root, self.clock = Path(root), clock
        build = Path(os.environ.get("NODIA_BUILD_DIR") or self.root / "build/release")
        bundled = (self.root / "bin/nodia").exists()
        self.nodia = self.root / "bin/nodia" if bundled else build / "bin/nodia"
        if "NODIA_BINARY" in os.environ:
            self.nodia = Path(os.environ["NODIA_BINARY"])
        tests = self.root / "bin" if bundled else build / "tests"
        self.tests = sorted(p for p in tests.glob("test_*") if p.is_file() and os.access(p, os.X_OK))
        self.scenarios = sorted(self.root.glob("scenarios/*/*.yaml"))
        if not self.nodia.exists():
            raise InputError(f"{self.nodia} is missing (run tools/build.sh, or unpack a bundle)")

    def run(self, *words, seconds, **more):
        """bounded_process.run_bounded, inside the budget."""
        environment = os.environ | {"NODIA_SOURCE_DIR": str(self.root)}
        seconds = min(seconds, self.clock.left_s())
        grace_s = self.clock.grace_s
        return run_bounded(words, seconds, grace_s=grace_s, environment=environment, **more)

    def info(self):
        done = self.run(self.nodia, "info", "--json", seconds=60)
        try:
            info = json.loads(done.stdout) if done.returncode == 0 else None
        except ValueError:
            info = None
        if not isinstance(info, dict) or "devices" not in info:
            words = last_line(done.stderr) or f"info --json ended with {done.returncode}"
            raise InputError(f"{self.nodia} does not run here ({words})")
        return info

    def driver(self):
        """Name and driver version of every GPU, as nvidia-smi says; empty where it is missing."""
        query = ["nvidia-smi", "--query-gpu=name,driver_version", "--format=csv,noheader"]
        try:
            done = self.run(*query, seconds=20)
        except OSError:
            return []
        return done.stdout.strip().splitlines() if done.returncode == 0 else []


class Report:
    """The JSON file: rewritten as a whole after every row, so that it is complete at any time."""

    def __init__(self, path, head):
        self.path, self.head = path, head
        self.calls, self.entries = [], {}
        if path.exists():
            self._load()

    def _load(self):
        """What an earlier call found here, which must have been about the same."""
        try:
            written = ("format", "format_version")
            old = json.loads(self.path.read_text(encoding="utf-8"))
            require_format(self.path, old, FORMAT, FORMAT_VERSION)
            self.calls = list(old["calls"])
            self.entries = {entry["part"]: dict(entry) for entry in old["parts"]}
            known = {name: self.head[name] if name in written else old[name] for name in self.head}
        except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
            raise InputError(
                f"{self.path} exists and is not a report of gpu_check (must be one, or a new file)"
            ) from None
        for name in ("gpu", "commit", "version", "quick"):
            if known[name] != self.head[name]:
                raise InputError(
                    f"{self.path} is of {name} = {known[name]}, not {self.head[name]} (must be the "
                    "same, or a new file)"
                )
        self.head = known

    def rows(self, name):
        return self.entries.get(name, {}).get("rows", [])

    def is_done(self, name):
        entry = self.entries.get(name, {})
        return entry.get("status", NOT_RUN) not in (NOT_RUN, UNFINISHED)

    def put(self, name, outcome):
        """Takes a check's outcome; rows that it brings nothing for are kept."""
        rows = outcome.get("rows") or self.rows(name)
        self.entries[name] = {"part": name, **outcome, **({"rows": rows} if rows else {})}
        self.write()

    def add_row(self, name, row, key):
        """Keeps a row of a check that goes on, in place of an earlier one with the same key."""
        rows = [old for old in self.rows(name) if key(old) != key(row)]
        if len(rows) < MOST_ROWS:
            self.put(name, {**result(UNFINISHED, "it goes on, or was ended"), "rows": [*rows, row]})

    def write(self):
        whole = {**self.head, "calls": self.calls, "parts": list(self.entries.values())}
        beside = self.path.with_name(self.path.name + ".part")
        beside.write_text(json.dumps(whole, indent=2) + "\n", encoding="utf-8")
        os.replace(beside, self.path)


def run_check(check, report, limit_s):
    """The outcome of one check; what it raises is its failure."""
    started = time.monotonic()
    try:
        outcome = check.run(
            limit_s, report.rows(check.name), lambda row: report.add_row(check.name, row, check.key)
        )
    except Exception as error:  # the other checks must still run
        outcome = result(FAIL, f"{type(error).__name__}: {error}")
    return {**outcome, "seconds": round(time.monotonic() - started, 2)}


def run_part(checks, report, clock, part_end):
    for k, check in enumerate(checks):
        left_s = min(part_end - time.monotonic(), clock.left_s())
        share = 1 if k + 1 == len(checks) else SHARE_OF_CHECK
        if left_s >= check.least_s:
            limit_s = min(check.limit_s, max(check.least_s, share * left_s))
            report.put(check.name, run_check(check, report, limit_s))
        elif not report.rows(check.name):
            report.put(check.name, {**result(NOT_RUN, "not run: out of time"), "seconds": 0})
        _print(report.entries[check.name])


def run_parts(parts, place, options, report, clock):
    """All checks of the parts that have no outcome yet; the names of all of them."""
    names = []
    for k, part in enumerate(parts):
        checks = list(part.checks(place, options))
        names += [check.name for check in checks]
        share = 1 if k + 1 == len(parts) else SHARE_OF_PART
        part_end = time.monotonic() + min(part.limit_s, share * max(clock.left_s(), 0))
        run_part([c for c in checks if not report.is_done(c.name)], report, clock, part_end)
    return names


def _print(entry):
    rows = f" ({len(entry['rows'])} rows)" if entry.get("rows") else ""
    words = f"{entry['status']:<10} {entry['part']}{rows}"
    print(words + (f": {entry['reason']}" if entry["reason"] else ""), flush=True)


def chosen_parts(words):
    if words is None:
        return list(PARTS.values())
    names = list(dict.fromkeys(words.split(",")))
    for name in names:
        if name not in PARTS:
            raise InputError(f"--parts = {name} (must be one or more of {', '.join(PARTS)})")
    return [PARTS[name] for name in names]


def _check(options):
    clock = Clock(options.budget)
    path = Path(options.out)
    if path.suffix != ".json" or not path.absolute().parent.is_dir():
        raise InputError(f"{path} (must end in .json and lie in a directory that exists)")
    parts = chosen_parts(options.parts)
    place = Place(options.root, clock)
    info = place.info()
    if not info["devices"]:
        raise InputError(info["no_device_because"])
    now = datetime.datetime.now(datetime.timezone.utc).isoformat(timespec="seconds")
    head = {
        "format": FORMAT,
        "format_version": FORMAT_VERSION,
        "gpu": info["devices"],
        "driver": place.driver(),
        "date": now,
        "version": info["version"],
        "commit": info["commit"],
        "compiler": info["compiler"],
        "machine": info["machine"],
        "quick": options.quick,
    }
    report = Report(path, head)
    report.calls.append({"date": now, "parts": [p.name for p in parts], "budget_s": options.budget})
    report.write()
    names = run_parts(parts, place, options, report, clock)
    entries = [report.entries[name] for name in names]
    failed = [e for e in entries if e["status"] == FAIL or e.get("failed")]
    missing = [e for e in entries if e["status"] in (NOT_RUN, UNFINISHED)]
    print(f"{len(entries)} checks, {len(failed)} failed, {len(missing)} not done; {path}")
    return 1 if failed else 3 if missing else 0


def _seconds(text):
    value = float(text)
    if not (math.isfinite(value) and value >= 5):
        raise ValueError
    return value


def main():
    # A call that is ended from outside ends what it started, like one that is interrupted.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    parser = ArgumentParser(prog="gpu_check", description=__doc__)
    parser.add_argument("out", metavar="OUT.json", nargs="?", default="gpu_check.json")
    parser.add_argument("--root", required=True, help="the built tree or the unpacked bundle")
    parser.add_argument("--parts", metavar="A,B", help=f"some of {','.join(PARTS)}; without it all")
    parser.add_argument(
        "--budget",
        metavar="S",
        type=_seconds,
        default=BUDGET_S,
        help=f"seconds that the call may take, 5 or more; without it {BUDGET_S}",
    )
    parser.add_argument("--quick", action="store_true", help="fewer steps and sizes")
    options = parser.parse_args()
    return exit_code_of("gpu_check", lambda: _check(options))
