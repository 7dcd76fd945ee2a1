"""Scenarios: files, YAML texts, or dictionaries with their keys."""

import json
import os
import warnings
from pathlib import Path

import numpy as np

from nodia import _core
from nodia.arguments import path_text, shown, text, whole, whole_within
from nodia.notices import ScenarioWarning


class Episode:
    """A scenario with sampled values: the start of one environment."""

    def __init__(self, scenario, draw, core):
        self._scenario, self._draw, self._core = scenario, draw, core

    @property
    def name(self):
        """Name of the scenario."""
        return self._core.name

    @property
    def seed(self):
        """Seed of the sampled values; 0 if none was given."""
        return self._core.seed

    @property
    def index(self):
        """Index of the episode among those of its seed."""
        return self._core.index

    @property
    def attempt(self):
        """Number of the attempt at this episode. Each attempt has other values."""
        return self._core.attempt

    @property
    def drawn(self):
        """The sampled values by dotted key, in the units of the keys: numbers, or an entry of a choice."""
        return json.loads(self._core.drawn_json)

    @property
    def yaml(self):
        """The whole scenario with defaults and sampled values, as a text that loads to the same episode."""
        return self._core.yaml

    @property
    def step_s(self):
        """Length of a time step [s]."""
        return self._core.step_s

    @property
    def duration_s(self):
        """Simulated time of a run of the scenario [s]."""
        return self._core.duration_s

    @property
    def warnings(self):
        """Warnings about values that may be mistakes, one sentence each."""
        return [text for _, text in self._core.warnings]

    def __reduce__(self):
        return _episode, (self._scenario, self._draw)

    def __repr__(self):
        return f"<nodia.Episode {self.name!r}, seed {self.seed}, index {self.index}>"


def _episode(scenario, draw):
    return scenario._episode(draw)


def _natural(name, value, below):
    """An int. @throws InputError if it is not in [0, below)"""
    value = whole(name, value)
    if not 0 <= value < below:
        raise _core.InputError(f"{name} = {value} (must be in [0, {below}))")
    return value


class _OtherKind(TypeError):
    """Raised for a value that JSON cannot represent."""


def _plain(value):
    """Converts values of NumPy and paths for JSON."""
    if isinstance(value, np.ndarray | np.generic):
        return value.tolist()
    if isinstance(value, os.PathLike):
        return os.fspath(value)
    raise _OtherKind(f"{shown(value)} (must be a number, a text, a list or a dictionary)")


def _json(value, label, key=""):
    """JSON text of a value. @throws InputError with the key of a value that JSON cannot represent"""
    try:
        return json.dumps(value, default=_plain)
    except _OtherKind as error:
        raise _core.InputError(f"{label}: {_place_of(value, key)} = {error}") from None
    except (TypeError, ValueError) as error:
        raise _core.InputError(f"{label}: {error} (must be keys and values)") from None


def _place_of(value, key):
    """Dotted key of the first value that JSON cannot represent."""
    members = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list | tuple) else ()
    for name, member in members:
        try:
            json.dumps(member, default=_plain)
        except _OtherKind:
            return _place_of(member, f"{key}.{name}" if key else str(name))
    return key


def _override(key, value):
    return f"{text('key', key)}={_json(value, 'overrides', key)}"


def _overrides_of(overrides, packages):
    """A list of `key=value`. @throws TypeError, InputError"""
    if isinstance(overrides, dict):
        overrides = [_override(key, value) for key, value in overrides.items()]
    elif isinstance(overrides, str):
        overrides = [overrides]
    elif not isinstance(overrides, list | tuple):
        raise TypeError(f"overrides = {shown(overrides)} (must be a dictionary of dotted keys, or texts key=value)")
    overrides = [text(f"overrides[{k}]", each) for k, each in enumerate(overrides)]
    if packages is not None and not isinstance(packages, dict):
        raise TypeError(f"packages = {shown(packages)} (must be a dictionary of folders by name)")
    for name, path in (packages or {}).items():
        folder = os.path.abspath(path_text(f"packages[{name!r}]", path))
        if not os.path.isdir(folder):
            raise _core.InputError(f"packages[{name!r}] = {path} (must be a folder)")
        overrides.append(_override(f"packages.{name}", folder))
    return overrides


class Scenario:
    """A scenario. Its meshes, robots and tracks are read once for all episodes. It never changes.

    @param source     path of a YAML file, a text of several lines in YAML, or a dictionary with the same keys
    @param overrides  values by dotted key, `{"time.step_s": 0.005}`, or `"key=value"` as for --set, or a list of these
    @param directory  start of relative paths in a text or a dictionary (default: the working directory)
    @param packages   folders of the packages that URDF files name in `package://NAME/FILE`, by name
    @throws InputError `file:line: key = value (must be rule; hint)`
    """

    def __init__(self, source, overrides=(), *, directory=None, packages=None):
        overrides = _overrides_of(overrides, packages)
        folder = str(Path("." if directory is None else path_text("directory", directory)).absolute())
        if not os.path.isdir(folder):
            raise _core.InputError(f"directory = {directory} (must be a folder; paths in the scenario start from it)")
        self._arguments = (source, overrides, folder)
        if isinstance(source, dict):
            self._core = _core.source_of_text(_json(source, "scenario"), "scenario", folder, False, list(overrides))
        elif isinstance(source, str) and "\n" in source:
            self._core = _core.source_of_text(source, "scenario", folder, True, list(overrides))
        else:
            if directory is not None:
                raise _core.InputError(
                    f"directory = {directory} (must be left out beside a file, whose folder it is)"
                )
            if not isinstance(source, str | os.PathLike):
                raise TypeError(f"source = {shown(source)} (must be a path, a text in YAML, or a dictionary)")
            self._core = _core.source_of_file(path_text("source", source), list(overrides))
            self._arguments = (os.path.abspath(source), overrides, None)

    @property
    def environments(self):
        """The key `environments`: number of environments of a run."""
        return self._core.environments

    @property
    def seed(self):
        """The key `seed`, or None if the scenario has none."""
        draw = self._core.draw_seed
        return None if draw is None else draw[0]

    @property
    def draws(self):
        """Whether a seed samples values."""
        return self._core.draws

    def episode(self, seed=None, index=None, attempt=None):
        """The scenario with the values that (seed, index, attempt) sample.

        Different triples sample independent values. (S, K, 0) is the episode of `nodia run --seed S --episode K`. The
        defaults of index and attempt are 0. Without a seed, the file's seed, index and attempt count; if the file has
        no seed either, nothing is sampled.
        """
        draw = self._core.draw_seed
        if seed is not None:
            draw = seed, 0, 0
        if draw is None:
            for name, value in (("index", index), ("attempt", attempt)):
                if value is not None and whole(name, value) != 0:
                    raise _core.InputError(f"{name} = {value} (must be 0 where no seed is given; give a seed)")
            return self._episode(None)
        given = {"seed": draw[0], "index": draw[1], "attempt": draw[2]}
        if index is not None:
            given |= {"index": index, "attempt": 0}
        if attempt is not None:
            given["attempt"] = attempt
        limits = {"seed": 2**64, "index": 2**64, "attempt": 2**31}
        return self._episode(tuple(_natural(name, value, limits[name]) for name, value in given.items()))

    def _episode(self, draw):
        episode = Episode(self, draw, self._core.episode(draw))
        for text in episode.warnings:
            warnings.warn(text, ScenarioWarning, stacklevel=3)
        return episode

    def __copy__(self):
        """The scenario itself, because it never changes."""
        return self

    def __deepcopy__(self, memo):
        return self

    def __reduce__(self):
        source, overrides, directory = self._arguments
        return _scenario, (source, overrides, directory)


def _scenario(source, overrides, directory):
    return Scenario(source, overrides, directory=directory)
