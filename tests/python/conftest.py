"""Scenes with known answers."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from built_package import PACKAGE, SOURCE  # noqa: E402  (after the search path)


def pytest_configure():
    if not (PACKAGE / "nodia/_core.pyi").exists():
        raise pytest.UsageError(f"{PACKAGE}/nodia has not been built (tools/build.sh)")


@pytest.fixture
def box():
    """A soft box that falls on a floor and slides to rest; 18 nodes."""
    return {
        "name": "box",
        "time": {"step_s": 0.01, "duration_s": 0.3},
        "bodies": {
            "box": {
                "mesh": {"box": {"size_m": [0.1, 0.1, 0.05], "cells": [2, 2, 1]}},
                "youngs_modulus_Pa": 1e5,
                "poissons_ratio": 0.3,
                "density_kg_m3": 1000,
                "position_m": [0, 0, 0.01],
                "velocity_m_s": [0.3, 0, 0],
                "friction": 0.4,
            }
        },
        "obstacles": {"floor": {"shape": "half_space", "friction": 0}},  # a pair takes the larger
    }


@pytest.fixture
def drawn_box(box):
    """With a friction that seeds draw."""
    return box | {"randomize": {"bodies.box.friction": [0.1, 0.9]}}


@pytest.fixture
def gripper():
    """A robot of 6 + 2 coordinates that grips nothing, its fingers driven."""
    return {
        "name": "gripper",
        "time": {"step_s": 0.01, "duration_s": 0.3},
        "robots": {
            "hand": {
                "urdf": str(SOURCE / "scenarios/assets/free_gripper/free_gripper_two_drives.urdf"),
                "position_m": [0, 0, 0.3],
                "force_sensors": {"wrist": {"link": "palm"}},
                "joint_drives": {
                    "base_z": {"stiffness": 5000, "damping": 200},
                    "finger_left": {"stiffness": 2000, "damping": 50},
                    "finger_right": {"stiffness": 2000, "damping": 50},
                },
            }
        },
    }
