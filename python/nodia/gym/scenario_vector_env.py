"""Environments side by side."""

import gymnasium
import numpy as np
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from nodia._core import InputError
from nodia.arguments import options_of, shown, whole
from nodia.gym.environments import Environments


class ScenarioVectorEnv(VectorEnv):
    """A scenario with a task, as environments that one simulation steps: the bits of SyncVectorEnv of ScenarioEnv.

    @param scenario        as of ScenarioEnv, as all that is not named here
    @param num_envs        how many
    @param autoreset_mode  AutoresetMode or its word: NextStep, SameStep, Disabled (reset with options reset_mask)

    Environment i of reset(seed=s) has the seed s + i, and of a list of seeds its own; its episode k after that is
    Scenario.episode(s + i, k), which no other environment has.
    """

    metadata = {"render_modes": ["rgb_array"]}

    def __init__(
        self,
        scenario,
        num_envs=1,
        *,
        autoreset_mode=AutoresetMode.NEXT_STEP,
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
        try:
            self.autoreset_mode = AutoresetMode(autoreset_mode)
        except ValueError:
            words = ", ".join(mode.value for mode in AutoresetMode)
            raise InputError(f"autoreset_mode = {autoreset_mode} (must be one of {words})") from None
        self._environments = Environments(
            scenario,
            num_envs,
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
        self.num_envs = self._environments.core.n_env
        self.single_action_space = self._environments.action_space
        self.single_observation_space = self._environments.observation_space
        self.action_space = batch_space(self.single_action_space, self.num_envs)
        self.observation_space = batch_space(self.single_observation_space, self.num_envs)
        self.render_mode = render_mode
        self.metadata = {
            **self.metadata,
            "autoreset_mode": self.autoreset_mode,
            "render_fps": self._environments.core.control_hz,
        }
        self._ended = np.zeros(self.num_envs, bool)

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
        """@param seed     None, one for all (environment i has seed + i), or a list
        @param options  `reset_mask`, bool (num_envs,): only these begin an episode
        """
        seed = seed if seed is None or isinstance(seed, list | tuple | np.ndarray) else whole("seed", seed)
        super().reset(seed=seed if isinstance(seed, int) else None)
        if seed is None or isinstance(seed, int):
            seeds = [None if seed is None else seed + env for env in range(self.num_envs)]
        else:
            seeds = list(seed)
        if len(seeds) != self.num_envs:
            raise InputError(f"seed: {len(seeds)} (must be one for each of {self.num_envs} environments)")
        chosen = self._chosen(options_of(options, ["reset_mask"]))
        infos = self._environments.reset({env: seeds[env] for env in chosen})
        self._ended[chosen] = False
        return self._environments.observations(), self._joined(infos)

    def step(self, actions):
        """Rewards float64, terminations and truncations bool, (num_envs,) each."""
        if self.autoreset_mode == AutoresetMode.NEXT_STEP:
            again = np.flatnonzero(self._ended).tolist()
        else:
            again = []
        going = [env for env in range(self.num_envs) if env not in again]
        observations, results = self._environments.step(actions, going)
        rewards = np.zeros(self.num_envs)
        terminations, truncations = np.zeros((2, self.num_envs), bool)
        infos = {}
        for env, (reward, terminated, truncated, info) in results.items():
            rewards[env], terminations[env], truncations[env], infos[env] = reward, terminated, truncated, info
        self._ended = terminations | truncations
        final = {}
        if self.autoreset_mode == AutoresetMode.SAME_STEP:
            again = np.flatnonzero(self._ended).tolist()
            for env in again:
                final[env] = {"final_obs": self._environments.row(observations, env), "final_info": infos[env]}
        if again:
            infos |= self._environments.reset(dict.fromkeys(again))
            observations = self._environments.observations()
        return observations, rewards, terminations, truncations, self._joined(infos, final)

    def script_actions(self):
        """(num_envs, n) that follow the scenario's paths, as far as the bounds of actions let them."""
        return self._environments.script_actions()

    def policy_actions(self):
        """(num_envs, n) of the scenario's `task.policy`, its script, class or log; zeros where an episode has ended."""
        return self._environments.policy_actions()

    def render(self):
        """A picture of every environment."""
        if self.render_mode is None:
            gymnasium.logger.warn("render() needs render_mode='rgb_array' where the environments are made")
            return None
        return tuple(self._environments.picture(env) for env in range(self.num_envs))

    def call(self, name, *args, **kwargs):
        """What every environment of the single form gives by this name, a tuple."""
        value = getattr(self, name)
        return (value(*args, **kwargs) if callable(value) else value,) * self.num_envs

    def _chosen(self, options):
        """Environments that `reset_mask` names; all without it."""
        if "reset_mask" not in options:
            return list(range(self.num_envs))
        mask = np.asarray(options["reset_mask"])
        if mask.dtype != np.bool_ or mask.shape != (self.num_envs,) or not mask.any():
            raise InputError(f"options['reset_mask'] = {shown(options['reset_mask'])} (must be bool, ({self.num_envs},), and somewhere true)")
        return np.flatnonzero(mask).tolist()

    def _joined(self, infos, final=None):
        """Arrays over environments with their masks, as Gymnasium has them."""
        joined = {}
        for env in sorted(infos):
            if final and env in final:
                joined = self._add_info(joined, final[env], env)
            joined = self._add_info(joined, infos[env], env)
        return joined
