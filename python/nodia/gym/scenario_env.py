"""One environment."""

import gymnasium

from nodia._core import InputError
from nodia.arguments import options_of, real_array
from nodia.gym.environments import Environments


class ScenarioEnv(gymnasium.Env):
    """A scenario with a task, as an environment.

    @param scenario     path of a YAML file, a text or a dictionary with a `task`; or a nodia.Scenario
    @param overrides    values by dotted key, as of nodia.Scenario
    @param normalized   actions go from -1 to 1, which stand for their bounds; otherwise they are in the task's units
    @param reward       (observation, action, info) -> float, in the place of the task's; a step that failed has 0
    @param threads      at most so many; the key `solver.threads` without it
    @param backend      where the contact solver's loop runs; device, loop and product: how there; as of nodia.Simulation
    @param render_mode  rgb_array, or None

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
        product=None,
        render_mode=None,
    ):
        self._environments = Environments(
            scenario,
            1,
            overrides,
            normalized,
            reward,
            threads,
            render_mode,
            backend=backend,
            device=device,
            loop=loop,
            product=product,
        )
        self.action_space = self._environments.action_space
        self.observation_space = self._environments.observation_space
        self.render_mode = render_mode
        self.metadata = {**self.metadata, "render_fps": self._environments.core.control_hz}

    @property
    def backend(self):
        """Where the contact solver's loop runs: "cpu" or "cuda"."""
        return self._environments.core.backend

    @property
    def task_description(self):
        """The task in words."""
        return self._environments.core.text

    @property
    def task(self):
        """What policies are told: nodia.policy.Task."""
        return self._environments.task

    @property
    def actions_per_episode(self):
        """Control steps of an episode that nothing ends before."""
        return self._environments.core.actions_per_episode

    def reset(self, *, seed=None, options=None):
        super().reset(seed=seed)
        options_of(options, [])
        info = self._environments.reset({0: seed})[0]
        return self._environments.row(self._environments.observations(), 0), info

    def step(self, action):
        action = real_array("action", action, f"must be numbers, {self.action_space.shape}")
        if action.shape != self.action_space.shape:
            raise InputError(f"action: shape {action.shape} (must be {self.action_space.shape}: components)")
        observations, results = self._environments.step(action[None], [0])
        return self._environments.row(observations, 0), *results[0]

    def script_action(self):
        """(n,) that follows the scenario's paths, as far as the bounds of actions let it."""
        return self._environments.script_actions()[0]

    def policy_action(self):
        """(n,) of the scenario's `task.policy`, its script, class or log; zeros where the episode has ended."""
        return self._environments.policy_actions()[0]

    def render(self):
        if self.render_mode is None:
            gymnasium.logger.warn("render() needs render_mode='rgb_array' where the environment is made")
            return None
        return self._environments.picture(0)
