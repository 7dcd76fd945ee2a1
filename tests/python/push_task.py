"""A task whose control steps take a millisecond: a plate pushes a soft block of eight nodes over a floor."""

import copy

ACTIONS = 4  # per episode

PUSH = {
    "name": "push",
    "time": {"step_s": 0.01, "duration_s": 0.08},
    "bodies": {
        "block": {
            "mesh": {"box": {"size_m": [0.04, 0.04, 0.04], "cells": [1, 1, 1]}},
            "youngs_modulus_Pa": 1e5,
            "poissons_ratio": 0.3,
            "rayleigh_stiffness_s": 0.01,
            "friction": 0.5,
        }
    },
    "obstacles": {
        "floor": {"shape": "half_space", "friction": 0},
        "plate": {
            "shape": "box",
            "size_m": [0.02, 0.1, 0.1],
            "position_m": [-0.012, 0.02, 0.05],
            "friction": 0,
            "path": [{"time_s": 0, "position_m": [-0.012, 0.02, 0.05]}],
        },
    },
    "randomize": {"bodies.block.friction": [0.2, 0.8]},
    "task": {
        "text": "push the block",
        "control_hz": 50,
        "observe": ["block.nodes", "block.contact_force", "plate.pose"],
        "action": {"space": "picker", "frame": "plate", "bounds_m": 0.005},
    },
}


def push_task(**keys):
    """The scenario. @param keys  of the task, in addition or instead"""
    scenario = copy.deepcopy(PUSH)
    scenario["task"] |= keys
    return scenario
