"""Runs the checks of a GPU within a time budget and writes their outcomes to a JSON file."""

import datetime
import math
import signal
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from nodia_tools.command_line import ArgumentParser, InputError, exit_code_of
from nodia_tools.gpu_check.check import FAIL, NOT_RUN, UNFINISHED, result
from nodia_tools.gpu_check.parts import FIRST_CALL, PARTS
from nodia_tools.gpu_check.programs import Clock, Programs
from nodia_tools.gpu_check.report import Report

FORMAT, FORMAT_VERSION = "nodia_gpu_check", 2
BUDGET_S = 240
LEAST_SHARE = 0.001  # least share of the budget; a check with less remaining time is not started


def part_seconds(parts, left_s):
    """Time of the first part [s], its share of the remaining time. Unused time goes to the following parts."""
    return left_s * parts[0].weight / sum(part.weight for part in parts)


def run_part(part, checks, programs, report, seconds):
    """Runs the checks of a part and stores one row for each."""
    part_end = time.monotonic() + seconds

    def run_check(k):
        started = time.monotonic()
        left_s = min(part_end - started, programs.clock.left_s())
        if left_s < LEAST_SHARE * programs.clock.budget_s:
            outcome = result(NOT_RUN, "out of time")
        else:
            is_last = k + 1 == len(checks)
            outcome = outcome_of(part, checks[k], report, left_s if is_last else min(left_s, part.share * seconds))
        outcome |= {"seconds": round(time.monotonic() - started, 2)}
        report.put(part.name, checks[k].name, outcome)
        print(line_of(report.rows[part.name, checks[k].name]), flush=True)

    with ThreadPoolExecutor(part.workers) as pool:
        try:
            for future in [pool.submit(run_check, k) for k in range(len(checks))]:
                future.result()
        except KeyboardInterrupt:
            programs.clock.stop()
            raise


def outcome_of(part, check, report, limit_s):
    """Runs a check. An exception becomes a failure of this check only."""
    measured = []

    def keep(row):
        measured.append(row)
        report.put(part.name, check.name, {**result(UNFINISHED, "its program has not ended"), "measured": measured})

    try:
        outcome = check.run(limit_s, keep)
    except Exception as error:  # the other checks must still run
        outcome = result(FAIL, f"{type(error).__name__}: {error}")
    return {**outcome, "measured": measured}


def line_of(row):
    measured = f" ({len(row['measured'])} measured)" if row["measured"] else ""
    return f"{row['status']:<10} {row['part']}/{row['name']}{measured}" + (f": {row['reason']}" if row["reason"] else "")


def chosen_parts(words):
    names = list(dict.fromkeys(words.split(",")))
    for name in names:
        if name not in PARTS:
            raise InputError(f"--parts = {name} (must be one or more of {', '.join(PARTS)})")
    return [PARTS[name] for name in names]


def check_gpu(options):
    clock = Clock(options.budget)
    path = Path(options.out)
    if path.suffix != ".json" or not path.absolute().parent.is_dir():
        raise InputError(f"{path} (must end in .json and lie in a directory that exists)")
    if path.exists():
        raise InputError(f"{path} exists (name a new file)")
    parts = chosen_parts(options.parts)
    programs = Programs(options.root, clock)
    info = programs.info()
    if not info["devices"]:
        raise InputError(info["no_device_because"])
    head = {
        "format": FORMAT,
        "format_version": FORMAT_VERSION,
        "gpu": info["devices"],
        "driver": programs.driver(),
        "date": datetime.datetime.now(datetime.timezone.utc).isoformat(timespec="seconds"),
        **{name: info[name] for name in ("version", "commit", "compiler", "machine")},
        "parts": [part.name for part in parts],
        "budget_s": options.budget,
    }
    report = Report(path, head)
    checks = {part.name: list(part.checks(programs)) for part in parts}
    for part in parts:
        for check in checks[part.name]:
            report.put(part.name, check.name, result(NOT_RUN, "the call ended before"))
    for k, part in enumerate(parts):
        run_part(part, checks[part.name], programs, report, part_seconds(parts[k:], clock.left_s()))
    status = [row["status"] for row in report.rows.values()]
    n_missing = status.count(NOT_RUN) + status.count(UNFINISHED)
    print(f"{len(status)} rows, {status.count(FAIL)} failed, {n_missing} not finished; {path}")
    return 1 if FAIL in status else 3 if n_missing else 0


def budget_of(text):
    value = float(text)
    if not (math.isfinite(value) and value >= 5):
        raise ValueError
    return value


def main():
    # SIGTERM ends the call like Ctrl-C, together with all programs that it started.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    parser = ArgumentParser(prog="gpu_check", description=__doc__)
    parser.add_argument("out", metavar="OUT.json", nargs="?", default="gpu_check.json")
    parser.add_argument("--root", required=True, help="the built tree or the unpacked bundle")
    parser.add_argument("--parts", metavar="A,B", default=",".join(FIRST_CALL), help=f"some of {','.join(PARTS)}")
    parser.add_argument(
        "--budget", metavar="S", type=budget_of, default=BUDGET_S, help="time limit of the call [s], at least 5"
    )
    options = parser.parse_args()
    return exit_code_of("gpu_check", lambda: check_gpu(options))
