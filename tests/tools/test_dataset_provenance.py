"""Blocks name the request that they were made for: blocks and requests of other datasets are found."""

import json
import shutil
from pathlib import Path

import h5py
import pytest
from nodia_command import SOURCE, expect_bad_input, needs_nodia, run
from push_dataset import GOOD, dataset, generate, push, words_of
from test_export import run_export

pytestmark = needs_nodia
__all__ = ["push"]

OLD = SOURCE / "tests/tools/old_datasets"


@pytest.fixture
def two(push, tmp_path):
    """Datasets of three blocks whose requests differ in one value."""
    generate(push, tmp_path / "a", 3, "--block", 1, *GOOD)
    generate(push, tmp_path / "b", 3, "--block", 1, *GOOD, "--seed", 8)
    return tmp_path / "a", tmp_path / "b"


def expect_damage(folder, *lines):
    """`nodia dataset` reports these faults in a line each, and nothing else."""
    done = run("dataset", folder, "--json")
    assert done.returncode == 1, done.stderr
    assert done.stderr.count("\n") == len(lines) == len(json.loads(done.stdout)["damage"]), done.stderr
    for line, words in zip(done.stderr.splitlines(), lines, strict=True):
        assert all(word in line for word in words), line


def test_a_block_of_another_dataset_is_found(push, two, tmp_path):
    a, b = two
    for path in (b / "blocks").glob("000001.*"):
        shutil.copy(path, a / "blocks")
    words = ["000001.json: request_sha256 = ", "the block is of another dataset, or dataset.yaml was changed"]
    expect_damage(a, words)
    expect_bad_input(run(*words_of(push, a, 3, "--block", 1, *GOOD)), *words)
    expect_bad_input(run("replay", a, "--episode", 1), *words)
    expect_bad_input(run_export(a, tmp_path / "out", "--to", "lerobot"), *words)
    assert run("replay", a, "--episode", 0).returncode == 0


@pytest.mark.parametrize("was, now", [("seed: 7", "seed: 8"), ("poissons_ratio: 0.3", "poissons_ratio: 0.31")])
def test_a_changed_request_is_found_in_one_line(push, two, tmp_path, was, now):
    a, _ = two
    text = (a / "dataset.yaml").read_text()
    assert was in text
    (a / "dataset.yaml").write_text(text.replace(was, now, 1))
    expect_damage(a, ["dataset.yaml: is not the request that the blocks name"])
    expect_bad_input(run("replay", a, "--episode", 1), "request_sha256")
    expect_bad_input(run_export(a, tmp_path / "out", "--to", "lerobot"), "request_sha256")
    assert run(*words_of(push, a, 3, "--block", 1, *GOOD)).returncode == 2


@pytest.mark.parametrize("files", [[".h5"], [".json"], [".h5", ".json"]])
def test_a_missing_block_is_named_and_made_again(push, two, files):
    a, _ = two
    before = {path.name: path.read_bytes() for path in (a / "blocks").iterdir()}
    for end in files:
        (a / f"blocks/000001{end}").unlink()
    done = run("dataset", a, "--json")
    assert done.returncode == 1 and "1 of 3 blocks are missing: 1" in done.stderr
    assert json.loads(done.stdout)["missing_blocks"] == [1]
    assert generate(push, a, 3, "--block", 1, *GOOD)["made_episodes"] == 1
    assert {path.name: path.read_bytes() for path in (a / "blocks").iterdir()} == before
    assert dataset(a)["complete"]


def test_blocks_name_their_request_in_both_files(two):
    for folder in two:
        sums = set()
        for path in (folder / "blocks").glob("*.h5"):
            with h5py.File(path) as file:
                sums |= {file.attrs["request_sha256"], json.loads(path.with_suffix(".json").read_text())["request_sha256"]}
        assert len(sums) == 1


OLD_DATASETS = {  # content_sha256 as the nodia printed it that made them
    "complete": "2d47ad8a90503385ae64f0ea7ccfb767fe53c079939c28d067eb49668a7ec312",
    "missing_block": None,
    "with_asset": "b6d081bc52d7f2a58fadfa9f8954ce54d813783cd7471e28dbff6e5dc55a08fb",
}


@pytest.mark.parametrize("name", OLD_DATASETS)
def test_datasets_without_the_name_of_their_request_are_read_with_a_note(name, tmp_path):
    assert Path(OLD / name / "dataset.yaml").exists()
    done = run("dataset", OLD / name, "--json")
    report = json.loads(done.stdout)
    assert done.returncode == (0 if report["complete"] else 1)
    assert report["content_sha256"] == OLD_DATASETS[name]
    assert report["blocks_without_request"] == report["episodes"] // (2 if name == "complete" else 1)
    assert "have format version 1 and do not name their request" in done.stderr
    if name == "complete":
        exported = run_export(OLD / name, tmp_path / "out", "--to", "robomimic")
        assert exported.returncode == 0, exported.stderr
