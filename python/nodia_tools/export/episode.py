"""An episode in a block of a dataset. docs/datasets.md describes every attribute and array."""

import json
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from nodia_tools.command_line import InputError


@dataclass(frozen=True)
class Component:
    """A component of an action, with the bounds of its values."""

    name: str
    unit: str
    low: float
    high: float


@dataclass(frozen=True)
class Observation:
    """An observation of a control step.

    @param parts  names along the last axis
    """

    name: str
    shape: tuple[int, ...]
    unit: str
    parts: tuple[str, ...]

    @property
    def components(self):
        """Names of its numbers, with the last axis fastest: NAME.x, or NAME.7.x for node 7."""
        places = np.ndindex(self.shape[:-1])
        return tuple(".".join([self.name, *map(str, place), part]) for place in places for part in self.parts)


@dataclass(frozen=True)
class Quality:
    """A quality value of a control step.

    @param whole  whether the values are integers
    @param words  meaning of the numbers 0, 1, ... of a status
    """

    name: str
    unit: str
    whole: bool
    words: tuple[str, ...]


@dataclass(frozen=True)
class Description:
    """Names, units and shapes of the columns of an episode's arrays."""

    action: tuple[Component, ...]
    observations: tuple[Observation, ...]
    quality: tuple[Quality, ...]


@dataclass(frozen=True)
class Arrays:
    """Arrays of an episode of T control steps.

    @param action        [T, n]
    @param observations  [T + 1, ...] by name: before the first action, and after each action
    @param reward        [T]
    @param success       [T] bool: the task's success was reached in the control step
    @param done          [T] bool: the episode ended with the control step
    @param quality       [T] by name
    """

    action: np.ndarray
    observations: dict[str, np.ndarray]
    reward: np.ndarray
    success: np.ndarray
    done: np.ndarray
    quality: dict[str, np.ndarray]


@dataclass(frozen=True)
class Episode:
    """An episode without its arrays.

    @param attempt      number of rejected starts before the accepted one
    @param drawn        sampled values by key of the scenario
    @param good         whether the episode is not quarantined
    @param cause        cause of the quarantine, one word; empty for a good episode
    @param steps        number of executed control steps, including a failed one
    @param description  None if the episode has no arrays
    """

    path: Path
    number: int
    seed: int
    attempt: int
    drawn: dict
    good: bool
    success: bool
    cause: str
    steps: int
    description: Description | None

    @staticmethod
    def of(path, group):
        """Reads the attributes of an episode. The observations of its description are in the order of the file.

        @param group  group of the episode in the open file of its block
        """
        attributes = group.attrs
        return Episode(
            path=path,
            number=int(attributes["episode"]),
            seed=int(attributes["seed"]),
            attempt=int(attributes["attempt"]),
            drawn=json.loads(text_of(attributes["drawn"])),
            good=text_of(attributes["status"]) == "good",
            success=bool(attributes["success"]),
            cause=text_of(attributes["cause"]),
            steps=int(attributes["steps"]),
            description=_description(group) if "action" in group else None,
        )

    def arrays(self, file):
        """Reads the arrays of the episode.

        @param file  open file of its block
        """
        group = file[f"episode_{self.number:06}"]
        return Arrays(
            action=group["action"][()],
            observations={seen.name: group["observation"][seen.name][()] for seen in self.description.observations},
            reward=group["reward"][()],
            success=group["success"][()].astype(bool),
            done=(group["terminated"][()] | group["truncated"][()]).astype(bool),
            quality={one.name: group["quality"][one.name][()] for one in self.description.quality},
        )

    def require_like(self, other):
        """Checks that the arrays have the same columns as those of another episode.

        @raises InputError  if they differ
        """
        if self.description == other.description:
            return
        seen, known = ({one.name: one for one in e.description.observations} for e in (self, other))
        for name in {**known, **seen}:
            if seen.get(name) != known.get(name):
                shapes = [list(of[name].shape) if name in of else "missing" for of in (known, seen)]
                raise InputError(
                    f"{self.path}: observation {name} is {shapes[1]} in episode {self.number}, {shapes[0]} in episode "
                    f"{other.number} (must be the same in all; --without {name} leaves it out)"
                )
        what = "action" if self.description.action != other.description.action else "quality"
        raise InputError(
            f"{self.path}: {what} of episode {self.number} has other names, units or bounds than that of episode "
            f"{other.number} (must be the same in all)"
        )


def _description(group):
    action = group["action"].attrs
    return Description(
        action=tuple(
            Component(text_of(name), text_of(unit), float(low), float(high))
            for name, unit, low, high in zip(
                action["names"], action["units"], action["low"], action["high"], strict=True
            )
        ),
        observations=tuple(_observation(name, array) for name, array in group["observation"].items()),
        quality=tuple(
            Quality(
                name,
                text_of(array.attrs["unit"]),
                array.dtype.kind in "iu",
                tuple(texts_of(array.attrs.get("names", ()))),
            )
            for name, array in group["quality"].items()
        ),
    )


def _observation(name, array):
    shape = array.shape[1:]
    parts = texts_of(array.attrs.get("names", ())) or map(str, range(shape[-1]))
    return Observation(name, shape, text_of(array.attrs["unit"]), tuple(parts))


def text_of(value):
    """Text of an attribute, for every string type of HDF5."""
    return value.decode() if isinstance(value, bytes) else str(value)


def texts_of(values):
    return [text_of(value) for value in values]
