"""Scenarios: files, YAML texts, or dictionaries with their keys."""

import json
import os
import warnings
from pathlib import Path

import numpy as np

from nodia import _core
from nodia.notices import ScenarioWarning


class Episode:
    """A scenario with its values drawn: what one environment starts from."""

    def __init__(self, scenario, seed, core):
        self._scenario, self._seed, self._core = scenario, seed, core

    @property
    def name(self):
        """Of the scenario."""
        return self._core.name

    @property
    def seed(self):
        """That drew the values; 0 where none was given."""
        return self._core.seed

    @property
    def drawn(self):
        """The drawn values by their dotted keys, in the units of the keys."""
        return self._core.drawn

    @property
    def yaml(self):
        """All of it with defaults and drawn values: a text that loads to the same episode."""
        return self._core.yaml

    @property
    def step_s(self):
        """Of a step [s]."""
        return self._core.step_s

    @property
    def duration_s(self):
        """That a run of the scenario takes [s]."""
        return self._core.duration_s

    @property
    def warnings(self):
        """What it may have meant otherwise, a sentence each."""
        return [text for _, text in self._core.warnings]

    def __reduce__(self):
        return _episode, (self._scenario, self._seed)

    def __repr__(self):
        return f"<nodia.Episode {self.name!r}, seed {self.seed}>"


def _episode(scenario, seed):
    return scenario._episode(seed)


def _plain(value):
    """What JSON has no word for."""
    if isinstance(value, np.ndarray | np.generic):
        return value.tolist()
    if isinstance(value, os.PathLike):
        return os.fspath(value)
    raise TypeError(f"{type(value).__name__} (must be a number, a text, a list or a dictionary)")


def _override(item):
    key, value = item
    return f"{key}={json.dumps(value, default=_plain)}"


class Scenario:
    """A scenario, read once: meshes, robots and tracks stay for all its episodes.

    @param source     path of a YAML file; or a text of several lines in YAML; or a dictionary with the same keys
    @param overrides  values by dotted key, `{"time.step_s": 0.005}`, or a list of
        `"key=value"`, or one, as --set takes them
    @param directory  that paths in a text or a dictionary start from; the working directory without it
    @throws InputError `file:line: key = value (must be rule; hint)`
    """

    def __init__(self, source, overrides=(), *, directory=None):
        if isinstance(overrides, dict):
            overrides = [_override(item) for item in overrides.items()]
        elif isinstance(overrides, str):
            overrides = [overrides]
        self._arguments = (source, list(overrides), directory)
        folder = str(Path(directory or ".").absolute())
        if isinstance(source, dict):
            try:
                text = json.dumps(source, default=_plain)
            except (TypeError, ValueError) as error:
                raise _core.InputError(f"scenario: {error}") from None
            self._core = _core.source_of_text(text, "scenario", folder, False, list(overrides))
        elif isinstance(source, str) and "\n" in source:
            self._core = _core.source_of_text(source, "scenario", folder, True, list(overrides))
        else:
            if directory is not None:
                raise _core.InputError(
                    f"directory = {directory} (must be left out beside a file, whose folder it is)"
                )
            self._core = _core.source_of_file(os.fspath(source), list(overrides))

    @property
    def environments(self):
        """The key `environments`: how many a run of it has."""
        return self._core.environments

    @property
    def seed(self):
        """The key `seed`; None where it is left out."""
        return self._core.seed

    @property
    def draws(self):
        """Whether values are drawn where a seed is given."""
        return self._core.draws

    def episode(self, seed=None, index=0):
        """The scenario with its values drawn by (seed, index).

        Draws as `nodia run --seed S` with S = seed + index: episode k of seed 7 is episode 0 of seed 7 + k. Without a
        seed, here or in the file, nothing is drawn, and the index must be 0.
        """
        if seed is None:
            seed = self.seed
        if seed is None:
            if index != 0:
                raise _core.InputError(f"index = {index} (must be 0 where no seed is given; give a seed)")
            return self._episode(None)
        drawn_by = int(seed) + int(index)
        if seed < 0 or index < 0 or drawn_by >= 2**64:
            raise _core.InputError(f"seed = {seed}, index = {index} (must be >= 0, their sum below 2^64)")
        return self._episode(drawn_by)

    def _episode(self, seed):
        episode = Episode(self, seed, self._core.episode(seed))
        for text in episode.warnings:
            warnings.warn(text, ScenarioWarning, stacklevel=3)
        return episode

    def __reduce__(self):
        source, overrides, directory = self._arguments
        return _scenario, (source, overrides, directory)


def _scenario(source, overrides, directory):
    return Scenario(source, overrides, directory=directory)
