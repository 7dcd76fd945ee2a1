"""Files of a run may be damaged or written by another program: every error of reading one is an InputError that names it."""

import contextlib

import numpy as np

from nodia_tools.command_line import InputError

LARGEST = 1e12  # of a coordinate or a size [m]: larger ones overflow in pictures


@contextlib.contextmanager
def reading(path, complaint):
    """Whatever a library raises in it becomes the InputError `path: complaint (reason)`."""
    try:
        yield
    except InputError:
        raise
    except Exception as error:
        reason = " ".join(str(error).split())
        raise InputError(f"{path}: {complaint} ({type(error).__name__}{': ' if reason else ''}{reason})") from error


def numbers(values, shape, what):
    """Finite numbers of a shape, float64. @raises ValueError"""
    result = np.asarray(values, float)
    if result.shape != shape:
        raise ValueError(f"{what} has shape {result.shape} (must be {shape})")
    if not np.all(np.abs(result) <= LARGEST):
        raise ValueError(f"{what} is not finite (must be at most {LARGEST:g})")
    return result


def rotations(values, shape, what):
    """Quaternions wxyz that are no zeros, as they are. @raises ValueError"""
    wxyz = numbers(values, shape, what)
    if not np.all(np.linalg.norm(wxyz, axis=-1) > 1e-6):
        raise ValueError(f"{what} has a quaternion of length 0 (must be a rotation)")
    return wxyz


def sizes(values, shape, what):
    """Lengths above 0. @raises ValueError"""
    result = numbers(values, shape, what)
    if not np.all(result > 0):
        raise ValueError(f"{what} = {result.tolist()} (must be > 0)")
    return result
