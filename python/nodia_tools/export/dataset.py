"""Reads a dataset of `nodia generate`. docs/datasets.md describes every file, attribute and array."""

import contextlib
import difflib
import hashlib
import itertools
import json
import re
from collections import Counter
from dataclasses import replace
from pathlib import Path

import h5py
import yaml

from nodia_tools.command_line import InputError
from nodia_tools.export.episode import Episode, text_of
from nodia_tools.formats import require_format, require_version

VERSION = 1  # newest known version of the request
BLOCK_VERSION = 2  # newest known version of a block; blocks of version 1 do not name their request

# The last entry of blocks/N.json: the SHA-256 of its text without this entry.
ENTRY_SUM = re.compile(rb',\n "entry_sha256": "([^"]*)"(?=\n}\n\Z)')


class Dataset:
    """All episodes of a dataset folder.

    The constructor checks that all blocks exist, that their checksums are correct, and that all good episodes have the same
    action, observations and quality arrays.

    @param without      names of observations to leave out
    @raises InputError  if the dataset is incomplete or damaged, or if good episodes differ
    """

    def __init__(self, directory, without=()):
        self.directory = Path(directory)
        self.request_text, self.request = _request(self.directory)
        self.scenario = self.request["scenario"]
        self.seed = int(self.request["seed"])
        self.task, self.control_hz, self.builds = "", 0.0, set()
        n_episode, n = int(self.request["episodes"]), int(self.request["block"])
        self.episodes = []
        self._without, self._descriptions = tuple(without), {}
        request_sum = hashlib.sha256(self.request_text).hexdigest()
        sums = [request_sum]
        for number in range(-(-n_episode // n)):
            path, build, of_episodes = _sound_block(self.directory, number, request_sum)
            self._read_block(path)
            self.builds.add(build)
            sums += of_episodes
        lines = "".join(f"{line}\n" for line in (f"nodia_dataset {VERSION}", *sums))
        self.content_sha256 = hashlib.sha256(lines.encode()).hexdigest()
        if [episode.number for episode in self.episodes] != list(range(n_episode)):
            raise InputError(f"{self.directory}: its blocks do not hold each episode of the request once, in order")
        self.good = [episode for episode in self.episodes if episode.good]
        if not self.good:
            raise InputError(
                f"{self.directory}: no episode is good ({counted(self.causes)}; there is nothing to export)"
            )
        for episode in self.good:
            episode.require_like(self.good[0])

    @property
    def name(self):
        """Name of the scenario."""
        return self.scenario["name"]

    @property
    def robot(self):
        """Name of the robot to which the actions apply. Empty if the actions move frames."""
        return self.scenario["task"]["action"].get("robot", "")

    @property
    def description(self):
        """Description that all good episodes share."""
        return self.good[0].description

    @property
    def causes(self):
        """Number of quarantined episodes by cause, the most frequent cause first."""
        return dict(
            sorted(Counter(one.cause for one in self.episodes if not one.good).items(), key=lambda c: (-c[1], c[0]))
        )

    def acts(self, observation):
        """Whether an observation belongs to a robot, or to a frame that the actions move."""
        names = [*self.scenario.get("robots", {}), *self.scenario["task"]["action"].get("frame", [])]
        return any(observation.name.startswith(f"{name}.") for name in names)

    def with_arrays(self, episodes):
        """Yields pairs of an episode and its Arrays.

        @param episodes  episodes of this dataset, in order
        """
        for path, of_block in itertools.groupby(episodes, lambda episode: episode.path):
            with _reading(path):
                file = h5py.File(path)
            with file:
                for episode in of_block:
                    with _reading(path):
                        arrays = episode.arrays(file)
                    yield episode, arrays

    def _read_block(self, path):
        with _reading(path), h5py.File(path) as file:
            require_version(path, int(file.attrs["format_version"]), BLOCK_VERSION)
            self.control_hz, self.task = float(file.attrs["control_hz"]), text_of(file.attrs["task"])
            for name in sorted(file):
                episode = Episode.of(path, file[name])
                self.episodes.append(replace(episode, description=self._chosen(episode.description)))

    def _chosen(self, description):
        """The description with the observations of the task's `observe`, in that order and without the omitted ones."""
        if description is None:
            return None
        known = {one.name: one for one in description.observations}
        for name in self._without:
            if name not in known:
                near = difflib.get_close_matches(name, known, 1, 0)[0]
                raise InputError(f"--without = {name} (must be an observation of the dataset; did you mean {near}?)")
        names = [name for name in self.scenario["task"]["observe"] if name not in self._without]
        chosen = replace(description, observations=tuple(known[name] for name in names))
        return self._descriptions.setdefault(chosen, chosen)


def counted(causes):
    """Dataset.causes as text."""
    return ", ".join(f"{count} {cause}" for cause, count in causes.items())


@contextlib.contextmanager
def _reading(path):
    """Context that converts an OSError to an InputError."""
    try:
        yield
    except OSError as error:
        raise InputError(f"{path}: cannot be read ({error.strerror or _first_line(error)})") from None


def _request(directory):
    """The bytes of dataset.yaml, and the request that they contain."""
    path = directory / "dataset.yaml"
    if not directory.is_dir():
        what = "a file" if directory.exists() else "missing"
        raise InputError(f"{directory}: {what} (must be the folder of a dataset)")
    if not path.is_file():
        raise InputError(
            f"{directory}: no dataset (it has no dataset.yaml; nodia generate SCENARIO {directory} makes one)"
        )
    with _reading(path):
        text = path.read_bytes()
    try:
        request = yaml.load(text.decode(), Loader=yaml.BaseLoader)
        require_format(path, request | {"format_version": int(request["format_version"])}, "nodia_dataset", VERSION)
        for key in ("seed", "episodes", "block"):
            int(request[key])
        request["scenario"]["name"], request["scenario"]["task"]["action"], request["scenario"]["task"]["observe"]
    except (yaml.YAMLError, UnicodeDecodeError, KeyError, TypeError, ValueError) as error:
        raise InputError(f"{path}: no request of a dataset ({_first_line(error)})") from None
    return text, request


def _sound_block(directory, number, request_sum):
    """Checks the checksums of a block and the request that it names.

    @return path of its HDF5 file, build that generated it, checksums of its episodes
    """
    path = directory / f"blocks/{number:06}.h5"
    published = path.with_suffix(".json")
    again = "the nodia generate that made the dataset makes it"
    if not published.is_file():
        raise InputError(f"{published}: missing (a dataset is exported whole; {again})")
    try:
        text = published.read_bytes()
        entry = json.loads(text.decode())
        require_version(published, entry["format_version"], BLOCK_VERSION)
        wanted, build, of_episodes = entry["sha256"], entry["build"], [one["sha256"] for one in entry["episodes"]]
        sum_of_entry = entry["entry_sha256"]
        named = entry["request_sha256"] if entry["format_version"] > 1 else request_sum
        found = _sum(path)
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise InputError(f"{published}: no whole block ({_first_line(error)}; remove it and {again} again)") from None
    if hashlib.sha256(ENTRY_SUM.sub(b"", text)).hexdigest() != sum_of_entry:
        raise InputError(
            f"{published}: damaged (its entry_sha256 is not that of the rest; remove it and {again} again)"
        )
    if named != request_sum:
        raise InputError(
            f"{published}: request_sha256 = {named:.12} (must be {request_sum:.12}, that of dataset.yaml: "
            "the block is of another dataset, or dataset.yaml was changed)"
        )
    if found != wanted:
        raise InputError(
            f"{path}: damaged (its SHA-256 is not that of {published.name}; remove both and {again} again)"
        )
    return path, build, of_episodes


def _sum(path):
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _first_line(error):
    return next(iter(str(error).splitlines()), type(error).__name__)
