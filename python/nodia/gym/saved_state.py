"""States of environments, as save() returns them and load() takes them."""

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class SavedEpisode:
    """One environment in the middle of an episode.

    @param seed    of the environment's episodes
    @param index   of the running episode among those of the seed
    @param steps   control steps that the episode has taken
    @param ended   whether the episode has ended
    @param policy  state of the environment's policy, see TaskPolicies
    @param core    bytes of the simulation, the task and the solver
    """

    seed: int
    index: int
    steps: int
    ended: bool
    policy: tuple
    core: bytes


@dataclass(frozen=True, eq=False)
class SavedState:
    """An immutable value that can be kept, sent to another process of the same build and pickled.

    @param episodes   a SavedEpisode for each environment
    @param generator  Gymnasium's `np_random`, if all environments were saved and it was in use
    @param seed       Gymnasium's `np_random_seed`
    """

    episodes: tuple
    generator: np.random.Generator | None = None
    seed: int | None = None

    def __len__(self):
        """Number of environments."""
        return len(self.episodes)

    def __repr__(self):
        return f"<nodia.gym.SavedState of {len(self)} environments>"
