"""The vector form: environments side by side in one simulation."""

import gymnasium
import numpy as np
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from nodia._core import InputError
from nodia.arguments import options_of, shown, whole, whole_within
from nodia.gym.environments import MAX_SEED, Environments
from nodia.gym.scenario_form import ScenarioForm


class ScenarioVectorEnv(ScenarioForm, VectorEnv):
    """A scenario with a task as environments of one simulation. The bits are those of SyncVectorEnv of ScenarioEnv.

    @param scenario           as for ScenarioEnv, like every parameter that is not listed here
    @param num_envs           number of environments
    @param autoreset_mode     AutoresetMode or its value: NextStep, SameStep, Disabled (reset with options reset_mask)
    @param max_episode_steps  must be the task's, if given: Gymnasium's make_vec() passes it from a spec

    After reset(seed=s), environment i uses seed s + i, or entry i of a list of seeds. Its episode k is
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
        render_mode=None,
        info_texts=True,
        max_episode_steps=None,
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
            info_texts,
            backend=backend,
            device=device,
            loop=loop,
        )
        if max_episode_steps not in (None, self.actions_per_episode):
            rule = f"must be {self.actions_per_episode}, the task's; overrides of time.duration_s change it"
            raise InputError(f"max_episode_steps = {shown(max_episode_steps)} ({rule})")
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

    def reset(self, *, seed=None, options=None):
        """Begins an episode in every environment.

        @param seed     None, one seed (environment i uses seed + i), or a list with a seed for each environment
        @param options  `reset_mask`, bool (num_envs,): only these environments begin an episode
        """
        seeds = self._seeds(seed)
        chosen = self._masked(options_of(options, ["reset_mask"]))
        super().reset(seed=None if seed is None else seeds[0])
        infos = self._environments.reset({env: seeds[env] for env in chosen})
        return self._environments.observations(), self._joined(infos)

    def step(self, actions):
        """A control step. Rewards are float64, terminations and truncations bool, (num_envs,) each."""
        again = self._environments.ended() if self.autoreset_mode == AutoresetMode.NEXT_STEP else []
        going = [env for env in range(self.num_envs) if env not in again]
        observations, results = self._environments.step(actions, going)
        rewards = np.zeros(self.num_envs)
        terminations, truncations = np.zeros((2, self.num_envs), bool)
        infos = {}
        for env, (reward, terminated, truncated, info) in results.items():
            rewards[env], terminations[env], truncations[env], infos[env] = reward, terminated, truncated, info
        final = {}
        if self.autoreset_mode == AutoresetMode.SAME_STEP:
            again = self._environments.ended()
            for env in again:
                final[env] = {"final_obs": self._environments.row(observations, env), "final_info": infos[env]}
        if again:
            infos |= self._environments.reset(dict.fromkeys(again))
            observations = self._environments.observations()
        return observations, rewards, terminations, truncations, self._joined(infos, final)

    def save(self, env=None):
        """A SavedState of one environment or of all, from which load() continues with the same bits."""
        return super().save() if env is None else self._save([self._number(env)])

    def load(self, state, env=None):
        """Continues from a state of environments of the same scenario and overrides, also those of the single form.

        @param env  None: the state has all environments. Otherwise the state of one is loaded into this environment
        @throws InputError if the state is of another scenario; nothing has changed then
        """
        if env is None:
            super().load(state)
        else:
            self._load(state, [self._number(env)])

    def script_actions(self):
        """(num_envs, n) actions that follow the scenario's paths as far as the bounds of the actions allow."""
        return self._environments.script_actions()

    def policy_actions(self):
        """(num_envs, n) actions of the scenario's `task.policy`: its script, class or log.

        Environments whose episodes have ended get zeros.
        """
        return self._environments.policy_actions()

    def render(self, *, contacts=False):
        """A tuple with a picture of each environment. @param contacts  as for ScenarioEnv.render()"""
        if self.render_mode is None:
            gymnasium.logger.warn("render() needs render_mode='rgb_array' where the environments are made")
            return None
        return tuple(self._environments.picture(env, contacts) for env in range(self.num_envs))

    def call(self, name, *args, **kwargs):
        """A tuple with the value of this attribute, or the result of this method, for each environment."""
        value = getattr(self, name)
        return (value(*args, **kwargs) if callable(value) else value,) * self.num_envs

    def _seeds(self, seed):
        """The seed of each environment, or None."""
        if seed is None:
            return [None] * self.num_envs
        if not isinstance(seed, list | tuple | np.ndarray):
            first = whole("seed", seed)
            seed = range(first, first + self.num_envs)
        if len(seed) != self.num_envs:
            raise InputError(f"seed: {len(seed)} (must be one for each of {self.num_envs} environments)")
        return [None if each is None else whole_within("seed", each, 0, MAX_SEED) for each in seed]

    def _masked(self, options):
        """Numbers of the environments that `reset_mask` selects. Without a mask: all."""
        if "reset_mask" not in options:
            return list(range(self.num_envs))
        mask = np.asarray(options["reset_mask"])
        if mask.dtype != np.bool_ or mask.shape != (self.num_envs,) or not mask.any():
            rule = f"must be bool, ({self.num_envs},), and somewhere true"
            raise InputError(f"options['reset_mask'] = {shown(options['reset_mask'])} ({rule})")
        return np.flatnonzero(mask).tolist()

    def _joined(self, infos, final=None):
        """Infos of Gymnasium's vector environments: an array and a mask for each key."""
        joined = {}
        for env in sorted(infos):
            if final and env in final:
                joined = self._add_info(joined, final[env], env)
            joined = self._add_info(joined, infos[env], env)
        return joined

    def _number(self, env):
        env = whole("env", env)
        if not 0 <= env < self.num_envs:
            raise IndexError(f"env = {env} (must be in [0, {self.num_envs}))")
        return env
