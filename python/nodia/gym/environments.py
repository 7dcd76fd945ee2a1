"""What the single and the vector form share: environments of a task, their seeds, infos and rewards."""

import secrets
import warnings

import numpy as np
from gymnasium import spaces
from gymnasium.error import ResetNeeded

from nodia import _core
from nodia.arguments import MAX_ENVIRONMENTS, number, real_array, shown, whole, whole_within
from nodia.gym.spaces import action_space_of, bounds_of, observation_space_of
from nodia.notices import OverlapWarning
from nodia.policy import Task, load_policies
from nodia.scenario import Scenario


class Environments:
    """@param scenario    path, text or dictionary with a `task`, or a Scenario
    @param overrides   as of a Scenario
    @param normalized  actions from -1 to 1 stand for the components' bounds; otherwise they are in their units
    @param reward      of one environment, (observation, action, info) -> float, in the place of the task's
    @param backend     backend, device, loop and product of nodia.Simulation by name
    """

    def __init__(self, scenario, num_envs, overrides, normalized, reward, threads, render_mode, **backend):
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
        self._scenario, self._reward = scenario, reward
        first = scenario.episode(0) if scenario.draws else scenario.episode()
        self.core = _core.Task([first._core] * n, threads, request)
        self._seeds, self._begun = [None] * n, [0] * n
        self._bounds = bounds_of(self.core) if normalized else None
        self.action_space = action_space_of(self.core, normalized)
        self.observation_space = observation_space_of(self.core)
        self._ready = np.zeros(n, bool)
        self.task = Task.of(self.core)
        self._policies = None  # of the task, by environment, from when they are first asked
        self._policy_seeds, self._asked = [None] * n, np.zeros(n, bool)  # _asked: in the running episode
        self._steps = np.zeros(n, int)  # of the running episode

    def reset(self, seeds):
        """@param seeds  by environment, of those that begin an episode; None: the next one of its seed
        @return infos by environment
        """
        for env, seed in seeds.items():
            if seed is not None:
                self._seeds[env], self._begun[env] = whole("seed", seed), 0
            elif self._seeds[env] is None:
                self._seeds[env] = secrets.randbits(32)
        episodes = [self._scenario.episode(self._seeds[env], self._begun[env]) for env in seeds]
        settled = self.core.reset(list(seeds), [episode._core for episode in episodes])
        infos = {}
        for env, episode, info in zip(seeds, episodes, settled, strict=True):
            self._begun[env] += 1
            self._ready[env] = True
            self._policy_seeds[env], self._asked[env], self._steps[env] = episode._core.policy_seed, False, 0
            infos[env] = {"seed": np.uint64(episode.seed), "episode": np.uint64(episode.index), **info}
        self._add_truth(infos)
        return infos

    def step(self, actions, stepped):
        """A control step.

        @param actions  of all environments, as numbers
        @param stepped  environments whose episodes go on: not yet ended
        @return observations, and by environment reward, terminated, truncated, info
        """
        actions = self._rows(actions)
        unready = [env for env in stepped if not self._ready[env]]
        if unready:
            raise ResetNeeded(
                f"environment {unready[0]}: reset() (must come before step(), also after an episode's end)"
            )
        if stepped:
            for env, text in self.core.step(self._in_units(actions)):
                warnings.warn(f"environment {env}: {text}", OverlapWarning, stacklevel=4)
        observations = self.observations()
        infos = {env: self.core.report(env) for env in stepped}
        self._add_truth(infos)
        results = {}
        for env, info in infos.items():
            reward, terminated, truncated = (info.pop(key) for key in ("reward", "terminated", "truncated"))
            self._ready[env] = not (terminated or truncated)
            self._steps[env] += 1
            if self._reward is not None:
                own = 0.0 if info["failed"] else self._reward(self.row(observations, env), actions[env].copy(), info)
                reward = number("what reward() returns", own)
            results[env] = reward, terminated, truncated, info
        return observations, results

    def _add_truth(self, infos):
        """Observations without the task's noise, where it has some."""
        if self.core.noisy:
            truth = self.observations(noisy=False)
            for env, info in infos.items():
                info["true_observation"] = self.row(truth, env)

    def observations(self, noisy=True):
        """Of all environments, in arrays of their own; a step or a reset makes new ones."""
        arrays = self._observed(noisy)
        if not isinstance(self.observation_space, spaces.Dict):
            return next(iter(arrays.values()))
        return {name: arrays[name] for name in self.observation_space}

    def row(self, observations, env):
        """That of one environment, as a copy."""
        if isinstance(observations, dict):
            return {name: array[env].copy() for name, array in observations.items()}
        return observations[env].copy()

    def script_actions(self):
        """(num_envs, n) that follow the scenario's paths, as far as the bounds of actions let them."""
        return self._in_space(np.array([self.core.script_action(env) for env in range(self.core.n_env)]))

    def policy_actions(self):
        """(num_envs, n) of the scenario's `task.policy`; of environments whose episodes have ended zeros."""
        if None in self._policy_seeds:
            raise ResetNeeded("reset() (must come before the policy acts)")
        if self.core.policy == "script":
            return np.where(self._ready[:, None], self.script_actions(), 0)
        if self._policies is None:
            self._policies = load_policies(self.core.policy, self.task, self.core.n_env)
        observations = self._observed()
        actions = np.zeros((self.core.n_env, len(self.task.components)))
        for env in np.flatnonzero(self._ready).tolist():
            policy = self._policies[env]
            if not self._asked[env]:
                policy.reset(self.row(observations, env), self._policy_seeds[env])
                self._asked[env] = True
            actions[env] = policy.act(self.row(observations, env), int(self._steps[env]))
        actions[self._ready] = self._in_space(actions[self._ready])
        return actions

    def picture(self, env):
        from nodia.live_picture import picture_of

        return picture_of(self.core, env, (480, 360), None)

    def _observed(self, noisy=True):
        """By name, (num_envs, ...) each."""
        shapes = {name: shape for name, shape, *_ in self.core.observation_space}
        return {
            name: array.reshape(self.core.n_env, *shapes[name])
            for name, array in self.core.observations(noisy).items()
        }

    def _in_space(self, actions):
        """Of actions in units those of the action space; what is within the bounds stays within."""
        if self._bounds is None:
            return actions
        low, high = self._bounds
        scaled = 2 * (actions - low) / (high - low) - 1
        return np.where((actions >= low) & (actions <= high), np.clip(scaled, -1, 1), scaled)

    def _in_units(self, actions):
        if self._bounds is None:
            return actions
        low, high = self._bounds
        with np.errstate(invalid="ignore"):
            share = (actions + 1) / 2
            scaled = (1 - share) * low + share * high  # the bounds themselves at -1 and 1
        return np.where(np.isfinite(actions), scaled, actions)

    def _rows(self, actions):
        wanted = (self.core.n_env, *self.action_space.shape)
        rows = np.ascontiguousarray(real_array("actions", actions, f"must be numbers, {wanted}"))
        if rows.shape != wanted:
            raise _core.InputError(f"actions: shape {rows.shape} (must be {wanted}: environments, components)")
        return rows
