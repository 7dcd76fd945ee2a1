"""Export of datasets to the formats of learning libraries, as `nodia export` does it."""

import json

from nodia.arguments import path_text
from nodia.tools import printed, require, words_of

EXTRA = ("h5py", "pyarrow")


def export(directory, out, to, without=(), quarantined=False):
    """Exports a dataset of `nodia generate` to a folder for LeRobot or robomimic, in a separate process.

    It needs the optional packages of pip install 'nodia[export]'.
    @param directory    folder of the dataset
    @param out          new or empty folder
    @param to           "lerobot" or "robomimic"
    @param without      name or names of observations to omit
    @param quarantined  whether to export quarantined episodes too, under mask/quarantined (robomimic only)
    @return the output of `nodia export --json` as a dict: episodes, frames, quarantined, causes, content_sha256
    @throws ImportError if a package is missing; InputError for bad arguments; RuntimeError if the export fails
    """
    require("export", EXTRA)
    without = [without] if isinstance(without, str) else without
    words = [path_text("directory", directory), path_text("out", out), *words_of({"to": to, "all": quarantined, "json": True})]
    for name in without:
        words += words_of({"without": name})
    return json.loads(printed("nodia_tools.export.command", words))
