"""The implementation that the single and the vector form share."""

import secrets
import warnings

import numpy as np
from gymnasium import spaces
from gymnasium.error import ResetNeeded

from nodia import _core
from nodia.arguments import MAX_ENVIRONMENTS, number, real_array, shown, whole, whole_within
from nodia.gym.saved_state import SavedEpisode
from nodia.gym.spaces import action_space_of, bounds_of, observation_space_of
from nodia.gym.task_policies import TaskPolicies
from nodia.notices import OverlapWarning
from nodia.policy import Task
from nodia.scenario import Scenario

PICTURE_SIZE = (480, 360)  # width, height [pixel]
MAX_SEED = 2**63 - 1  # Gymnasium's vector environments hold the integers of infos in int64


class Environments:
    """Environments of one task: their seeds, episodes, infos and rewards.

    Pickles and deep copies contain the states of the environments.

    @param scenario    path, text or dictionary with a `task`, or a Scenario
    @param overrides   as for a Scenario
    @param normalized  whether actions from -1 to 1 stand for the bounds of the components. If not, actions have units
    @param reward      function of one environment, (observation, action, info) -> float, that replaces the task's reward
    @param info_texts  whether infos have texts (`status`, `cause`), which wrappers cannot convert to torch or JAX
    @param backend     backend, device and loop of nodia.Simulation, by name
    """

    def __init__(self, scenario, num_envs, overrides, normalized, reward, threads, render_mode, info_texts, **backend):
        n = whole_within("num_envs", num_envs, 1, MAX_ENVIRONMENTS)
        threads = None if threads is None else whole("threads", threads)
        if reward is not None and not callable(reward):
            raise _core.InputError(f"reward = {shown(reward)} (must be a function of observation, action and info)")
        if render_mode not in (None, "rgb_array"):
            raise _core.InputError(f"render_mode = {render_mode} (must be rgb_array or None)")
        request = _core.BackendRequest(**backend)
        if isinstance(scenario, Scenario):
            if overrides:
                raise _core.InputError("overrides (must be left out beside a Scenario, which has its own)")
        else:
            scenario = Scenario(scenario, overrides)
        self._arguments = (scenario, n, (), normalized, reward, threads, render_mode, info_texts), backend
        self._scenario, self._reward, self._info_texts = scenario, reward, info_texts
        first = scenario.episode(0) if scenario.draws else scenario.episode()
        _core.require_memory(first._core, n)
        self.core = _core.Task([first._core] * n, threads, request)
        self._bounds = bounds_of(self.core) if normalized else None
        self.action_space = action_space_of(self.core, normalized)
        self.observation_space = observation_space_of(self.core)
        self.task = Task.of(self.core)
        self._seeds, self._next_index = [None] * n, [0] * n  # of the episode that the next reset begins
        self._episodes = [None] * n  # the running ones; None before the first reset
        self._ended = np.zeros(n, bool)
        self._steps = np.zeros(n, int)  # control steps of the running episodes
        self._policies = TaskPolicies(self.core.policy, self.task, n)
        self._view = self._fixed_view() if render_mode else None

    def reset(self, seeds):
        """@param seeds  seed for each environment that begins an episode. None: the next episode of its present seed
        @return infos by environment
        """
        for env, seed in seeds.items():
            if seed is not None:
                self._seeds[env], self._next_index[env] = whole_within("seed", seed, 0, MAX_SEED), 0
            elif self._seeds[env] is None:
                self._seeds[env] = secrets.randbits(32)
        episodes = [self._scenario.episode(self._seeds[env], self._next_index[env]) for env in seeds]
        settled = self.core.reset(list(seeds), [episode._core for episode in episodes])
        infos = {}
        for env, episode, info in zip(seeds, episodes, settled, strict=True):
            self._begin(env, episode)
            infos[env] = {"seed": episode.seed, "episode_index": episode.index, **self._without_texts(info)}
        self._add_truth(infos)
        return infos

    def _begin(self, env, episode):
        self._episodes[env], self._next_index[env] = episode, episode.index + 1
        self._ended[env], self._steps[env] = False, 0
        self._policies.begin(env)

    def ended(self):
        """Numbers of the environments whose episodes have ended and not begun again."""
        return np.flatnonzero(self._ended).tolist()

    def _running(self, env):
        return self._episodes[env] is not None and not self._ended[env]

    def step(self, actions, stepped):
        """A control step.

        @param actions  array of numbers with a row for each environment
        @param stepped  environments whose episodes have not ended
        @return observations, and (reward, terminated, truncated, info) by environment
        """
        actions = self._rows(actions)
        for env in stepped:
            if not self._running(env):
                raise ResetNeeded(f"environment {env}: reset() (must come before step(), also after an episode's end)")
        if stepped:
            for env, text in self.core.step(self._in_units(actions)):
                warnings.warn(f"environment {env}: {text}", OverlapWarning, stacklevel=4)
        observations = self.observations()
        infos = {env: self.core.report(env) for env in stepped}
        self._add_truth(infos)
        results = {}
        for env, info in infos.items():
            reward, terminated, truncated = (info.pop(key) for key in ("reward", "terminated", "truncated"))
            self._ended[env] = terminated or truncated
            self._steps[env] += 1
            if self._reward is not None:
                own = 0.0 if info["failed"] else self._reward(self.row(observations, env), actions[env].copy(), info)
                reward = number("what reward() returns", own)
            results[env] = reward, terminated, truncated, self._without_texts(info)
        return observations, results

    def _without_texts(self, info):
        """The info itself, or a copy without texts if they are not wanted."""
        return info if self._info_texts else {key: value for key, value in info.items() if not isinstance(value, str)}

    def save(self, envs):
        """A SavedEpisode for each of these environments. None for those without an episode."""
        return tuple(self._saved(env) for env in envs)

    def _saved(self, env):
        episode = self._episodes[env]
        if episode is None:
            return None
        return SavedEpisode(
            seed=self._seeds[env],
            index=episode.index,
            steps=int(self._steps[env]),
            ended=bool(self._ended[env]),
            policy=self._policies.save(env),
            core=self.core.save(env),
        )

    def load(self, saved):
        """Continues from saved episodes, with the bits that would have followed the save.

        @param saved  SavedEpisode by environment
        @throws InputError if an episode is of another scenario; nothing has changed then
        """
        running = {(episode.seed, episode.index): episode for episode in self._episodes if episode is not None}
        for one in saved.values():
            if (one.seed, one.index) not in running:
                running[one.seed, one.index] = self._scenario.episode(one.seed, one.index)
        episodes = {env: running[one.seed, one.index] for env, one in saved.items()}
        self.core.load(list(saved), [each._core for each in episodes.values()], [one.core for one in saved.values()])
        for env, one in saved.items():
            self._begin(env, episodes[env])
            self._seeds[env], self._steps[env], self._ended[env] = one.seed, one.steps, one.ended
            self._policies.load(env, one.policy)

    def __reduce__(self):
        saved = dict(enumerate(self.save(range(self.core.n_env))))
        return _continued, (self._arguments, {env: one for env, one in saved.items() if one is not None})

    def _add_truth(self, infos):
        """Adds the observations without noise, if the task has noise."""
        if self.core.noisy:
            truth = self.observations(noisy=False)
            for env, info in infos.items():
                info["true_observation"] = self.row(truth, env)

    def observations(self, noisy=True):
        """Observations of all environments in new arrays."""
        arrays = self._observed(noisy)
        if not isinstance(self.observation_space, spaces.Dict):
            return next(iter(arrays.values()))
        return {name: arrays[name] for name in self.observation_space}

    def row(self, observations, env):
        """A copy of the observation of one environment."""
        if isinstance(observations, dict):
            return {name: array[env].copy() for name, array in observations.items()}
        return observations[env].copy()

    def script_actions(self):
        """(num_envs, n) actions that follow the scenario's paths as far as the bounds of the actions allow."""
        return self._in_space(np.array([self.core.script_action(env) for env in range(self.core.n_env)]))

    def policy_actions(self):
        """(num_envs, n) actions of the scenario's `task.policy`. Environments whose episodes have ended get zeros."""
        if None in self._episodes:
            raise ResetNeeded("reset() (must come before the policy acts)")
        if self.core.policy == "script":
            return np.where(self._ended[:, None], 0, self.script_actions())
        running = np.flatnonzero(~self._ended).tolist()
        self._policies.make(running)
        observations = self._observed()
        actions = np.zeros((self.core.n_env, len(self.task.components)))
        for env in running:
            seed = self._episodes[env]._core.policy_seed
            actions[env] = self._policies.act(env, lambda env=env: self.row(observations, env), seed, int(self._steps[env]))
        actions[running] = self._in_space(actions[running])
        return actions

    def picture(self, env, contacts=False):
        """A picture of one environment, uint8 (360, 480, 3). @param contacts  whether surfaces have the colours of contact"""
        from nodia.live_picture import picture_of

        return picture_of(self.core, env, PICTURE_SIZE, view=self._view, contacts=contacts)

    def _fixed_view(self):
        """The view of every picture: that of the start of episode 0 of seed 0."""
        from nodia.live_picture import fixed_view

        return fixed_view(self.core, PICTURE_SIZE)

    def _observed(self, noisy=True):
        """Observations by name, (num_envs, ...) each."""
        shapes = {name: shape for name, shape, *_ in self.core.observation_space}
        return {
            name: array.reshape(self.core.n_env, *shapes[name])
            for name, array in self.core.observations(noisy).items()
        }

    def _in_space(self, actions):
        """Converts actions in units to the action space. Actions within the bounds stay within them."""
        if self._bounds is None:
            return actions
        low, high = self._bounds
        scaled = 2 * (actions - low) / (high - low) - 1
        return np.where((actions >= low) & (actions <= high), np.clip(scaled, -1, 1), scaled)

    def _in_units(self, actions):
        """Converts actions of the action space to units."""
        if self._bounds is None:
            return actions
        low, high = self._bounds
        with np.errstate(invalid="ignore"):
            share = (actions + 1) / 2
            scaled = (1 - share) * low + share * high  # exactly the bounds at -1 and 1
        return np.where(np.isfinite(actions), scaled, actions)

    def _rows(self, actions):
        wanted = (self.core.n_env, *self.action_space.shape)
        rows = np.ascontiguousarray(real_array("actions", actions, f"must be numbers, {wanted}"))
        if rows.shape != wanted:
            raise _core.InputError(f"actions: shape {rows.shape} (must be {wanted}: environments, components)")
        return rows


def _continued(arguments, saved):
    """Environments of these arguments in these states."""
    positional, backend = arguments
    environments = Environments(*positional, **backend)
    environments.load(saved)
    return environments
