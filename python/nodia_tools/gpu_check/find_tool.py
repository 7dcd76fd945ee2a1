"""Tools of CUDA, which are often beside the path."""

import shutil


def find_tool(name, *folders):
    """A program on the path or in a folder of the toolkit."""
    paths = (shutil.which(name, path=folder) for folder in (None, "/usr/local/cuda/bin", *folders))
    return next(filter(None, paths), None)
