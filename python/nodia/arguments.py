"""Checks of the package's arguments. Each error names the argument, its value and the violated rule."""

import difflib
import os
from operator import index

import numpy as np

from nodia._core import InputError, RuntimeError

MAX_ENVIRONMENTS = 100_000  # limit of the key `environments`
MAX_STEPS = 1_000_000_000  # limit of time.duration_s / time.step_s


def shown(value):
    """A value in one line of at most 60 characters."""
    text = " ".join(repr(value).split())
    return text if len(text) <= 60 else text[:57] + "..."


def whole(name, value):
    """An int. @throws TypeError"""
    try:
        return index(value)
    except TypeError:
        raise TypeError(f"{name} = {shown(value)} (must be a whole number)") from None


def whole_within(name, value, low, high):
    """An int in [low, high]. @throws TypeError, InputError"""
    value = whole(name, value)
    if value < low:
        raise InputError(f"{name} = {value} (must be >= {low})")
    if value > high:
        raise InputError(f"{name} = {value} (must be <= {high})")
    return value


def number(name, value):
    """A float. @throws TypeError"""
    try:
        return float(value)
    except (TypeError, ValueError):
        raise TypeError(f"{name} = {shown(value)} (must be a number)") from None


def text(name, value):
    """A str. @throws TypeError"""
    if not isinstance(value, str):
        raise TypeError(f"{name} = {shown(value)} (must be a text)")
    return value


def path_text(name, value):
    """A path as a str. @throws TypeError, InputError"""
    try:
        path = os.fspath(value)
    except TypeError:
        raise TypeError(f"{name} = {shown(value)} (must be a path: a text or os.PathLike)") from None
    if not path:
        raise InputError(f"{name} = '' (must be a path)")
    return os.fsdecode(path)


def instance(name, value, kind, hint):
    """The value. @throws TypeError if it is not an instance of `kind`, a class of nodia"""
    if not isinstance(value, kind):
        raise TypeError(f"{name} = {shown(value)} (must be {kind.__module__.split('.')[0]}.{kind.__name__}; {hint})")
    return value


def real_array(name, values, rule="must be numbers"):
    """A float64 array. @throws InputError for texts, complex numbers, None and other objects"""
    try:
        array = np.asarray(values)
        # NumPy would convert None to NaN.
        numbers = array.dtype.kind in "biuf" or (array.dtype.kind == "O" and None not in array.ravel().tolist())
        if numbers:
            return array.astype(np.float64)
    except (TypeError, ValueError):
        pass
    raise InputError(f"{name} = {shown(values)} ({rule})")


def options_of(options, known):
    """The options of a reset. @throws TypeError; InputError for an option that is not in `known`"""
    options = {} if options is None else options
    if not isinstance(options, dict):
        raise TypeError(f"options = {shown(options)} (must be a dictionary)")
    for key in options:
        if key not in known:
            rule = f"must be {', '.join(known)}" if known else "there are none"
            near = difflib.get_close_matches(str(key), known, n=1)
            if near:
                rule += f"; did you mean {near[0]}?"
            raise InputError(f"options[{key!r}] = {shown(options[key])} (unknown option; {rule})")
    return options


def cannot_be_written(path, error):
    """The RuntimeError that reports an OSError of a write."""
    return RuntimeError(f"{path}: cannot be written ({error.strerror}; must be a file in an existing folder)")
