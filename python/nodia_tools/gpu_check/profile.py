"""Nsight Compute on the kernels of an iteration and of a test: where their time goes."""

import csv
import functools
from pathlib import Path

from nodia_tools.gpu_check.check import FAIL, PASS, SKIPPED, Check, failed, last_words, result, unfinished
from nodia_tools.gpu_check.find_tool import find_tool

WAITS = (
    "long_scoreboard",
    "short_scoreboard",
    "barrier",
    "membar",
    "wait",
    "branch_resolving",
    "no_instruction",
    "lg_throttle",
    "math_pipe_throttle",
)
# Of a kernel: its time [ns] and cycles, the bytes that it moves, and what its warps wait for, cycles an instruction.
METRICS = (
    "gpu__time_duration.sum",
    "sm__cycles_elapsed.max",
    "dram__bytes_read.sum",
    "dram__bytes_write.sum",
    "lts__t_bytes.sum",
    "sm__warps_active.avg.pct_of_peak_sustained_active",
    "smsp__inst_executed.sum",
    "smsp__inst_executed.max",
    "launch__grid_size",
    "launch__registers_per_thread",
    *(f"smsp__average_warps_issue_stalled_{wait}_per_issue_active.ratio" for wait in WAITS),
)
KERNELS = "regex:phase_kernel|deciding_kernel|ending_kernel"
SKIPPED_LAUNCHES = 100  # of those kernels: past the start of a loop
PROFILED_LAUNCHES = 22  # two bodies of a loop in one pass


def profile(place, options):
    folders = sorted(Path("/opt/nvidia/nsight-compute").glob("*"), reverse=True)
    tool = find_tool("ncu", *map(str, folders))
    if tool is None:
        reason = "Nsight Compute (ncu) is not on this machine"
        yield Check("profile", lambda *_: result(SKIPPED, reason), 1)
        return
    cases = [(1500, "float"), (1500, "double")]
    cases += [] if options.quick else [(34000, "float"), (1500000, "float"), (1500000, "mixed")]
    for nodes, precision in cases:
        run = functools.partial(run_profile, place, tool, nodes, precision)
        yield Check(f"profile/{nodes}/{precision}", run, 100, least_s=5, key=lambda row: row["kernel"])


def run_profile(place, tool, nodes, precision, limit_s, _, keep):
    """A row a kernel: the means of its launches in METRICS.

    Clocks stay as they are; loops are launches, which the tool sees one by one.
    """
    words = [tool, "--csv", "--page", "raw", "--print-units", "base", "--clock-control", "none"]
    words += ["--metrics", ",".join(METRICS), "--kernel-name", KERNELS]
    words += ["--launch-skip", SKIPPED_LAUNCHES, "--launch-count", PROFILED_LAUNCHES]
    words += [place.nodia, "bench", "--json-lines", "--backend", "cuda", "--loop", "launches"]
    words += ["--precision", precision, "--nodes", nodes, "--cases", "iteration", "--rounds", 1]
    lines = []
    done = place.run(*words, seconds=limit_s, on_line=lines.append)
    if done.returncode is None:
        return unfinished(done)
    if done.returncode != 0:
        return failed(done)
    rows = rows_of(lines)
    if not rows:
        return result(FAIL, f"told of no kernel ({last_words(done)})")
    for row in rows:
        keep(row)
    return result(PASS)


def rows_of(lines):
    """Of the tool's table, which stands among what the program prints."""
    begin = next((k for k, line in enumerate(lines) if line.startswith('"ID",')), None)
    if begin is None:
        return []
    launches = {}
    table = [line for line in lines[begin:] if line.startswith('"')]
    for row in csv.DictReader(table):
        if row["ID"].isdigit():  # the first row has the units
            launches.setdefault(row["Kernel Name"], []).append(row)
    return [
        {"kernel": name, "launches": len(rows), **{metric: mean_of(rows, metric) for metric in METRICS}}
        for name, rows in launches.items()
    ]


def mean_of(rows, metric):
    """None where the tool does not know the metric."""
    try:
        return sum(float(row[metric].replace(",", "")) for row in rows) / len(rows)
    except (KeyError, TypeError, ValueError, AttributeError):
        return None
