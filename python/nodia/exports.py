"""Datasets in the formats of learners: the module behind `nodia export`."""

import json

from nodia.arguments import path_text
from nodia.tools import printed, require, words_of

EXTRA = ("h5py", "pyarrow")


def export(directory, out, to, without=(), quarantined=False):
    """A dataset of `nodia generate` as a folder that LeRobot or robomimic reads, in a process of its own.

    Needs the extra: pip install 'nodia[export]'.
    @param out          new or empty folder
    @param to           "lerobot" or "robomimic"
    @param without      names of observations that are left out
    @param quarantined  of robomimic: quarantined episodes too, under mask/quarantined
    @return what `nodia export --json` prints, as a dict: episodes, frames, quarantined, causes, content_sha256
    """
    require("export", EXTRA)
    without = [without] if isinstance(without, str) else without
    words = [path_text("directory", directory), path_text("out", out), *words_of({"to": to, "all": quarantined, "json": True})]
    for name in without:
        words += words_of({"without": name})
    return json.loads(printed("nodia_tools.export.command", words))
