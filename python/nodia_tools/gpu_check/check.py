"""Defines checks and parts of gpu_check, and the outcomes of a check."""

from typing import Callable, NamedTuple

PASS, FAIL, SKIPPED = "pass", "fail", "skipped"
UNFINISHED, NOT_RUN = "unfinished", "not run"  # killed before its end; never started


class Check(NamedTuple):
    """One row of the report. run(seconds, keep) returns the outcome; keep(row) stores a measurement at once."""

    name: str
    run: Callable


class Part(NamedTuple):
    """Checks with their share of the budget.

    weight: share of the remaining budget, relative to the sum of the weights of this and the following parts
    share: share of the part's time that one check may take; the last check may take all remaining time
    workers: number of checks that run at the same time
    """

    name: str
    checks: Callable  # (Programs) -> the checks, in order
    weight: float
    share: float
    workers: int = 1


def result(status, reason="", **more):
    return {"status": status, "reason": reason, **more}


def last_line(text):
    lines = text.strip().splitlines()
    return lines[-1] if lines else ""


def wrong_end(done, what=""):
    """The outcome of a program that was killed, rejected the backend or failed. None if it succeeded."""
    if done.returncode is None:
        return result(UNFINISHED, f"{what}killed after {done.seconds:.1f} s")
    if done.returncode == 2 and "--backend" in done.stderr:
        return result(SKIPPED, last_line(done.stderr))
    if done.returncode != 0:
        words = last_line(done.stderr) or last_line(done.stdout)
        return result(FAIL, f"{what}ended with {done.returncode}: {words}")
    return None
