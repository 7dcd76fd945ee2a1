"""How the tests call each wrapper of Gymnasium: its arguments, the observations that it needs, the length of its episodes.

A wrapper that is not named here is called without arguments on an environment with several observations.
"""

import os
import sys
from dataclasses import dataclass, field

import gymnasium
import numpy as np
import pytest
from built_package import SOURCE
from gymnasium.spaces import Box
from gymnasium.vector import AutoresetMode, VectorObservationWrapper
from package_cache import CACHE, install, modules_of, pip
from push_task import ACTIONS


@dataclass(frozen=True)
class Use:
    """@param arguments  of the wrapper
    @param sees       observations that the wrapper needs: dict, box or picture
    @param length     actions per episode
    @param info_texts of the environment
    @param packages   whether the wrapper needs packages of tools/requirements-wrappers.txt
    @param torch      whether the wrapper needs torch
    """

    arguments: dict = field(default_factory=dict)
    sees: str = "dict"
    length: int = ACTIONS
    info_texts: bool = True
    packages: bool = False
    torch: bool = False


def doubled(value):
    return 2 * value


DOUBLED_BOX = Box(-2e3, 2e3, (3,), np.float64)
PICTURES = {"sees": "picture", "packages": True}
ARRAYS = {"packages": True, "sees": "box", "info_texts": False}

SINGLE = {
    "DelayObservation": Use({"delay": 2}, "box"),
    "DtypeObservation": Use({"dtype": np.float32}, "box"),
    "DiscretizeObservation": Use({"bins": 4}, "box"),
    "FilterObservation": Use({"filter_keys": ["plate.pose"]}),
    "FrameStackObservation": Use({"stack_size": 3}),
    "GrayscaleObservation": Use(sees="picture"),
    "TransformObservation": Use({"func": doubled, "observation_space": DOUBLED_BOX}, "box"),
    "MaxAndSkipObservation": Use({"skip": 2}, "box", length=ACTIONS // 2),
    "NormalizeObservation": Use(sees="box"),
    "ResizeObservation": Use({"shape": (36, 48)}, **PICTURES),
    "ReshapeObservation": Use({"shape": (3, 1)}, "box"),
    "RescaleObservation": Use({"min_obs": -1.0, "max_obs": 1.0}, "box"),
    "TimeAwareObservation": Use({"normalize_time": True}),
    "DiscretizeAction": Use({"bins": 3}),
    "TransformAction": Use({"func": np.negative, "action_space": None}),
    "RescaleAction": Use({"min_action": -2.0, "max_action": 2.0}),
    "StickyAction": Use({"repeat_action_probability": 0.5}),
    "RepeatAction": Use({"num_repeats": 2}, length=ACTIONS // 2),
    "ClipReward": Use({"min_reward": -0.01, "max_reward": 0.01}),
    "TransformReward": Use({"func": doubled}),
    "TimeLimit": Use({"max_episode_steps": 3}, length=3),
    "AddRenderObservation": Use({"render_only": False}),
    "AddWhiteNoise": Use({"probability_of_noise_per_pixel": 0.3}, "picture"),
    "ObstructView": Use({"obstructed_pixels_ratio": 0.1, "obstruction_width": 20}, "picture"),
    "RecordVideo": Use({"episode_trigger": lambda episode: episode == 1}, packages=True),
    "HumanRendering": Use(packages=True),
    "ArrayConversion": Use({"env_xp": np, "target_xp": np}, **ARRAYS),
    "JaxToNumpy": Use(**ARRAYS),
    "JaxToTorch": Use(torch=True, **ARRAYS),
    "NumpyToTorch": Use(torch=True, **ARRAYS),
}

VECTOR = {
    "VectorizeTransformObservation": Use(
        {"wrapper": gymnasium.wrappers.TransformObservation, "func": doubled, "observation_space": DOUBLED_BOX}, "box"
    ),
    "VectorizeTransformAction": Use(
        {"wrapper": gymnasium.wrappers.TransformAction, "func": np.negative, "action_space": None}
    ),
    "VectorizeTransformReward": Use({"wrapper": gymnasium.wrappers.TransformReward, "func": doubled}),
    "TransformObservation": Use({"func": doubled, "single_observation_space": DOUBLED_BOX}, "box"),
    "FilterObservation": Use({"filter_keys": ["plate.pose"]}),
    "GrayscaleObservation": Use(sees="picture"),
    "ResizeObservation": Use({"shape": (36, 48)}, **PICTURES),
    "ReshapeObservation": Use({"shape": (3, 1)}, "box"),
    "RescaleObservation": Use({"min_obs": -1.0, "max_obs": 1.0}, "box"),
    "DtypeObservation": Use({"dtype": np.float32}, "box"),
    "NormalizeObservation": Use(sees="box"),
    "TransformAction": Use({"func": np.negative}),
    "RescaleAction": Use({"min_action": -2.0, "max_action": 2.0}),
    "TransformReward": Use({"func": doubled}),
    "ClipReward": Use({"min_reward": -0.01, "max_reward": 0.01}),
    "RecordVideo": Use({"episode_trigger": lambda episode: episode == 1}, packages=True),
    "HumanRendering": Use({"screen_size": (96, 72)}, packages=True),
    "ArrayConversion": Use({"env_xp": np, "target_xp": np}, **ARRAYS),
    "JaxToNumpy": Use(**ARRAYS),
    "JaxToTorch": Use(torch=True, **ARRAYS),
    "NumpyToTorch": Use(torch=True, **ARRAYS),
}

# Wrappers that no environment of nodia can have, with the reason.
UNFIT = {"AtariPreprocessing": "it calls the emulator of an Atari game"}

ARRAY_WRAPPERS = ["ArrayConversion", "JaxToNumpy", "JaxToTorch", "NumpyToTorch"]


def fault_of(name, mode):
    """Message of a vector wrapper that fails around every vector environment, because Gymnasium does not support the mode."""
    if (name, mode) == ("NormalizeObservation", AutoresetMode.DISABLED):
        return "autoreset_mode'] to be AutoresetMode.NEXT_STEP"
    if mode != AutoresetMode.SAME_STEP:
        return None
    if name in ARRAY_WRAPPERS:
        return "DLPack only supports"  # it cannot convert the array of objects final_obs
    if issubclass(getattr(gymnasium.wrappers.vector, name), VectorObservationWrapper):
        return "autoreset_mode to be NEXT_STEP or DISABLED"
    return None


# Wrappers that convert reset_mask to JAX, which SyncVectorEnv rejects and nodia accepts.
FAILING_AROUND_SYNC = [(name, AutoresetMode.DISABLED) for name in ("JaxToNumpy", "JaxToTorch")]


def names_of(module):
    """Names of the wrappers of a module of the installed Gymnasium."""
    return [name for name in module.__all__ if name != "vector" and name not in UNFIT]


def every_wrapper(module):
    """Parametrises a test over the wrappers and the autoreset modes."""
    names = pytest.mark.parametrize("name", names_of(module))
    modes = pytest.mark.parametrize("mode", list(AutoresetMode), ids=lambda mode: mode.value)
    return lambda test: names(modes(test))


def require_packages(use, monkeypatch):
    """Makes the packages that a wrapper needs importable. They come after all that is installed."""
    if not use.packages:
        return
    prefix = CACHE / "gymnasium_wrappers"
    requirements = SOURCE / "tools/requirements-wrappers.txt"
    install(
        prefix,
        lambda: pip(sys.executable, "install", "--ignore-installed", "--prefix", prefix, "-r", requirements),
    )
    monkeypatch.setattr(sys, "path", [*sys.path, modules_of(prefix)])
    monkeypatch.setitem(os.environ, "SDL_VIDEODRIVER", "dummy")
    if use.torch:  # 3 GB, so no test installs it
        pytest.importorskip("torch", reason="PACKAGE: torch is absent")
