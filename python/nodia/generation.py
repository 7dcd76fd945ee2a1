"""Policies of a dataset's episodes if `task.policy` is a class."""

import contextvars
import hashlib
from pathlib import Path

from nodia import _core
from nodia._core import Stop
from nodia.policy import ClassPolicy, Task, class_of

__all__ = ["ClassActors", "Stop"]

MOST_CHARACTERS = 1000  # maximum length of the text of a cause


class ClassActors:
    """Creates an object of the class for each episode, so that episodes are independent of each other."""

    def __init__(self, policy, scenario, build):
        """@param policy    value of the key `task.policy`, `FILE.py:CLASS`
        @param scenario  text of a scenario with that policy, for which one object is created as a check
        @param build     build of the command that writes the dataset
        @throws InputError as nodia.policy.load_policy; RuntimeError if this package has another build
        """
        if _core.build_id() != build:
            raise _core.RuntimeError(
                f"task.policy: the Python package is {_core.build_id()}, the command {build} (must be of one build)"
            )
        _, file, name = _core.parse_policy(policy)
        self._directory = Path.cwd()  # stored because the class may change it
        self.path = self._directory / file
        self.own = class_of(self.path, name)
        episode = _core.source_of_text(scenario, "scenario", str(self._directory), True, []).episode(None)
        ClassPolicy(self.own, self.path, Task.of(_core.Task([episode], 1, _core.BackendRequest(backend="cpu"))))

    def generate(self, folder, asset, threads, shard, batch, backend, progress, stop):
        """Generates blocks of a dataset with nodia::generate().

        @param asset     name of the class's file in the dataset's request
        @param threads   number of blocks that are generated in parallel
        @param shard     (index, count): this call generates the blocks whose number modulo count is index
        @param batch     number of episodes that a thread steps together; 0: one on the CPU, a whole block on a device
        @param backend   dict of backend, device and loop, the arguments of nodia.Simulation
        @param progress  function that receives the number of episodes generated so far
        @param stop      Stop, with which another thread ends the generation
        @return dict of made_blocks, made_episodes, busy_blocks and stopped
        @throws InputError if the file differs from the asset
        """
        if hashlib.sha256(self.path.read_bytes()).hexdigest() != Path(asset).stem:
            raise _core.InputError(
                f"{self.path}: has changed since the request (must not change before the dataset is complete)"
            )
        request = _core.BackendRequest(**backend)

        def make(seed):
            return _Actor(self, asset, seed)

        return _core.generate(str(self._directory / folder), make, threads, tuple(shard), batch, request, progress, stop)


class _Actor:
    """Policy of one episode, which runs in its own context. Settings of the class in the context (numpy.seterr, decimal)
    apply to this episode only, on every thread that generates it."""

    def __init__(self, actors, asset, seed):
        self._actors, self._asset, self._seed = actors, asset, seed
        self._policy = None
        self._steps = 0
        self._context = contextvars.Context()

    def __call__(self, environment):
        """@param environment  nodia._core.ActingEnvironment, valid until this call returns
        @return list of the action's components, or a text with the cause if the class fails
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
        """Text of a cause without local paths and unprintable characters, so that it is the same on every machine."""
        path = self._actors.path
        text = text.replace(str(path), self._asset).replace(f"{path.parent}/", "")
        return "".join(c if c.isprintable() else "?" for c in text)[:MOST_CHARACTERS]


def _observed(environment):
    """Observations by name. The arrays are copies, which the class may store and change."""
    shapes = {name: shape for name, shape, *_ in environment.observation_space}
    return {name: array.reshape(shapes[name]) for name, array in environment.observations().items()}
