"""Policies, which choose the actions of a task: the key `task.policy`.

    import nodia.policy

    policy = nodia.policy.load_policy("grasp.py:Grasp", task)
    policy.reset(observation, seed)
    action = policy.act(observation, 0)

Your own class is constructed as Class(task), once for each environment, or once for each episode of a dataset. It has

    def reset(self, observation, seed):  # optional; an episode begins
    def act(self, observation):          # -> (n,) in the task's units

An observation is a dictionary of arrays by the names of `task.observe`. The arrays are copies that the class may change. The
seed is a number of 64 bits that is the same for the same episode: the class takes its random numbers from it.
"""

import difflib
import io
import pickle
import sys
import traceback
from dataclasses import dataclass
from pathlib import Path
from operator import attrgetter
from types import FunctionType, MappingProxyType, ModuleType
from typing import NamedTuple

import numpy as np

from nodia import _core
from nodia.action_log import read_action_log
from nodia.arguments import instance, path_text


class Observed(NamedTuple):
    """Shape of an observation and unit of its values. Several units are separated by commas."""

    shape: tuple
    unit: str


@dataclass(frozen=True, eq=False)
class Task:
    """Description of a task for its policies.

    @param text                 text of the task
    @param control_hz           actions per second [Hz]
    @param actions_per_episode  number of actions after which an episode is truncated
    @param components           names of the action's components
    @param units                unit of each component
    @param low, high            bounds of the components, (n,); actions are clipped to them
    @param observations         Observed by name, in the order of `task.observe`
    """

    text: str
    control_hz: float
    actions_per_episode: int
    components: tuple
    units: tuple
    low: np.ndarray
    high: np.ndarray
    observations: MappingProxyType

    @classmethod
    def of(cls, core):
        """@param core  nodia._core.Task"""
        names, units, low, high = zip(*core.action_space, strict=True)
        bounds = np.array([low, high])
        bounds.setflags(write=False)
        observed = {name: Observed(shape, unit) for name, shape, unit, *_ in core.observation_space}
        return cls(
            core.text, core.control_hz, core.actions_per_episode, names, units, *bounds, MappingProxyType(observed)
        )


def load_policy(policy, task, directory="."):
    """A policy with reset(observation, seed), called when an episode begins, and act(observation, step) -> (n,) float64.

    @param policy     value of the key `task.policy`: `FILE.py:CLASS`, or the file of a log
    @param task       Task
    @param directory  start of the file's relative path
    @throws InputError in one line: no such file, no such class, a class without act(). reset() and act() also raise it for
        an exception of the class, with file and line, and for an action of another shape. NaN in an action is no error
        here, because it fails its environment
    """
    return load_policies(policy, task, 1, directory)[0]


def load_policies(policy, task, n, directory="."):
    """A list of n policies, one for each environment. The file is read once. @see load_policy"""
    instance("task", task, Task, "as `task` of an environment of nodia.gym")
    kind, file, name = _core.parse_policy(path_text("policy", policy))
    path = Path(directory, file)
    if kind == "script":
        raise _core.InputError("policy = script (must be FILE.py:CLASS or the file of a log; paths are the scene's)")
    if kind == "log":
        actions = read_action_log(path, task)
        return [_LogPolicy(actions) for _ in range(n)]
    own = class_of(path, name)
    return [ClassPolicy(own, path, task) for _ in range(n)]


class _LogPolicy:
    def __init__(self, actions):
        self._actions = actions

    def reset(self, observation, seed):
        pass

    def act(self, observation, step):
        if step >= len(self._actions):
            raise _core.InputError(f"step = {step} (must be below actions_per_episode = {len(self._actions)})")
        return self._actions[step].copy()

    def memory(self):
        """None: a log depends on the step alone."""

    def recall(self, memory):
        pass


class ClassPolicy:
    """An object of the user's class. Checks what the class returns.

    @param own   the class, from class_of()
    @param path  path of its file
    """

    def __init__(self, own, path, task):
        self._path, self._name, self._task = path, own.__name__, task
        self._module = own.__module__
        self._policy = _called(path, own, task)

    def reset(self, observation, seed):
        if hasattr(self._policy, "reset"):
            _called(self._path, self._policy.reset, observation, seed)

    def memory(self):
        """What the object of the class remembers, as bytes. @throws InputError if it cannot be pickled"""
        file = io.BytesIO()
        _called(self._path, _MemoryPickler(file, self._module, self._task).dump, self._policy)
        return file.getvalue()

    def recall(self, memory):
        """Replaces the object by one that remembers this, also in another process. @param memory  of memory()"""
        self._policy = _called(self._path, _MemoryUnpickler(io.BytesIO(memory), self._module, self._task).load)

    def act(self, observation, step):
        action = _called(self._path, self._policy.act, observation)
        wanted = (len(self._task.components),)
        try:
            row = np.array(action, dtype=np.float64)
        except (TypeError, ValueError, OverflowError):
            raise _core.InputError(f"{self._path}: {self._name}.act() (must return numbers, {wanted})") from None
        if row.shape != wanted:
            names = ", ".join(self._task.components)
            raise _core.InputError(f"{self._path}: {self._name}.act(): shape {row.shape} (must be {wanted}: {names})")
        return row


class _MemoryPickler(pickle.Pickler):
    """Writes names for the task and for what the policy's file defines: both exist where the memory is read.

    @param module  name of the module that the file became
    """

    def __init__(self, file, module, task):
        super().__init__(file)
        self._module, self._task = module, task

    def persistent_id(self, value):
        if value is self._task:
            return "task", ""
        named = isinstance(value, type | FunctionType) and "<" not in value.__qualname__  # no lambda, nothing local
        if named and value.__module__ == self._module:
            return "file", value.__qualname__
        return None


class _MemoryUnpickler(pickle.Unpickler):
    """Reads what _MemoryPickler wrote."""

    def __init__(self, file, module, task):
        super().__init__(file)
        self._module, self._task = module, task

    def persistent_load(self, name):
        kind, qualified_name = name
        return self._task if kind == "task" else attrgetter(qualified_name)(sys.modules[self._module])


def class_of(path, name):
    """Runs a file and returns its class of this name. @throws InputError as load_policy"""
    if not path.is_file():
        raise _core.InputError(f"{path}: no such file (must be a Python file; check the name and the working directory)")
    module = ModuleType(f"policy {path.resolve()}")
    module.__file__ = str(path)
    sys.modules[module.__name__] = module  # dataclasses and pickle look for the module there
    _called(path, _run, module, path)
    own = getattr(module, name, None)
    if not isinstance(own, type):
        known = [key for key, value in vars(module).items() if isinstance(value, type) and hasattr(value, "act")]
        near = difflib.get_close_matches(name, known, n=1, cutoff=0)
        hint = f"; did you mean {near[0]}?" if near else ""
        said = name or "without a name"
        raise _core.InputError(f"{path}: class {said} (must be a class of the file with act(){hint})")
    if not callable(getattr(own, "act", None)):
        raise _core.InputError(f"{path}: class {name} (must have act(self, observation))")
    return own


def _run(module, path):
    """Runs the file. Imports search the file's folder first."""
    sys.path.insert(0, str(path.resolve().parent))
    try:
        exec(compile(path.read_bytes(), str(path), "exec"), vars(module))
    finally:
        sys.path.remove(str(path.resolve().parent))


def _called(path, function, *arguments):
    """Calls a function of the file and returns its result.

    @throws InputError instead of its exceptions, with the innermost line of the file in the traceback
    """
    try:
        return function(*arguments)
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # also SystemExit, and exceptions of the file's own
        lines = [frame.lineno for frame in traceback.extract_tb(error.__traceback__) if frame.filename == str(path)]
        if isinstance(error, SyntaxError) and error.filename == str(path):
            lines.append(error.lineno)
        where = f"{path}:{lines[-1]}" if lines else str(path)
        said = " ".join(str(error).split())
        raise _core.InputError(f"{where}: {type(error).__name__}{': ' if said else ''}{said}") from error
