"""The common part of the single and the vector form."""

import copy
from dataclasses import replace

from gymnasium.error import ResetNeeded

from nodia._core import InputError
from nodia.arguments import instance
from nodia.gym.saved_state import SavedState


class ScenarioForm:
    """Properties of a task, states and copies. Subclasses have Environments in `_environments`."""

    _spec = None

    @property
    def spec(self):
        """Gymnasium's EnvSpec of an environment that has a registered name. Its `max_episode_steps` is the task's."""
        return self._spec

    @spec.setter
    def spec(self, spec):
        # The registered spec has no limit, because make() would add a TimeLimit that ignores overrides of the duration.
        self._spec = spec and replace(spec, max_episode_steps=self.actions_per_episode)

    @property
    def backend(self):
        """Where the loop of the contact solver runs: "cpu" or "cuda"."""
        return self._environments.core.backend

    @property
    def task_description(self):
        """Text of the task."""
        return self._environments.core.text

    @property
    def task(self):
        """nodia.policy.Task, which policies get."""
        return self._environments.task

    @property
    def actions_per_episode(self):
        """Number of control steps after which an episode is truncated."""
        return self._environments.core.actions_per_episode

    def __copy__(self):
        """An independent environment: a simulation cannot be shared."""
        return copy.deepcopy(self)

    def save(self):
        """A SavedState of all environments, from which load() continues with the same bits."""
        state = self._save(range(self._environments.core.n_env))
        return replace(state, generator=copy.deepcopy(self._np_random), seed=self._np_random_seed)

    def load(self, state):
        """Continues from a state of an environment of the same scenario and overrides.

        @throws InputError if the state is of another scenario; nothing has changed then
        """
        self._load(state, range(self._environments.core.n_env))
        if state.generator is not None:
            self._np_random, self._np_random_seed = copy.deepcopy(state.generator), state.seed

    def _save(self, envs):
        episodes = self._environments.save(envs)
        for env, episode in zip(envs, episodes, strict=True):
            if episode is None:
                raise ResetNeeded(f"environment {env}: reset() (must come before save())")
        return SavedState(episodes)

    def _load(self, state, envs):
        instance("state", state, SavedState, "save() of an environment returns one")
        if len(state) != len(envs):
            raise InputError(f"state of {len(state)} environments (must be of {len(envs)})")
        self._environments.load(dict(zip(envs, state.episodes, strict=True)))
