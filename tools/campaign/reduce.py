"""Reduces a failing scene: leaves out what does not matter, and ends it soon after the failure."""

import copy
from dataclasses import replace

from campaign.judged import failure_kinds, judged
from campaign.sampling.draw import rounded

GROUPS = ("bodies", "rigid_bodies", "compounds", "cables", "obstacles", "mounts", "attachments", "pushes")
OPTIONAL = (
    "friction", "restitution", "rayleigh_stiffness_s", "damping_s", "angular_velocity_rad_s", "velocity_m_s", "orientation_wxyz",
    "path", "force_sensors",
)  # fmt: skip
MOST_RUNS = 20


def reduced(scene, line, directory):
    """The smallest scene found that fails in the same way, and its line of results.

    @param line  the result of the scene
    """
    kept, wanted = (scene, line), set(failure_kinds(line))
    for runs, scenario in enumerate(_candidates(scene.scenario, line)):
        if runs == MOST_RUNS:
            break
        try:
            smaller = replace(scene, scenario=scenario(kept[0].scenario))
        except KeyError:
            continue  # an earlier candidate has removed what this one changes
        result = judged(smaller, line["index"], directory)
        if wanted & set(failure_kinds(result)):
            kept = smaller, result
    return kept


def _candidates(scenario, line):
    """Functions from a scenario to a smaller one, the largest steps first."""
    steps = [finding["step"] for finding in line["findings"]]
    if steps:
        yield lambda now: _shorter(now, max(steps) + 2)
    for group in GROUPS:
        for name in scenario.get(group, {}):
            yield lambda now, group=group, name=name: _without(now, group, name)
    for group in ("bodies", "rigid_bodies", "compounds", "cables", "obstacles", "robots"):
        for name, entry in scenario.get(group, {}).items():
            for key in OPTIONAL:
                if key in entry:
                    yield lambda now, group=group, name=name, key=key: _without_key(now, group, name, key)


def _shorter(scenario, n_step):
    time = scenario["time"]
    return {**scenario, "time": {**time, "duration_s": min(time["duration_s"], rounded(n_step * time["step_s"]))}}


def _without(scenario, group, name):
    """Without an object, and without what holds or pushes it."""
    smaller = copy.deepcopy(scenario)
    del smaller[group][name]
    for other in ("mounts", "attachments", "pushes"):
        entries = smaller.get(other, {})
        smaller[other] = {key: entry for key, entry in entries.items() if entry["body"] != name}
    return {key: value for key, value in smaller.items() if value != {}}


def _without_key(scenario, group, name, key):
    smaller = copy.deepcopy(scenario)
    del smaller[group][name][key]
    return smaller
