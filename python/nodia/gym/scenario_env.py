"""The single form: one environment."""

import gymnasium

from nodia._core import InputError
from nodia.arguments import options_of, real_array, whole_within
from nodia.gym.environments import MAX_SEED, Environments
from nodia.gym.scenario_form import ScenarioForm


class ScenarioEnv(ScenarioForm, gymnasium.Env):
    """A scenario with a task as one environment.

    @param scenario     path of a YAML file, a text or a dictionary with a `task`, or a nodia.Scenario
    @param overrides    values by dotted key, as for nodia.Scenario
    @param normalized   whether actions from -1 to 1 stand for their bounds. If not, actions have the task's units
    @param reward       function (observation, action, info) -> float that replaces the task's reward. A failed step has 0
    @param threads      maximum number of threads (default: the key `solver.threads`)
    @param backend      where the loop of the contact solver runs; with device and loop as for nodia.Simulation
    @param render_mode  rgb_array or None
    @param info_texts   whether infos have the texts `status` and `cause`. Wrappers cannot convert them to torch or JAX

    Episode k after reset(seed=s) is Scenario.episode(s, k).
    """

    metadata = {"render_modes": ["rgb_array"]}

    def __init__(
        self,
        scenario,
        *,
        overrides=(),
        normalized=True,
        reward=None,
        threads=None,
        backend=None,
        device=None,
        loop=None,
        render_mode=None,
        info_texts=True,
    ):
        self._environments = Environments(
            scenario,
            1,
            overrides,
            normalized,
            reward,
            threads,
            render_mode,
            info_texts,
            backend=backend,
            device=device,
            loop=loop,
        )
        self.action_space = self._environments.action_space
        self.observation_space = self._environments.observation_space
        self.render_mode = render_mode
        self.metadata = {**self.metadata, "render_fps": self._environments.core.control_hz}

    def reset(self, *, seed=None, options=None):
        """Begins an episode: that of the seed, or the next one of the present seed. There are no options."""
        seed = None if seed is None else whole_within("seed", seed, 0, MAX_SEED)
        options_of(options, [])
        super().reset(seed=seed)
        info = self._environments.reset({0: seed})[0]
        return self._environments.row(self._environments.observations(), 0), info

    def step(self, action):
        """A control step. @return observation, reward, terminated, truncated, info"""
        action = real_array("action", action, f"must be numbers, {self.action_space.shape}")
        if action.shape != self.action_space.shape:
            raise InputError(f"action: shape {action.shape} (must be {self.action_space.shape}: components)")
        observations, results = self._environments.step(action[None], [0])
        return self._environments.row(observations, 0), *results[0]

    def script_action(self):
        """(n,) action that follows the scenario's paths as far as the bounds of the actions allow."""
        return self._environments.script_actions()[0]

    def policy_action(self):
        """(n,) action of the scenario's `task.policy`: its script, class or log. After the end of an episode zeros."""
        return self._environments.policy_actions()[0]

    def render(self, *, contacts=False):
        """A picture, uint8 (360, 480, 3). Its camera never moves. @param contacts  whether surfaces have the colours of contact"""
        if self.render_mode is None:
            gymnasium.logger.warn("render() needs render_mode='rgb_array' where the environment is made")
            return None
        return self._environments.picture(0, contacts)
