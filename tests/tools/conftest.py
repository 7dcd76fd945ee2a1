"""What the tests of the Python tools share."""

import subprocess
import sys
from pathlib import Path

import pytest

SOURCE = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(Path(__file__).parent))
sys.path.append(str(SOURCE / "python"))  # behind the package of a build, which holds nodia as well

import synthetic_run  # noqa: E402  (after the search path)
from nodia_command import BINARY, CHECKED_HOST  # noqa: E402
from tool_environment import tool_environment  # noqa: E402


@pytest.fixture
def run_tool():
    """Runs `python -m nodia_tools.NAME arguments...` as a person without a screen would."""

    def run(name, *arguments):
        words = [sys.executable, "-m", f"nodia_tools.{name}", *map(str, arguments)]
        return subprocess.run(
            words, env=tool_environment(), capture_output=True, text=True, timeout=300
        )

    return run


@pytest.fixture(scope="session")
def run_directory(tmp_path_factory):
    """A small run that nothing may change."""
    directory = tmp_path_factory.mktemp("run")
    synthetic_run.write_run(directory)
    return directory


def built(path):
    """The path of a file that the build makes."""
    assert path.exists(), f"{path} is absent (tools/test.sh builds it)"
    return path


@pytest.fixture(scope="session")
def nodia():
    """The command line."""
    return built(BINARY)


@pytest.fixture(scope="session")
def nodia_on_checked_host():
    """The command line on the checked host backend."""
    return built(CHECKED_HOST)


@pytest.fixture(scope="session")
def python_package():
    """The Python package of the build."""
    return built(BINARY.parents[1] / "python/nodia/_core.pyi").parent


@pytest.fixture(scope="session")
def recorded_run(nodia, tmp_path_factory):
    """Thirty steps of the soft mat as the simulator writes them."""
    directory = tmp_path_factory.mktemp("recorded") / "out"
    scenario = SOURCE / "scenarios/soft_mat/soft_mat.yaml"
    words = [nodia, "run", str(scenario), "--steps", "30", "--out", str(directory)]
    done = subprocess.run(words, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    return directory
