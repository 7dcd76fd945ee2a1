"""Comparison of what environments return."""

import numpy as np


def equal(a, b, where=""):
    """Asserts that two values have the same types, shapes and bits."""
    assert type(a) is type(b), where
    if isinstance(a, dict):
        assert list(a) == list(b), where
        for key in a:
            equal(a[key], b[key], f"{where}/{key}")
    elif isinstance(a, np.ndarray):
        assert a.dtype == b.dtype and a.shape == b.shape, where
        if a.dtype == object:
            for i, (one, other) in enumerate(zip(a, b, strict=True)):
                equal(one, other, f"{where}[{i}]")
        else:
            assert a.tobytes() == b.tobytes(), where
    elif isinstance(a, list | tuple):
        for i, (one, other) in enumerate(zip(a, b, strict=True)):
            equal(one, other, f"{where}[{i}]")
    elif type(a).__module__.split(".")[0] in ("jaxlib", "torch"):
        equal(np.asarray(a), np.asarray(b), where)
    else:
        assert a == b, where
