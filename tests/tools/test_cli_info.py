"""`nodia info`."""

import json

from nodia_command import needs_nodia, run

pytestmark = needs_nodia


def test_json_has_build_backends_solvers_and_versions():
    done = run("info", "--json")
    assert done.returncode == 0 and done.stderr == ""
    info = json.loads(done.stdout)
    assert info["format"] == "nodia_info" and info["format_version"] == 1
    for key in (
        "version",
        "commit",
        "compiler",
        "build_type",
        "march",
        "cuda_compiled",
        "devices",
        "cholmod",
        "openmp_threads",
    ):
        assert key in info
    assert info["backends"] == (["cpu", "cuda"] if info["cuda_compiled"] else ["cpu"])
    assert info["cpu_kernels"] in ("portable", "avx2", "avx512")
    assert info["devices"] or info["no_device_because"]
    assert info["openmp_threads"] >= 1
    names = {solver["name"] for solver in info["solvers"]}
    assert names == {
        *("cond", "pgs", "apgd", "ccs", "penalty", "xpbd"),
        *("prox", "proximal_newton", "lemke", "fischer", "best", "cond_reference"),
        *("newton", "newton_reference", "auto"),
    }
    assert all(solver["description"] for solver in info["solvers"])
    assert {"Eigen", "HDF5", "yaml-cpp", "CLI11", "fmt", "spdlog", "nlohmann-json"} <= set(
        info["libraries"]
    )
    assert all(version and version[0].isdigit() for version in info["libraries"].values())


def test_table_names_the_same():
    done = run("info")
    assert done.returncode == 0 and done.stderr == ""
    for word in ("nodia", "cond", "pgs", "apgd", "Eigen", "HDF5", "CHOLMOD"):
        assert word in done.stdout
