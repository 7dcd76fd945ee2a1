"""Writes the HDF5 file that robomimic 0.3 reads."""

import json

import h5py
import numpy as np

from nodia_tools.command_line import InputError
from nodia_tools.export.card import action_in_words, observation_in_words, quality_in_words
from nodia_tools.export.guarded_file import GuardedFile

FILE = "dataset.hdf5"
GYM = 2  # robomimic's EnvType for Gymnasium environments
VALID_EVERY = 10  # every tenth good episode is for validation


def export_robomimic(dataset, folder, told=lambda episode, arrays: None, quarantined=False):
    """Writes the good episodes of a dataset. Episode K of the dataset becomes demo_K.

    @param folder       empty folder
    @param told         called with every written episode and its arrays
    @param quarantined  also write the recorded steps of failed episodes, and list these in mask/quarantined
    @return             numbers of (episodes, frames)
    """
    keys = keys_of(dataset.description.observations)
    chosen = [one for one in dataset.episodes if one.good or (quarantined and one.description is not None)]
    for episode in chosen:
        episode.require_like(dataset.good[0])
    n_frame = 0
    with GuardedFile(folder / FILE) as guarded, h5py.File(guarded, "w") as file:
        data = file.create_group("data")
        for episode, arrays in dataset.with_arrays(chosen):
            demo = data.create_group(f"demo_{episode.number}")
            n_frame += _write_demo(demo, episode, arrays, dataset.description.action, keys)
            guarded.require_sound()
            told(episode, arrays)
        data.attrs["total"] = n_frame
        data.attrs["env_args"] = json.dumps(_environment(dataset, keys))
        for name, numbers in _masks(chosen).items():
            file[f"mask/{name}"] = np.array([f"demo_{number}" for number in numbers], "S")
        file.flush()
        guarded.require_sound()
    return len(chosen), n_frame


def columns_in_words(dataset):
    """(name, description) of every array of a demo."""
    described = dataset.description
    keys = keys_of(described.observations)
    return [
        ("`actions`", f"scaled to -1 to 1 at the bounds: {action_in_words(described.action)}"),
        ("`rewards`", "reward of the action"),
        ("`dones`", "1: the episode ends with the action"),
        ("`states`", "zeros, because robomimic requires the array"),
        *(
            (f"`obs/{keys[one.name]}`, `next_obs/{keys[one.name]}`", observation_in_words(one))
            for one in described.observations
        ),
        *((f"`quality/{one.name}`", quality_in_words(one)) for one in described.quality),
    ]


def keys_of(observations):
    """robomimic's name of each observation. The dots are replaced, because robomimic's networks do not accept them.

    @raises InputError  if two observations get the same name
    """
    keys = {}
    for seen in observations:
        key = seen.name.replace(".", "_")
        if key in keys.values():
            raise InputError(
                f"observation {seen.name}: is {key} for robomimic, like another observation (--without leaves one out)"
            )
        keys[seen.name] = key
    return keys


def scaled(action, components):
    """Scales actions to -1 to 1 at the bounds. A component with equal bounds becomes 0. NaN stays NaN."""
    low, high = (np.array([getattr(one, side) for one in components]) for side in ("low", "high"))
    span = np.where(high > low, high - low, 1)
    return np.clip(np.where(high > low, 2 * (action - low) / span - 1, 0 * action), -1, 1)


def _write_demo(demo, episode, arrays, components, keys):
    n = len(arrays.action)
    demo.attrs["num_samples"] = n
    demo.attrs["episode"], demo.attrs["seed"], demo.attrs["attempt"] = (
        episode.number,
        np.uint64(episode.seed),
        episode.attempt,
    )
    demo.attrs["drawn"] = json.dumps(episode.drawn, sort_keys=True)
    demo.attrs["success"], demo.attrs["cause"] = episode.success, episode.cause
    _write(demo, "actions", scaled(arrays.action, components))
    _write(demo, "rewards", arrays.reward)
    _write(demo, "dones", arrays.done.astype(np.int64))
    _write(demo, "states", np.zeros((n, 1)))
    for name, key in keys.items():
        _write(demo, f"obs/{key}", arrays.observations[name][:-1])
        _write(demo, f"next_obs/{key}", arrays.observations[name][1:])
    for name, values in arrays.quality.items():
        _write(demo, f"quality/{name}", values)
    return n


def _write(group, name, values):
    group.create_dataset(name, data=values, compression="gzip", compression_opts=1, shuffle=True)


def _environment(dataset, keys):
    """robomimic's description of the environment: the meaning of actions and observations."""
    action = dataset.description.action
    return {
        "env_name": dataset.name,
        "env_type": GYM,
        "type": GYM,
        "env_kwargs": {
            "task": dataset.task,
            "control_hz": dataset.control_hz,
            "action_names": [one.name for one in action],
            "action_units": [one.unit for one in action],
            "action_low": [one.low for one in action],
            "action_high": [one.high for one in action],
            "observations": {key: name for name, key in keys.items()},
        },
    }


def _masks(episodes):
    """Episode numbers by name of the mask. A single good episode is for training."""
    good = [one.number for one in episodes if one.good]
    last = min(len(good), VALID_EVERY) - 1
    valid = [number for k, number in enumerate(good) if k % VALID_EVERY == last and len(good) > 1]
    masks = {"train": sorted(set(good) - set(valid)), "valid": valid}
    failed = [one.number for one in episodes if not one.good]
    return masks | ({"quarantined": failed} if failed else {})
