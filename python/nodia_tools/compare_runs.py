"""Two runs of one scenario, step by step and node by node: are they the same motion?"""

import csv
import math
from pathlib import Path

from nodia_tools.command_line import InputError

# Equal, not nearly: what is counted.
COUNTED = ("env", "step", "n_contact", "n_stick", "n_slip", "iterations")
# Relative to the largest magnitude in the column over both runs.
MEASURED = ("time_s", "kinetic_energy_J", "potential_energy_J")
# Fields of the trajectory, relative to the largest magnitude over both runs.
FIELDS = ("velocity", "contact_force")


def read_steps(directory):
    """Rows of steps.csv as dictionaries of words."""
    path = Path(directory) / "steps.csv"
    try:
        with open(path, newline="", encoding="utf-8") as file:
            return list(csv.DictReader(file))
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise InputError(f"{path}: cannot be read as CSV ({error})") from None


def _largest_difference(pairs):
    """max |a - b| / max(|a|, |b|) over the pairs; 0 where all are zero, NaN where one is."""
    pairs = list(pairs)
    if any(math.isnan(a) or math.isnan(b) for a, b in pairs):
        return math.nan
    scale = max((max(abs(a), abs(b)) for a, b in pairs), default=0)
    return max(abs(a - b) for a, b in pairs) / scale if scale > 0 else 0.0


def compare_steps(first, second):
    """({column: largest relative difference}, reason why the runs differ or "")."""
    if len(first) != len(second) or not first:
        return {}, f"{len(first)} and {len(second)} rows in steps.csv"
    for a, b in zip(first, second):
        for name in COUNTED:
            if a[name] != b[name]:
                return {}, f"step {a['step']}: {name} = {a[name]} and {b[name]}"
    return {
        name: _largest_difference((float(a[name]), float(b[name])) for a, b in zip(first, second))
        for name in MEASURED
    }, ""


def compare_trajectories(first, second):
    """({quantity: largest relative difference}, reason why the runs differ or "").

    Positions are relative to the largest extent of the body.
    """
    import numpy as np  # steps can be compared without NumPy and h5py

    from nodia_tools.trajectory import open_trajectory

    runs = [open_trajectory(directory) for directory in (first, second)]
    if len(runs[0]) != len(runs[1]):
        return {}, f"{len(runs[0])} and {len(runs[1])} frames in the trajectories"
    largest = dict.fromkeys(("position", *FIELDS), 0.0)
    difference = dict(largest)
    for frame in range(len(runs[0])):
        points = [run.points(frame) for run in runs]
        values = {"position": points}
        values |= {name: [run.point_field(name, frame) for run in runs] for name in FIELDS}
        for name, (a, b) in values.items():
            if a.shape != b.shape:
                return {}, f"frame {frame}: {name} has {a.shape} and {b.shape} values"
            if a.size == 0:
                continue
            scale = np.ptp(a, axis=0) if name == "position" else np.abs(np.stack([a, b]))
            largest[name] = np.maximum(largest[name], scale.max(initial=0))
            difference[name] = np.maximum(difference[name], np.abs(a - b).max(initial=0))
    return {
        name: float(difference[name] / largest[name]) if largest[name] > 0 else 0.0
        for name in largest
    }, ""


def compare_runs(first, second, tolerance):
    """What the two run directories differ in, and the verdict.

    @return {"status": "pass" or "fail", "reason": ..., "differences": {...}, "steps": ...}; what
        is not a number is None there; trajectories are left out, with the reason, where NumPy or
        h5py are missing
    """
    steps = read_steps(first)
    differences, reason = compare_steps(steps, read_steps(second))
    not_compared = ""
    if not reason:
        try:
            more, reason = compare_trajectories(first, second)
            differences |= more
        except ImportError as error:
            not_compared = f"trajectories not compared: {error}"
    beyond = [name for name, value in differences.items() if not value <= tolerance]
    if beyond and not reason:
        worst = beyond[0]
        reason = f"{worst} differs by {differences[worst]:.3g} (must be at most {tolerance:g})"
    return {
        "status": "fail" if reason else "pass",
        "reason": reason or not_compared,
        "differences": {k: None if math.isnan(v) else v for k, v in differences.items()},
        "steps": len(steps),
    }
