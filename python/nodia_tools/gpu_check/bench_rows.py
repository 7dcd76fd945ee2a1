"""Calls `nodia bench` on the GPU and stores each measurement as soon as it is printed."""

import functools
import json

from nodia_tools.gpu_check.check import FAIL, PASS, SKIPPED, Check, result, wrong_end

SIZES = (1500, 34000)
LARGE = 1500000
BATCHES = ((64, 1500), (1024, 1500), (4096, 1500), (16384, 375))  # environments, nodes of each environment


def run_bench(programs, words, seconds, keep):
    """Stores the rows of --json-lines. The last line must state that the bench is complete."""
    skipped, strange, ended = [], [], []

    def read_line(text):
        try:
            kind, content = next(iter(json.loads(text).items()))
        except (ValueError, AttributeError, StopIteration, RecursionError):
            kind = content = None
        if kind == "row" and isinstance(content, dict):
            keep(content)
        elif kind == "skip" and isinstance(content, dict):
            skipped.append(str(content.get("reason")))
        elif kind == "end":
            ended.append(content)
        elif kind != "where":
            strange.append(text[:200])

    done = programs.run(programs.nodia, "bench", "--json-lines", *words, seconds=seconds, on_line=read_line)
    if strange:
        return result(FAIL, f"printed a line that is not a row: {strange[0]!r}")
    if skipped:
        return result(SKIPPED, "; ".join(skipped))
    return wrong_end(done) or (result(PASS) if ended else result(FAIL, "ended before its last line"))


def bench_check(programs, name, *words):
    return Check(name, functools.partial(run_bench, programs, words))


def bench_words(nodes, precision, case):
    return ["--backend", "cuda", "--precision", precision, "--nodes", nodes, "--cases", case]


def times(programs):
    for nodes in SIZES:
        for precision in ("float", "double"):
            for case in ("iteration", "step"):
                words = bench_words(nodes, precision, case)
                yield bench_check(programs, f"{case}/{nodes}/{precision}", *words)
    for case in ("step", "iteration"):
        words = [*bench_words(LARGE, "float", case), "--rounds", 3, "--steps", 2]
        yield bench_check(programs, f"{case}/{LARGE}/float", *words)


def batches(programs):
    for envs, nodes in BATCHES:
        words = [*bench_words(nodes, "float", "batch_step"), "--envs", envs, "--steps", 3]
        yield bench_check(programs, f"{envs}x{nodes}/float", *words, "--batch-nodes", 2 * envs * nodes)
