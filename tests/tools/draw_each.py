"""Draws run directories in one process with nodia render, and some in the viewer.

Usage: draw_each.py FOLDER ...   writes a line of JSON for each answer: folder, verb, code, output, messages
"""

import contextlib
import io
import json
import sys
import traceback
from pathlib import Path

from nodia_tools import render, view
from nodia_tools.fields import FIELDS


EACH_SHOWN = 3  # runs are shown in the viewer; it reads them as nodia render does


class Shown(KeyboardInterrupt):
    pass


def show_all(viewer):
    """In the place of Viewer.play(): the beginning, the end, and a time between frames."""
    times = viewer._trajectory.times
    for time_s in (times[0], 0.5 * (times[0] + times[-1]), times[-1]):
        viewer.draw(float(time_s), viewer._choice.value)
    raise Shown


def outcome(main, *words):
    out, messages = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(messages):
        sys.argv = list(map(str, words))
        try:
            code = main()
        except BaseException:
            code = 1
            traceback.print_exc()
    return {"code": code, "output": out.getvalue(), "messages": messages.getvalue()}


def main():
    with contextlib.redirect_stdout(io.StringIO()):  # viser's own words
        server = view.OwnPageServer("127.0.0.1", 29000, verbose=False)
    stop, server.stop = server.stop, lambda: None
    view.OwnPageServer = lambda *_, **__: server
    view.Viewer.play = show_all
    folders = [Path(word) for word in sys.argv[1:]]
    for k, folder in enumerate(folders):
        field = list(FIELDS)[k % len(FIELDS)]
        picture = folder.parent / f"{folder.name}.png"
        drawn = outcome(render.main, "render", folder, "--frames", 1, "--size", "160x160", "--field", field, "--out", picture)
        print(json.dumps({"folder": str(folder), "verb": "render", **drawn}), flush=True)
        if k % EACH_SHOWN == 0:
            server.scene.reset()
            server.gui.reset()
            shown = outcome(view.main, "view", folder, "--no-open", "--field", field)
            print(json.dumps({"folder": str(folder), "verb": "view", **shown}), flush=True)
    with contextlib.redirect_stdout(io.StringIO()):
        stop()


if __name__ == "__main__":
    main()
