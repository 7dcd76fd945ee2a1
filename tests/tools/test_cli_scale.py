"""nodia scale: one machine-readable object, and nothing else, on standard output."""

import json

from nodia_command import SOURCE, needs_nodia, run


@needs_nodia
def test_json_is_all_that_standard_output_holds(tmp_path):
    scenario = SOURCE / "scenarios/soft_mat/soft_mat.yaml"
    sizes = ["--nodes", "100,200", "--average", "1", "--max-iterations", "20"]
    done = run("scale", scenario, *sizes, "--out", tmp_path, "--json")
    assert done.returncode == 0, done.stderr
    rows = json.loads(done.stdout)["rows"]
    assert [row["solver"] for row in rows] == ["cond", "cond"]
    assert (tmp_path / "scale.png").is_file() and (tmp_path / "scale.csv").is_file()
