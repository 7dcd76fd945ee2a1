#!/usr/bin/env python3
"""Writes the table of docs/results/README.md from the files of tools/bench/results.

Usage: tools/result_numbers.py [--check]    --check changes nothing; exit code 1 if the page differs from the files
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
PAGE = Path("docs/results/README.md")
DATE = re.compile(r"\d{4}-\d{2}-\d{2}")
BEGIN, END = "<!-- numbers: tools/result_numbers.py -->", "<!-- end of numbers -->"


class NumbersError(Exception):
    """Error: a results file, a row or a marker is missing, or the page differs from the results."""


def results(pattern):
    """Returns the result files that match a pattern, the newest first, by the date in their names."""
    found = sorted(
        (ROOT / RESULTS).glob(pattern),
        key=lambda path: DATE.search(path.name).group(),
        reverse=True,
    )
    if not found:
        raise NumbersError(f"{RESULTS}/{pattern} (must exist: {PAGE} shows a number from it)")
    return found


def newest(pattern, number):
    """Returns the first number(path) that is not None, and its file. A newer file may not have the row."""
    for path in results(pattern):
        value = number(path)
        if value is not None:
            return value, path
    raise NumbersError(f"{RESULTS}/{pattern} (must hold the row of {number.__name__})")


def bench_row(path, **wanted):
    """Returns the row of a table of `nodia bench` with these values, or None."""
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
    """Returns the step time of the largest mat of `nodia scale` at equal true error, and its growth with the size."""
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
    """Returns COND's time at equal true error, and the relative time of PGS with both Delassus factorisations."""
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
    """Returns the numbers of problems whose error is at most the tolerance."""
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
    """Returns the marked block of the page: the table, and links to the result files."""
    table, files = ["| what | measured | on |", "|---|---|---|"], []
    for pattern, number in NUMBERS:
        (what, measured), path = newest(pattern, number)
        date = DATE.search(path.name).group()
        if path.name not in files:
            files.append(path.name)
        table.append(f"| {what} | {measured} | [{date}][{files.index(path.name) + 1}] |")
    up = "/".join([".."] * len(PAGE.parent.parts))
    links = [f"[{k}]: {up}/{RESULTS / name}" for k, name in enumerate(files, 1)]
    return "\n".join([BEGIN, *table, "", *links, END])


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true", help=f"change nothing, fail if {PAGE} differs")
    check = parser.parse_args().check
    page = ROOT / PAGE
    before = page.read_text(encoding="utf-8")
    if before.count(BEGIN) != 1 or before.count(END) != 1:
        raise NumbersError(f"{PAGE} (must contain {BEGIN} and {END} once each)")
    head, rest = before.split(BEGIN)
    after = head + block() + rest.split(END)[1]
    if not check:
        page.write_text(after, encoding="utf-8")
    elif after != before:
        difference = difflib.unified_diff(before.splitlines(), after.splitlines(), str(PAGE), "results", n=0)
        raise NumbersError("\n".join([f"{PAGE} differs from the results (run tools/result_numbers.py)", *difference]))


if __name__ == "__main__":
    try:
        main()
    except NumbersError as error:
        sys.exit(f"result_numbers: {error}")
