"""Values of a scenario: every scalar is a word until it is read, because 1e5 is no number in YAML 1.1."""

import numpy as np
import yaml

from campaign.poses import between


def load(text):
    return yaml.load(text, Loader=yaml.BaseLoader)


def number(entry, key, default=None):
    value = entry.get(key, default)
    return default if value is None or value == "" else float(value)


def vector(entry, key, default=(0.0, 0.0, 0.0)):
    return np.array([float(x) for x in entry.get(key, default)])


def flag(entry, key, default=False):
    return {"true": True, "false": False}[str(entry.get(key, default)).lower()]


def path_pose(entry, time_s):
    """Pose (position, quaternion) of a frame along its `path` of keyframes at a time."""
    position, wxyz = vector(entry, "position_m"), vector(entry, "orientation_wxyz", (1, 0, 0, 0))
    keys = []
    for key in entry.get("path") or []:
        position = vector(key, "position_m", position)
        wxyz = vector(key, "orientation_wxyz", wxyz)
        keys.append((float(key["time_s"]), (position, wxyz / np.linalg.norm(wxyz))))
    if not keys:
        return position, wxyz / np.linalg.norm(wxyz)
    if time_s <= keys[0][0]:
        return keys[0][1]
    for (t0, start), (t1, end) in zip(keys, keys[1:], strict=False):
        if time_s <= t1:
            s = (time_s - t0) / (t1 - t0)
            if entry.get("ease", "minimum_jerk") == "minimum_jerk":
                s = s**3 * (10 - 15 * s + 6 * s * s)
            return between(start, end, s)
    return keys[-1][1]
