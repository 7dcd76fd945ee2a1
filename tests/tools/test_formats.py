"""Files of a newer nodia are refused in words; those from before the versions are read."""

import h5py
import numpy as np
import pytest
import synthetic_run
from nodia_tools.command_line import InputError
from nodia_tools.formats import require_format
from nodia_tools.trajectory import open_trajectory


def test_an_object_of_this_or_an_older_version_is_read():
    require_format("a.json", {"format": "nodia_bench", "format_version": 2}, "nodia_bench", 2)
    require_format("a.json", {"format": "nodia_bench", "format_version": 1}, "nodia_bench", 2)
    require_format("a.json", {"rows": []}, "nodia_bench", 2)


def test_an_object_of_a_newer_version_or_another_format_is_not():
    newer = {"format": "nodia_bench", "format_version": 3}
    with pytest.raises(InputError, match="a.json: format version 3 .must be at most 2: a newer nodia"):
        require_format("a.json", newer, "nodia_bench", 2)
    with pytest.raises(InputError, match="a.json: format nodia_bench .must be nodia_summary"):
        require_format("a.json", newer, "nodia_summary", 3)


@pytest.mark.parametrize("version", [1, 2])
def test_a_trajectory_of_a_newer_version_is_refused(tmp_path, version):
    synthetic_run.write_run(tmp_path)
    with h5py.File(tmp_path / "trajectory.vtkhdf", "a") as file:
        group = file.require_group("nodia")
        group.attrs["version"] = version
        for name in ("frames/description", "contacts/bodies"):
            if name not in group:
                group[name] = np.frombuffer(b"[]", np.uint8)
    if version == 1:
        assert len(open_trajectory(tmp_path).times) == 21
    else:
        with pytest.raises(InputError, match="trajectory.vtkhdf: format version 2 .must be at most 1"):
            open_trajectory(tmp_path)
