"""Datasets in which two episodes of a hundred fail: by a command that is no number, and by a material in which the
solve fails. However many processes make them, the files are the same."""

import os
import shutil
import subprocess

import pytest
from nodia_command import BINARY, needs_nodia, run
from push_dataset import PUSH, dataset, episodes_of, files, generate, needs_package, start, wait, words_of

pytestmark = [needs_nodia, needs_package]

EPISODES = int(os.environ.get("NODIA_EPISODES", 60))  # 200 is the size of the promise

# In one episode of a hundred the action has a NaN from the third control step on.
PUSHER = """\
class Pusher:
    def __init__(self, task):
        pass

    def reset(self, observation, seed):
        self.bad, self.step = seed % 100 == 0, 0

    def act(self, observation):
        self.step += 1
        return [float("nan") if self.bad and self.step > 2 else 0.008, 0, 0]
"""
# A stiffness whose products with a volume are infinite.
MATERIALS = f"{{choice: [{', '.join(['5.0e+4', '1.0e+5', '2.0e+5'] * 33)}, 1.0e+300]}}"
SEED = ("--seed", 17)  # two of each among 200 episodes, one of each among 60


@pytest.fixture
def faulty(tmp_path):
    (tmp_path / "pusher.py").write_text(PUSHER)
    text = PUSH.replace("  bodies.box.position_m.1: [0, 1020]\n", f"  bodies.box.youngs_modulus_Pa: {MATERIALS}\n")
    (tmp_path / "faulty.yaml").write_text(text + "  policy: pusher.py:Pusher\n")
    return tmp_path / "faulty.yaml"


def test_planted_faults_are_told_by_their_causes(faulty, tmp_path):
    generate(faulty, tmp_path / "d", EPISODES, *SEED)
    report = dataset(tmp_path / "d")
    assert set(report["causes"]) == {"bad_action", "not_a_number"}
    assert report["quarantined"] == sum(report["causes"].values()) <= 0.04 * EPISODES
    for episode in episodes_of(tmp_path / "d"):
        stiff = episode["drawn"]["bodies.box.youngs_modulus_Pa"] == 1e300
        assert (episode["cause"] == "not_a_number") == stiff
        if episode["cause"] == "bad_action":
            assert (episode["failed_step"], episode["steps"]) == (2, 3)
        if episode["cause"]:
            done = run("replay", tmp_path / "d", "--episode", episode["episode"])
            assert done.returncode == 0, done.stderr


def test_many_processes_make_the_same_files(faulty, tmp_path):
    plain = tmp_path / "plain"
    assert len(generate(faulty, plain, EPISODES, *SEED)["causes"]) == 2
    for count in (2, 4):
        folder = tmp_path / f"by_{count}"
        wait(*(start(faulty, folder, EPISODES, *SEED) for _ in range(count)))
        generate(faulty, folder, EPISODES, *SEED)
        assert files(folder) == files(plain)
    wait(*(start(faulty, tmp_path / "shards", EPISODES, *SEED, "--shard", f"{i}/2") for i in range(2)))
    assert files(tmp_path / "shards") == files(plain)


@pytest.mark.skipif(not shutil.which("mpirun"), reason="PACKAGE: openmpi-bin is absent (mpirun)")
def test_mpirun_makes_the_same_files(faulty, tmp_path):
    generate(faulty, tmp_path / "plain", EPISODES, *SEED)
    mpirun = ["mpirun", "-n", "4", "--oversubscribe", "--allow-run-as-root", BINARY]
    words = [*mpirun, *words_of(faulty, tmp_path / "mpi", EPISODES, *SEED)]
    subprocess.run(list(map(str, words)), check=True, capture_output=True, timeout=600)
    generate(faulty, tmp_path / "mpi", EPISODES, *SEED)
    assert files(tmp_path / "mpi") == files(tmp_path / "plain")
