"""Spaces of Gymnasium for a task."""

import numpy as np
from gymnasium import spaces


def bounds_of(core):
    """Least and largest values of the action's components, (n,) each, in their units."""
    return np.array([[low, high] for _, _, low, high in core.action_space]).T


def action_space_of(core, normalized):
    """A Box of the action's components, float64: their bounds, or [-1, 1] in the place of them."""
    low, high = bounds_of(core)
    if normalized:
        low, high = -np.ones_like(low), np.ones_like(high)
    return spaces.Box(low, high, dtype=np.float64)


def observation_space_of(core):
    """A Dict with a Box for every observation, by its name; of a single one its Box."""
    boxes = {name: _box(shape, low, high) for name, shape, _, low, high in core.observation_space}
    return next(iter(boxes.values())) if len(boxes) == 1 else spaces.Dict(boxes)


def _box(shape, low, high):
    """@param low, high  values of the last axis, or one for all"""
    return spaces.Box(np.broadcast_to(low, shape).copy(), np.broadcast_to(high, shape).copy(), dtype=np.float64)
