"""nodia.export: the command from Python, with its errors as nodia's."""

import json

import pytest
from synthetic_dataset import write_dataset

import nodia


@pytest.fixture(scope="module")
def dataset(tmp_path_factory):
    return write_dataset(tmp_path_factory.mktemp("dataset") / "data", episodes=4, failed=(2,))


def test_a_dataset_is_exported(dataset, tmp_path):
    done = nodia.export(dataset, tmp_path / "lerobot", "lerobot", without=["ball.nodes", "time"])
    assert (done["episodes"], done["quarantined"], done["causes"]) == (3, 1, {"diverged": 1})
    features = json.loads((tmp_path / "lerobot/meta/info.json").read_text())["features"]
    assert "observation.state" in features and "observation.environment_state" not in features
    assert nodia.export(dataset, tmp_path / "robomimic", "robomimic", quarantined=True)["episodes"] == 4


def test_bad_input_is_one_line(dataset, tmp_path):
    with pytest.raises(nodia.InputError, match=r"^nodia export: .*must be the folder of a dataset\)$"):
        nodia.export(tmp_path / "none", tmp_path / "out", "lerobot")
    with pytest.raises(nodia.InputError, match="invalid choice"):
        nodia.export(dataset, tmp_path / "out", "rlds")


def test_a_missing_extra_is_named(dataset, tmp_path, monkeypatch):
    monkeypatch.setattr("nodia.exports.EXTRA", ("numpy", "no_such_package"))
    with pytest.raises(ImportError, match=r"no_such_package \(is missing; pip install 'nodia\[export\]'\)"):
        nodia.export(dataset, tmp_path / "out", "lerobot")
