"""An environment of nodia for LeRobot, which calls make_env() of a file env.py (its EnvHub).

Observations have LeRobot's names: agent_pos, the robot's joints [m, rad], then the wrist's force and torque [N, N m];
environment_state, the ball's nodes [m] one after another. float32. Actions are in the task's units.
"""

import gymnasium
import numpy as np
from gymnasium import spaces
from gymnasium.vector import AsyncVectorEnv, AutoresetMode, SyncVectorEnv

import nodia.gym

SCENARIO = nodia.gym.scenario_file("quick_lift")
NAMES = {"agent_pos": ["gripper.joints", "gripper.wrist"], "environment_state": ["ball.nodes"]}


class LeRobotEnv(gymnasium.ObservationWrapper):
    """One environment, with observations and infos by LeRobot's names."""

    def __init__(self, **keywords):
        super().__init__(nodia.gym.ScenarioEnv(SCENARIO, normalized=False, render_mode="rgb_array", **keywords))
        boxes = self.env.observation_space
        self.observation_space = spaces.Dict(
            {
                name: spaces.Box(*(self._joined(side, parts) for side in self._bounds(boxes)), dtype=np.float32)
                for name, parts in NAMES.items()
            }
        )
        self.task_description = self.task = self.env.task_description
        self._max_episode_steps = self.env.actions_per_episode

    def observation(self, observation):
        return {name: self._joined(observation, parts) for name, parts in NAMES.items()}

    def step(self, action):
        observation, reward, terminated, truncated, info = super().step(action)
        return observation, reward, terminated, truncated, info | {"is_success": info["success"]}

    @staticmethod
    def _bounds(boxes):
        return [{name: getattr(box, side) for name, box in boxes.items()} for side in ("low", "high")]

    @staticmethod
    def _joined(values, parts):
        return np.concatenate([values[part].ravel() for part in parts]).astype(np.float32)


def make_env(n_envs=1, use_async_envs=False, **keywords):
    """@param keywords  of nodia.gym.ScenarioEnv
    @return a vector environment that resets what ended in the same step
    """
    environments = [lambda: LeRobotEnv(**keywords)] * n_envs
    if use_async_envs:  # processes that share no threads
        return AsyncVectorEnv(environments, context="spawn", autoreset_mode=AutoresetMode.SAME_STEP)
    return SyncVectorEnv(environments, autoreset_mode=AutoresetMode.SAME_STEP)
