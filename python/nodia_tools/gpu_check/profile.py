"""Profiles the ten most expensive kernels of a step with Nsight Compute: times, traffic, and stall reasons of warps."""

import csv
import functools
from pathlib import Path

from nodia_tools.gpu_check.bench_rows import LARGE, SIZES, bench_words
from nodia_tools.gpu_check.check import FAIL, PASS, SKIPPED, Check, last_line, result, wrong_end
from nodia_tools.gpu_check.programs import find_tool

TIME = "gpu__time_duration.sum"
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
# Time [ns] and cycles of a launch, its memory traffic [byte], occupancy, and the stall cycles of a warp per instruction by reason.
METRICS = (
    TIME,
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
PROFILED_LAUNCHES = 200  # bounds the time; a step of 1500 nodes has about 170 launches, and ncu takes 0.16 s per launch
KERNELS = 10


def profile(programs):
    folders = sorted(Path("/opt/nvidia/nsight-compute").glob("*"), reverse=True)
    tool = find_tool("ncu", *map(str, folders))
    for nodes in (*SIZES, LARGE):
        yield Check(f"{nodes}/float", functools.partial(run_profile, programs, tool, nodes))


def run_profile(programs, tool, nodes, seconds, keep):
    """Stores the mean METRICS of the KERNELS most expensive kernels.

    ncu does not change the clocks. --loop launches makes every kernel visible to ncu.
    """
    if tool is None:
        return result(SKIPPED, "Nsight Compute (ncu) is not installed")
    words = [tool, "--csv", "--page", "raw", "--print-units", "base", "--clock-control", "none"]
    words += ["--metrics", ",".join(METRICS), "--profile-from-start", "off", "--launch-count", PROFILED_LAUNCHES, programs.nodia, "bench"]
    words += [*bench_words(nodes, "float", "step"), "--json-lines", "--loop", "launches", "--steps", 1]
    lines = []
    done = programs.run(*words, seconds=seconds, on_line=lines.append)
    wrong = wrong_end(done)
    if wrong:
        return wrong
    kernels = kernels_of(lines)
    for kernel in kernels[:KERNELS]:
        keep(kernel)
    return result(PASS) if kernels else result(FAIL, f"no kernel was profiled ({last_line(done.stdout)})")


def kernels_of(lines):
    """Kernels in ncu's table, the most expensive first. The table is mixed with the output lines of the program."""
    begin = next((k for k, line in enumerate(lines) if line.startswith('"ID",')), len(lines))
    launches = {}
    for row in csv.DictReader(line for line in lines[begin:] if line.startswith('"')):
        if row["ID"].isdigit():  # skips the row with the units
            launches.setdefault(row["Kernel Name"], []).append(row)
    kernels = [
        {"kernel": name, "launches": len(rows), **{metric: mean_of(rows, metric) for metric in METRICS}}
        for name, rows in launches.items()
    ]
    total_ns = sum(kernel["launches"] * (kernel[TIME] or 0) for kernel in kernels)
    for kernel in kernels:
        kernel["share_of_time"] = kernel["launches"] * (kernel[TIME] or 0) / total_ns if total_ns else None
    return sorted(kernels, key=lambda kernel: -(kernel["share_of_time"] or 0))


def mean_of(rows, metric):
    """Mean of a metric over the launches. None if the tool does not know the metric."""
    try:
        return sum(float(row[metric].replace(",", "")) for row in rows) / len(rows)
    except (KeyError, TypeError, ValueError, AttributeError):
        return None
