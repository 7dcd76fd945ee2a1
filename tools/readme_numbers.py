#!/usr/bin/env python3
"""The measured numbers of README.md, written from the files of tools/bench/results.

Usage: tools/readme_numbers.py [--check]    --check changes nothing and fails where README.md says otherwise
"""

import argparse
import csv
import difflib
import math
import re
import statistics
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
RESULTS = Path("tools/bench/results")
DATE = re.compile(r"\d{4}-\d{2}-\d{2}")
BEGIN, END = "<!-- numbers: tools/readme_numbers.py -->", "<!-- end of numbers -->"


class NumbersError(Exception):
    """What is missing, in words."""


def results(pattern):
    """Dated files of results, newest first. The date is that of the measurement, a part of the name."""
    found = sorted(
        (ROOT / RESULTS).glob(pattern),
        key=lambda path: DATE.search(path.name).group(),
        reverse=True,
    )
    if not found:
        raise NumbersError(f"{RESULTS}/{pattern} (must be there: README.md names a number of it)")
    return found


def newest(pattern, number):
    """The first number(path) that is not None, and its file: newer files may lack the row."""
    for path in results(pattern):
        value = number(path)
        if value is not None:
            return value, path
    raise NumbersError(f"{RESULTS}/{pattern} (must hold the row of {number.__name__})")


def bench_row(path, **wanted):
    """The row of a table of `nodia bench` with these values; None where there is none."""
    head = []
    for line in path.read_text(encoding="utf-8").splitlines():
        words = line.split()
        if words[:1] == ["case"]:
            head = line.replace("x read", "x_read").replace("step ms", "step_ms").split()
        elif words and not line.startswith("#"):
            row = dict(zip(head, words))
            if all(row[key] == value for key, value in wanted.items()):
                return row
    return None


def iteration_of_the_mat(path):
    row = bench_row(path, case="iteration", nodes="1504", **{"prec.": "double", "th.": "1"})
    if row:
        return (
            "an iteration of the mat (1504 nodes, one thread)",
            f"{float(row['us']):.0f} us, {float(row['/eigen']):.2f} of one product in Eigen",
        )
    return None


def batch_of_mats(path):
    row = bench_row(path, case="batch_step", nodes="1504", envs="64", **{"prec.": "double", "th.": "2"})
    if row:
        return (
            "64 mats on two cores (double)",
            f"{float(row['env-st./s']):.0f} steps/s, {float(row['speed-up']):.2f} times one by one",
        )
    return None


def largest_mat(path):
    """Of `nodia scale` at equal true error: a step of the largest mat, and how steps grow from 1500 nodes on."""
    with path.open(encoding="utf-8", newline="") as file:
        rows = [row for row in csv.DictReader(file) if row["rule"] != "own" and not row["left_out"]]
    total = {(row["solver"], int(row["n_node"])): float(row["total_ms"]) for row in rows if row["reached"] == "1"}
    sizes = sorted(n for solver, n in total if solver == "auto" and n >= 1000)
    if len(sizes) < 2 or ("cond", sizes[-1]) not in total:
        return None
    x, y = ([math.log(v) for v in values] for values in (sizes, [total["auto", n] for n in sizes]))
    exponent = statistics.linear_regression(x, y).slope
    largest = sizes[-1]
    own = total["auto", largest]
    return (
        f"a step of {largest:,} nodes, true error 1e-3 (AMD EPYC)",
        f"{own / 1000:.2f} s, COND {total['cond', largest] / own:.1f} times that; grows as n^{exponent:.2f}",
    )


def against_gauss_seidel(path):
    """At equal true error: COND's time, and PGS's over it with both ways to the Delassus operator."""
    times = {}
    for line in path.read_text(encoding="utf-8").splitlines():
        found = re.match(r"(cond|pgs) +(-|\w+, \w+ rhs) .*true error <= 0\.001 .* ([\d.]+)$", line)
        if found:
            before = line.split("true error <= 0.001")[1].split()
            times[found[1], found[2]] = (float(before[5]), float(found[3]))
    if len(times) == 3:
        dense, sparse = times["pgs", "simplicial, dense rhs"], times["pgs", "cholmod, sparse rhs"]
        return (
            "the mat's solve at a true error of 1e-3",
            f"{times['cond', '-'][0]:.1f} ms; PGS {sparse[1]:.0f} times that,"
            f" {dense[1]:.0f} as published",
        )
    return None


def siconos_collection(path):
    """Problems with an error of at most the tolerance."""
    with path.open(encoding="utf-8", newline="") as file:
        table = list(csv.DictReader(file))

    def solved(solver, kind):
        own = [row for row in table if row["solver"] == solver and row["kind"] in kind]
        good = [row for row in own if float(row["error_siconos"]) <= float(row["tolerance"])]
        return f"{len(good)} of {len(own)}"

    if not table:
        return None
    return (
        "problems of the Siconos collection to 1e-8",
        f"COND {solved('cond', ('global',))} global ones, PGS {solved('pgs', ('global', 'local'))}",
    )


NUMBERS = (
    ("bench_cpu_*.txt", iteration_of_the_mat),
    ("soft_mat_scale_*.csv", largest_mat),
    ("bench_cpu_*.txt", batch_of_mats),
    ("soft_mat_compare_cpu_*.txt", against_gauss_seidel),
    ("siconos_*.csv", siconos_collection),
)


def block():
    """The marked block of README.md: a table, and the files behind it."""
    table, files = ["| what | measured | on |", "|---|---|---|"], []
    for pattern, number in NUMBERS:
        (what, measured), path = newest(pattern, number)
        date = DATE.search(path.name).group()
        if path.name not in files:
            files.append(path.name)
        table.append(f"| {what} | {measured} | [{date}][{files.index(path.name) + 1}] |")
    links = [f"[{k}]: {RESULTS / name}" for k, name in enumerate(files, 1)]
    return "\n".join([BEGIN, *table, "", *links, END])


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true", help="change nothing, fail where README.md differs")
    check = parser.parse_args().check
    readme = ROOT / "README.md"
    before = readme.read_text(encoding="utf-8")
    if before.count(BEGIN) != 1 or before.count(END) != 1:
        raise NumbersError(f"README.md (must hold {BEGIN} and {END} once each)")
    head, rest = before.split(BEGIN)
    after = head + block() + rest.split(END)[1]
    if not check:
        readme.write_text(after, encoding="utf-8")
    elif after != before:
        lines = difflib.unified_diff(before.splitlines(), after.splitlines(), "README.md", "results", n=0)
        told = ["README.md differs from the results (run tools/readme_numbers.py)", *lines]
        raise NumbersError("\n".join(told))


if __name__ == "__main__":
    try:
        main()
    except NumbersError as error:
        sys.exit(f"readme_numbers: {error}")
