"""Rows of `nodia bench` on the device."""

import functools
import json

from nodia_tools.gpu_check.check import FAIL, PASS, Check, failed, result, unfinished

ROW_KEY = ("case", "backend", "n_node", "n_env", "precision", "threads", "stop", "probe")


def row_key(row):
    return tuple(row.get(name) for name in ROW_KEY)


def run_bench(place, words, limit_s, _, keep):
    """Every line of --json-lines that is a row, as it comes; the last one says that all came."""
    known, strange, ended, refused = {}, [], [], []

    def line(text):
        try:
            value = json.loads(text)
            kind, content = next(iter(value.items()))
        except (ValueError, AttributeError, StopIteration, RecursionError):
            strange.append(text[:200])
            return
        if kind == "row" and isinstance(content, dict):
            keep(content)
            if content.get("status") == "failed":
                refused.append(f"{content.get('probe')}: {content.get('reason')}")
        elif kind == "where":
            known["where"] = content
        elif kind == "skip":
            known.setdefault("not_measured", []).append(content)
        elif kind == "end":
            ended.append(content)
        else:
            strange.append(text[:200])

    words = [place.nodia, "bench", "--json-lines", *words]
    done = place.run(*words, seconds=limit_s, on_line=line)
    if strange:
        known["strange"] = strange[:10]
    if done.returncode is None:
        return {**unfinished(done), **known}
    if refused:
        return result(FAIL, "; ".join(refused), **known)
    if done.returncode != 0:
        return {**failed(done), **known}
    if strange:
        return result(FAIL, f"printed what is no row: {strange[0]!r}", **known)
    if not ended:
        return result(FAIL, "ended before its last line", **known)
    return result(PASS, **known)


def bench_check(place, name, *words, **times):
    run = functools.partial(run_bench, place, words)
    return Check(name, run, **times, key=row_key)


def probes(place, _):
    yield bench_check(place, "probes", "--probes", limit_s=60)


def bench_words(nodes, precision, cases):
    return ["--backend", "cuda", "--precision", precision, "--nodes", nodes, "--cases", cases]


def benchmark(place, options):
    """Loop, whole steps, and products beside the library's."""
    sizes = (1500, 6000) if options.quick else (1500, 15000, 34000, 150000)
    more = ["--quick"] if options.quick else []
    for nodes in sizes:
        for precision in ("float", "mixed", "double"):
            words = bench_words(nodes, precision, "iteration,product,step")
            name = f"benchmark/{nodes}/{precision}"
            yield bench_check(place, name, *words, *more, limit_s=120, least_s=2)


def large(place, _):
    for precision in ("mixed", "float", "double"):
        words = bench_words(1500000, precision, "iteration,product,step")
        words += ["--rounds", 3, "--steps", 2]
        name = f"large/1500000/{precision}"
        yield bench_check(place, name, *words, limit_s=260, least_s=60)


def batches(place, options):
    """A batch that memory does not hold is a row that says so."""
    shapes = [(64, 1500)]
    if not options.quick:
        shapes += [(1024, 1500), (4096, 1500), (16384, 375)]
    for envs, nodes in shapes:
        for precision in ("mixed", "float"):
            words = bench_words(nodes, precision, "batch_step")
            words += ["--envs", envs, "--steps", 3, "--batch-nodes", 2 * envs * nodes]
            name = f"batches/{envs}x{nodes}/{precision}"
            yield bench_check(place, name, *words, limit_s=150, least_s=10)
