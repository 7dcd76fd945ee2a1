"""Spaces of Gymnasium for a task."""

import numpy as np
from gymnasium import spaces


def bounds_of(core):
    """Lower and upper bounds of the action's components in their units, (n,) each."""
    return np.array([[low, high] for _, _, low, high in core.action_space]).T


def action_space_of(core, normalized):
    """A float64 Box of the action's components, with their bounds or, if normalized, with [-1, 1]."""
    low, high = bounds_of(core)
    if normalized:
        low, high = -np.ones_like(low), np.ones_like(high)
    return spaces.Box(low, high, dtype=np.float64)


def observation_space_of(core):
    """A Dict with a Box for each observation. A task with one observation has the Box alone."""
    boxes = {name: _box(shape, low, high) for name, shape, _, low, high in core.observation_space}
    return next(iter(boxes.values())) if len(boxes) == 1 else spaces.Dict(boxes)


def _box(shape, low, high):
    """@param low, high  one value for each entry of the last axis, or one value for all entries"""
    return spaces.Box(np.broadcast_to(low, shape).copy(), np.broadcast_to(high, shape).copy(), dtype=np.float64)
