"""Scenarios with a task as environments of Gymnasium.

    import gymnasium
    import nodia.gym

    envs = gymnasium.make_vec("nodia/QuickLift-v0", num_envs=8)
    envs = nodia.gym.ScenarioVectorEnv("scene.yaml", num_envs=8, autoreset_mode="SameStep")

Importing this module registers the environments of ENVIRONMENTS. It needs the extra: pip install 'nodia[gym]'.
"""

try:
    import gymnasium  # noqa: F401
except ModuleNotFoundError:
    raise ImportError("gymnasium (is missing; pip install 'nodia[gym]')") from None

from nodia.gym.registration import ENVIRONMENTS, register, scenario_file
from nodia.gym.saved_state import SavedState
from nodia.gym.scenario_env import ScenarioEnv
from nodia.gym.scenario_vector_env import ScenarioVectorEnv

register()

__all__ = ["ENVIRONMENTS", "SavedState", "ScenarioEnv", "ScenarioVectorEnv", "register", "scenario_file"]
