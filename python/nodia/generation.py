"""Who acts in the episodes of a dataset where `task.policy` is a class."""

import contextvars
import hashlib
from pathlib import Path

from nodia import _core
from nodia._core import Stop
from nodia.policy import ClassPolicy, Task, class_of

__all__ = ["ClassActors", "Stop"]

MOST_CHARACTERS = 1000  # of a cause


class ClassActors:
    """Makes who acts in an episode: an object of the class for each, so that no episode knows of another."""

    def __init__(self, policy, scenario, build):
        """@param policy    the key `task.policy`, `FILE.py:CLASS`
        @param scenario  the text of one with that policy; one object is made for it, to see that it can be
        @param build     of the command, whose blocks these are
        @throws InputError as nodia.policy.load_policy; RuntimeError where this package is of another build
        """
        if _core.build_id() != build:
            raise _core.RuntimeError(
                f"task.policy: the Python package is {_core.build_id()}, the command {build} (must be of one build)"
            )
        _, file, name = _core.parse_policy(policy)
        self._directory = Path.cwd()  # the class may leave it
        self.path = self._directory / file
        self.own = class_of(self.path, name)
        episode = _core.source_of_text(scenario, "scenario", str(self._directory), True, []).episode(None)
        ClassPolicy(self.own, self.path, Task.of(_core.Task([episode], 1, _core.BackendRequest(backend="cpu"))))

    def generate(self, folder, asset, threads, shard, batch, backend, progress, stop):
        """Makes blocks of a dataset, as nodia::generate().

        @param asset     name of the class's file in the dataset's request
        @param backend   backend, device, loop and product of nodia.Simulation by name
        @param progress  called with the number of episodes made
        @param stop      Stop
        @return made_blocks, made_episodes, busy_blocks, stopped, a dict
        @throws InputError where the file is no longer the asset
        """
        if hashlib.sha256(self.path.read_bytes()).hexdigest() != Path(asset).stem:
            raise _core.InputError(f"{self.path}: has changed since the request (must stay until the dataset is made)")
        request = _core.BackendRequest(**backend)

        def make(seed):
            return _Actor(self, asset, seed)

        return _core.generate(str(self._directory / folder), make, threads, tuple(shard), batch, request, progress, stop)


class _Actor:
    """Of one episode, from its start on, with a context of its own: what the class sets there (numpy.seterr, decimal) is
    the episode's, whichever thread makes it."""

    def __init__(self, actors, asset, seed):
        self._actors, self._asset, self._seed = actors, asset, seed
        self._policy = None
        self._steps = 0
        self._context = contextvars.Context()

    def __call__(self, environment):
        """@param environment  nodia._core.ActingEnvironment, which is there until this returns
        @return the components of the action; a text, the cause, where the class fails
        """
        return self._context.run(self._answer, environment)

    def _answer(self, environment):
        try:
            if self._policy is None:
                self._policy = ClassPolicy(self._actors.own, self._actors.path, Task.of(environment))
                self._policy.reset(_observed(environment), self._seed)
            action = self._policy.act(_observed(environment), self._steps)
        except _core.InputError as error:
            if isinstance(error.__cause__, MemoryError):
                raise
            return self._cause(str(error))
        self._steps += 1
        return action.tolist()

    def _cause(self, text):
        """The same on every machine, as far as that is ours: names of the dataset, and printable."""
        path = self._actors.path
        text = text.replace(str(path), self._asset).replace(f"{path.parent}/", "")
        return "".join(c if c.isprintable() else "?" for c in text)[:MOST_CHARACTERS]


def _observed(environment):
    """By name, arrays that the class may keep and change."""
    shapes = {name: shape for name, shape, *_ in environment.observation_space}
    return {name: array.reshape(shapes[name]) for name, array in environment.observations().items()}
