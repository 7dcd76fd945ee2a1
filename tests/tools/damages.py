"""Damages of a run directory. Each changes a copy of a good one; a seed chooses what it changes."""

import json
import random
import shutil

import h5py
import numpy as np
import yaml

TRAJECTORY, CONFIG = "trajectory.vtkhdf", "config.yaml"
WRONG_VALUES = [None, "word", "", -1, 0, 1e300, float("nan"), float("inf"), [], {}, [1, 2], ["a"], {"a": {}}, True, 2**70, [[[]]]]


def damaged(run, folder, seed):
    """A copy of `run` with one damage. @return what was done"""
    shutil.copytree(run, folder)
    chance = random.Random(seed)
    kind = KINDS[seed % len(KINDS)]
    return f"{kind.__name__}: {kind(folder, chance)}"


def truncated(folder, chance):
    path = folder / chance.choice([TRAJECTORY, TRAJECTORY, CONFIG])
    content = path.read_bytes()
    size = chance.choice([0, 1, 8, chance.randrange(len(content))])
    path.write_bytes(content[:size])
    return f"{path.name} ends after {size} bytes"


def flipped(folder, chance):
    path = folder / chance.choice([TRAJECTORY, TRAJECTORY, CONFIG])
    content = bytearray(path.read_bytes())
    places = [chance.randrange(len(content)) for _ in range(chance.choice([1, 2, 8, 64]))]
    for place in places:
        content[place] ^= chance.randrange(1, 256)
    path.write_bytes(content)
    return f"{path.name}: bytes {places}"


def absent(folder, chance):
    path = folder / chance.choice([TRAJECTORY, CONFIG])
    path.unlink()
    if chance.random() < 0.5:
        path.mkdir()
    return path.name


def objects(file):
    """Names of all groups and datasets."""
    found = []
    file.visit(found.append)
    return found


def without_an_object(folder, chance):
    with h5py.File(folder / TRAJECTORY, "r+") as file:
        name = chance.choice(objects(file))
        del file[name]
        return name


def values_like(values, chance):
    """A dataset's values as they must not be."""
    numbers = values.astype(float) if values.size else np.zeros((1, *values.shape[1:]))
    changed = numbers.copy()
    changed.flat[chance.randrange(changed.size)] = chance.choice([np.nan, np.inf, -np.inf, -1, 1e18, -1e300, 1e308, 0])
    integers = values.dtype.kind in "iu"
    largest = np.iinfo(values.dtype).max if integers else 1.0
    choices = {
        "one value": np.clip(np.nan_to_num(changed), -(2**62), 2**62).astype(np.int64) if integers else changed,
        "one value as a float": changed,
        "all not a number": np.full(numbers.shape, np.nan),
        "all zero": np.zeros_like(values),
        "all largest": np.full(values.shape, largest, values.dtype),
        "reversed": values[::-1],
        "none": values[:0],
        "half": values[: len(values) // 2],
        "twice": np.concatenate([values, values]),
        "a scalar": 1,
        "a dimension more": values[None],
        "flat": values.ravel(),
        "text": np.full(values.shape, b"text"),
        "complex": values.astype(complex),
        "a byte each": values.astype(np.int8) if integers else values.astype(np.float16),
    }
    name = chance.choice(list(choices))
    return name, choices[name]


def with_a_wrong_dataset(folder, chance):
    with h5py.File(folder / TRAJECTORY, "r+") as file:
        name = chance.choice([name for name in objects(file) if isinstance(file[name], h5py.Dataset)])
        what, values = values_like(file[name][()], chance)
        del file[name]
        if chance.random() < 0.1:
            file.create_group(name)
            return f"{name} is a group"
        file[name] = values
        return f"{name}: {what}"


def with_a_wrong_attribute(folder, chance):
    with h5py.File(folder / TRAJECTORY, "r+") as file:
        owner, name = chance.choice([(owner, name) for owner in objects(file) for name in file[owner].attrs])
        if chance.random() < 0.5:
            del file[owner].attrs[name]
        else:
            file[owner].attrs[name] = chance.choice(["text", -1, 2**62, np.nan, [1, 2, 3]])
        return f"{owner}.{name}"


def places(value, path=()):
    """Paths to all values of nested dictionaries and lists."""
    children = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, child in children:
        yield (*path, key)
        yield from places(child, (*path, key))


def changed(tree, chance):
    """Changes one value of nested dictionaries and lists, or removes it. @return its path"""
    path = chance.choice(list(places(tree)))
    owner = tree
    for key in path[:-1]:
        owner = owner[key]
    if chance.random() < 0.3:
        del owner[path[-1]]
        return f"{path} is absent"
    owner[path[-1]] = chance.choice(WRONG_VALUES)
    return f"{path} = {owner[path[-1]]}"


def with_a_wrong_description(folder, chance):
    with h5py.File(folder / TRAJECTORY, "r+") as file:
        name = chance.choice(["nodia/frames/description", "nodia/contacts/bodies"])
        tree = json.loads(bytes(file[name][()]))
        what = changed(tree, chance)
        text = json.dumps(tree).encode()
        if chance.random() < 0.2:
            text, what = chance.choice([b"", b"{", b"null", b"7", b"\xff", b"[" * 100000, text[:-3]]), "no JSON"
        del file[name]
        file[name] = np.frombuffer(text, np.uint8)
        return f"{name}: {what}"


def with_a_wrong_configuration(folder, chance):
    path = folder / CONFIG
    tree = yaml.safe_load(path.read_text())
    what = changed(tree, chance)
    path.write_text(yaml.safe_dump(tree))
    if chance.random() < 0.1:
        path.write_text(chance.choice(["", "[", "- 1", "7", "a: &a [*a]", "[" * 300, "\0", "name: [1]\n? [a]\n: b"]))
        what = "no YAML"
    return what


KINDS = [
    truncated,
    flipped,
    without_an_object,
    with_a_wrong_dataset,
    with_a_wrong_description,
    with_a_wrong_dataset,
    with_a_wrong_configuration,
    with_a_wrong_dataset,
    flipped,
    absent,
    without_an_object,
    with_a_wrong_dataset,
    with_a_wrong_attribute,
]
