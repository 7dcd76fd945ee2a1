"""An episode of a dataset's block: docs/datasets.md has every attribute and array."""

import json
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from nodia_tools.command_line import InputError


@dataclass(frozen=True)
class Component:
    """Of an action; actions lie within its bounds."""

    name: str
    unit: str
    low: float
    high: float


@dataclass(frozen=True)
class Observation:
    """@param parts  names along the last axis"""

    name: str
    shape: tuple[int, ...]
    unit: str
    parts: tuple[str, ...]

    @property
    def components(self):
        """Names of its numbers, the last axis fastest: NAME.x, or of node 7 NAME.7.x."""
        places = np.ndindex(self.shape[:-1])
        return tuple(".".join([self.name, *map(str, place), part]) for place in places for part in self.parts)


@dataclass(frozen=True)
class Quality:
    """Of a control step. @param words  what the numbers 0, 1, ... of a status mean"""

    name: str
    unit: str
    whole: bool
    words: tuple[str, ...]


@dataclass(frozen=True)
class Description:
    """What every row of an episode's arrays is made of."""

    action: tuple[Component, ...]
    observations: tuple[Observation, ...]
    quality: tuple[Quality, ...]


@dataclass(frozen=True)
class Arrays:
    """Of T control steps.

    @param action        [T, n]
    @param observations  [T + 1, ...] by name: before the first action, and behind each
    @param reward        [T]
    @param success, done  [T] bool: reached in the control step; the episode ended with it
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
    """What is known of an episode without its arrays.

    @param good         it was not quarantined
    @param cause        of a quarantined one, a word; else empty
    @param steps        control steps that were made, the failed one included
    @param description  None where there are no arrays
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
        """@param group  of the block's file, open; description: in the order of the file"""
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
        """@param file  the block's, open"""
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
        """@raises InputError  where the episode's rows are not made of the same as those of `other`"""
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
    """Of an attribute, whichever of HDF5's kinds of text it is."""
    return value.decode() if isinstance(value, bytes) else str(value)


def texts_of(values):
    return [text_of(value) for value in values]
