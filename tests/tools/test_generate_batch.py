"""nodia generate side by side and on the checked host backend: the bytes of one episode after another on the CPU."""

import json
import subprocess

import pytest
from nodia_command import CHECKED_HOST, NO_DEVICE, expect_bad_input, needs_checked_host, needs_nodia, run
from push_dataset import GOOD, PUSH, episodes_of, files, generate, needs_package, push, words_of

pytestmark = needs_nodia
__all__ = ["push"]

COND = ("--set", "solver.solver=cond")
# Soft boxes of which some lie in the plate at the start; they settle before an episode begins.
SETTLING = PUSH.replace("position_m.1: [0, 1020]", "position_m.0: [-0.1, 0.06]").replace(
    "  control_hz: 25\n", "  control_hz: 25\n  settle: {at_most_s: 0.4, speed_m_s: 0.2}\n"
)
# What one simulation cannot have in common.
MIXED = PUSH.replace(
    "bodies.box.position_m.1: [0, 1020]", "solver.tolerance: {choice: [1.0e-3, 1.0e-4]}\n  time.step_s: {choice: [0.01, 0.005]}"
)


def on_device(scenario, folder, episodes, *more):
    words = words_of(scenario, folder, episodes, *more, "--backend", "cuda")
    done = subprocess.run([CHECKED_HOST, *map(str, words), "--json"], capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@needs_checked_host
@pytest.mark.parametrize("precision", ["double", "mixed", "float"])
def test_a_device_makes_the_bytes_of_the_cpu(push, tmp_path, precision):
    words = (*COND, "--set", f"solver.precision={precision}", "--block", 4)
    generate(push, tmp_path / "cpu", 10, *words, "--backend", "cpu")
    made = on_device(push, tmp_path / "device", 10, *words)
    assert made["made_episodes"] == 10 and made["complete"]
    assert files(tmp_path / "cpu") == files(tmp_path / "device")
    assert made["steps"] > 30
    done = run("replay", tmp_path / "device", "--episode", 3)
    assert done.returncode == 0 and "every bit as recorded" in done.stdout, done.stderr


@needs_checked_host
def test_auto_makes_the_bytes_of_the_cpu_on_a_device(push, tmp_path):
    generate(push, tmp_path / "cpu", 4, "--backend", "cpu")
    made = on_device(push, tmp_path / "device", 4)
    assert made["made_episodes"] == 4 and made["complete"]
    assert files(tmp_path / "cpu") == files(tmp_path / "device")


@needs_checked_host
def test_starts_that_are_drawn_again_have_the_bytes_of_the_cpu(tmp_path):
    path = tmp_path / "settling.yaml"
    path.write_text(SETTLING)
    generate(path, tmp_path / "cpu", 8, *COND, "--backend", "cpu")
    on_device(path, tmp_path / "device", 8, *COND)
    attempts = [episode["attempt"] for episode in episodes_of(tmp_path / "cpu")]
    assert 0 < sum(attempts) and 0 in attempts, attempts
    assert files(tmp_path / "cpu") == files(tmp_path / "device")


@pytest.mark.parametrize("scenario", [PUSH, SETTLING, MIXED], ids=["push", "settling", "mixed"])
def test_a_batch_has_the_bytes_of_its_episodes(tmp_path, scenario):
    path = tmp_path / "push.yaml"
    path.write_text(scenario)
    folders = []
    for batch in (1, 3, 100):
        folders.append(tmp_path / f"batch_{batch}")
        generate(path, folders[-1], 8, *COND, "--batch", batch, "--backend", "cpu")
    assert files(folders[0]) == files(folders[1]) == files(folders[2])


OWN = """
import numpy as np


class Own:
    def __init__(self, task):
        self.task = task

    def reset(self, seen, seed):
        self.draws = np.random.default_rng(seed)

    def act(self, seen):
        assert seen["box.nodes"].shape == (18, 3)
        if seen["box.nodes"][0, 1] > 0.02 and self.draws.random() < 0.3:
            raise ValueError("tired")
        return self.draws.uniform(-0.02, 0.02, len(self.task.components))
"""


@needs_package
def test_a_class_acts_in_each_episode_of_a_batch(tmp_path):
    (tmp_path / "own.py").write_text(OWN)
    path = tmp_path / "push.yaml"
    path.write_text(PUSH.replace("  text: push the box", "  policy: own.py:Own\n  text: push the box").replace("1020", "0.05"))
    for batch in (1, 5):
        generate(path, tmp_path / f"batch_{batch}", 10, *COND, "--batch", batch, "--block", 5)
    assert files(tmp_path / "batch_1") == files(tmp_path / "batch_5")
    causes = [episode["cause"] for episode in episodes_of(tmp_path / "batch_5")]
    assert "bad_policy" in causes and "" in causes, causes


def test_options_that_mean_nothing_are_refused(push, tmp_path):
    done = run(*words_of(push, tmp_path / "d", 2, *GOOD, *COND, "--backend", "cpu", "--loop", "graph"))
    expect_bad_input(done, "--loop = graph (must be left out on the CPU; --backend cpu)")
    for wrong in (-1, 100001, "many"):
        expect_bad_input(run(*words_of(push, tmp_path / "d", 2, "--batch", wrong)), "--batch")


def test_without_a_device_it_is_refused_in_words(push, tmp_path):
    done = run(*words_of(push, tmp_path / "d", 2, *GOOD, *COND, "--backend", "cuda"), environment=NO_DEVICE)
    expect_bad_input(done, "--backend = cuda (must be cpu or auto here: ", "run on the CPU with --backend cpu")
    assert not (tmp_path / "d").exists()
