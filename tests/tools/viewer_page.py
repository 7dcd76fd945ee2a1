"""The viewer's page in a browser: its panel, and what its scene holds and has drawn."""

import base64
import io
import json
import re
import signal
import subprocess
import sys
from contextlib import contextmanager

import numpy as np
from browser import Browser, wait_until
from tool_environment import tool_environment
from PIL import Image

SIZE = (640, 400)

# The frame of the run, and every mesh that three.js would draw: colour, frame, vertices, faces.
HELD = """(() => {
  const text = array => {
    const bytes = new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
    let letters = "";
    for (let i = 0; i < bytes.length; i += 4096)
      letters += String.fromCharCode(...bytes.subarray(i, i + 4096));
    return btoa(letters);
  };
  const page = window.__viserMutable, meshes = [];
  page.scene.updateMatrixWorld();
  page.scene.traverseVisible(o => {
    if (!o.isMesh || !o.geometry.index || o.geometry.index.count === 0 || !o.material.color) return;
    meshes.push([o.material.color.getHexString(), o.matrixWorld.elements,
                 text(o.geometry.attributes.position.array),
                 text(Uint32Array.from(o.geometry.index.array))]);
  });
  return [page.nodeRefFromName[""].matrixWorld.elements, meshes];
})()"""

# From a point of the run to the canvas, as the camera stands: columns first.
CAMERA = """(() => {
  const page = window.__viserMutable, camera = page.camera;
  camera.updateMatrixWorld();
  return [camera.projectionMatrix, camera.matrixWorldInverse,
          page.nodeRefFromName[""].matrixWorld].map(m => m.elements);
})()"""

# Keeps, of every picture that is drawn from now on, each body mesh's number of triangles and place
# of one vertex, and the place of the grip's first vertex.
WATCH = """(() => {
  const page = window.__viserMutable;
  const place = (mesh, vertex) => {
    const e = mesh.matrixWorld.elements;
    const p = mesh.geometry.attributes.position.array.subarray(3 * vertex, 3 * vertex + 3);
    return [0, 1, 2].map(k => e[k] * p[0] + e[4 + k] * p[1] + e[8 + k] * p[2] + e[12 + k]);
  };
  const mesh = node => node.children.find(child => child.isMesh);
  window.pictures = [];
  page.scene.onAfterRender = () => {
    const bodies = [];
    for (const [name, node] of Object.entries(page.nodeRefFromName)) {
      if (!name.startsWith("/body/") || !node || !node.visible) continue;
      const n = mesh(node).geometry.index.count / 3;
      if (n > 0) bodies.push([n, ...place(mesh(node), VERTEX)]);
    }
    window.pictures.push([bodies, place(mesh(page.nodeRefFromName["/grips/grip"]), 0)]);
  };
})()"""


def _matrix(elements):
    """three.js keeps columns."""
    return np.reshape(elements, (4, 4)).T


class ViewerPage:
    def __init__(self, browser):
        self.browser = browser

    def wait_for_scene(self):
        wait_until(
            lambda: self.browser.run(
                "Boolean(window.__viserMutable?.nodeRefFromName['/body/0']) &&"
                " Boolean(document.querySelector('[role=slider]'))"
            ),
            "the scene and the panel",
        )

    def text(self):
        return self.browser.run("document.body.innerText")

    def time_s(self):
        return float(
            self.browser.run(
                "document.querySelector('[role=slider]').getAttribute('aria-valuenow')"
            )
        )

    def plays(self):
        return self.browser.run(f"{self._input('play')}.checked")

    def set_play(self, on):
        if self.plays() != on:
            self._click(self._input("play"))
            wait_until(lambda: self.plays() == on, f"play = {on}")

    def jump_to(self, time_s):
        """Types the time into the number beside the slider."""
        row = "document.querySelector('[role=slider]').closest('div:has(input[type=text])')"
        self._click(f"{row}.querySelector('input[type=text]')")
        self.browser.type(f"{time_s:.3f}")
        wait_until(lambda: abs(self.time_s() - time_s) < 1e-9, f"{time_s} s on the slider")

    def click_slider(self, share):
        """A click on the time line at this share of its length."""
        self._click("document.querySelector('[role=slider]').parentElement", share)

    def choose_colour(self, name):
        self._click(self._input("colour"))
        option = (
            "[...document.querySelectorAll('[role=option]')]"
            f".find(option => option.innerText === {json.dumps(name)})"
        )
        self._click(option)
        wait_until(lambda: self.browser.run(f"{self._input('colour')}.value") == name, name)

    @contextmanager
    def lagging(self):
        """What the server tells meanwhile reaches the page's panel and scene at the end."""
        self.browser.run("window.__viserMutable.getRenderRequestState = 'lagging'")
        yield
        self.browser.run("window.__viserMutable.getRenderRequestState = 'ready'")
        self.browser.run("window.__viserMutable.requestRender()")
        queue = "window.__viserMutable.messageQueue"
        wait_until(lambda: self.browser.run(f"{queue}.length") == 0, "what was held back")

    @contextmanager
    def slowed_down(self, factor):
        """The page's scripts run `factor` times as slowly."""
        self.browser.send("Emulation.setCPUThrottlingRate", rate=factor)
        yield
        self.browser.send("Emulation.setCPUThrottlingRate", rate=1)

    def watch_pictures(self, vertex):
        self.browser.run(WATCH.replace("VERTEX", str(vertex)))

    def pictures(self):
        """Of each since `watch_pictures`: triangles and place of meshes [n, 4], the grip's place."""
        return [
            (np.reshape(bodies, (-1, 4)), np.array(grip))
            for bodies, grip in self.browser.run("window.pictures")
        ]

    def triangles(self):
        """Corners of what the scene draws, by colour: `rrggbb` to [n, 3, 3]."""
        found = {}
        run, meshes = self.browser.run(HELD)
        for colour, frame, vertices, faces in meshes:
            vertices = np.frombuffer(base64.b64decode(vertices), np.float32).reshape(-1, 3)
            faces = np.frombuffer(base64.b64decode(faces), np.uint32).reshape(-1, 3)
            from_mesh = np.linalg.inv(_matrix(run)) @ _matrix(frame)
            vertices = vertices @ from_mesh[:3, :3].T + from_mesh[:3, 3]
            found.setdefault(colour, []).append(vertices[faces])
        return {colour: np.concatenate(parts) for colour, parts in found.items()}

    def pixels(self):
        """What the canvas shows, RGB in [0, 1], [height, width, 3]."""
        url = self.browser.run("window.__viserMutable.canvas.toDataURL('image/png')")
        picture = Image.open(io.BytesIO(base64.b64decode(url.split(",")[1])))
        return np.asarray(picture.convert("RGB"), float) / 255

    def on_canvas(self, points, shape):
        """Pixel coordinates x, y and distance from the camera of points of the run, [n, 3]."""
        projection, view, world = map(_matrix, self.browser.run(CAMERA))
        seen = np.c_[points, np.ones(len(points))] @ (view @ world).T
        clip = seen @ projection.T
        share = clip[:, :2] / clip[:, 3:]
        height, width = shape[:2]
        return np.c_[(share[:, 0] + 1) / 2 * width, (1 - share[:, 1]) / 2 * height, -seen[:, 2]]

    def _input(self, label):
        return (
            "document.getElementById([...document.querySelectorAll('label')]"
            f".find(label => label.innerText === {json.dumps(label)}).htmlFor)"
        )

    def _click(self, element, share=0.5):
        """In the middle of its height, once it has come to rest and nothing lies over it."""
        places = [None]

        def at_rest():
            places.append(self.browser.run(
                f"""(() => {{
                  const element = {element};
                  if (!element) return null;
                  const box = element.getBoundingClientRect();
                  const place = [box.x + {share} * box.width, box.y + box.height / 2];
                  return element.contains(document.elementFromPoint(...place)) ? place : null;
                }})()"""
            ))
            return places[-1] is not None and places[-1] == places[-2]

        wait_until(at_rest, element)
        self.browser.click(places[-1])


@contextmanager
def viewer_page(directory, port):
    """The page of a run that `nodia view` serves, loaded and playing."""
    words = [sys.executable, "-m", "nodia_tools.view", directory, "--no-open", "--port", port]
    viewer = subprocess.Popen(
        [str(word) for word in words], env=tool_environment(), stdout=subprocess.PIPE, text=True
    )
    try:
        url = re.match(r"http://[\d.:]+", viewer.stdout.readline()).group()
        with Browser(SIZE) as browser:
            page = ViewerPage(browser)
            browser.open(url)
            page.wait_for_scene()
            yield page
    finally:
        viewer.send_signal(signal.SIGTERM)
        viewer.communicate(timeout=30)
