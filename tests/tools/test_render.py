"""Pictures and videos of a run, made without a screen."""

import imageio.v2 as imageio
import numpy as np
import pytest
from PIL import Image
from synthetic_run import write_run

from nodia_tools.fields import STATE_COLOURS


def _pixels(path):
    return np.asarray(Image.open(path).convert("RGB"), float) / 255


def _share_near(pixels, colour):
    """Share of pixels of a colour's hue, whatever the light."""
    direction = np.asarray(colour) / np.linalg.norm(colour)
    length = np.linalg.norm(pixels, axis=2)
    cosine = pixels @ direction / np.maximum(length, 1e-9)
    return ((cosine > 0.99) & (length > 0.2)).mean()


def test_draws_six_moments_of_the_named_scenario(run_tool, tmp_path):
    write_run(tmp_path / "run")
    done = run_tool("render", tmp_path / "run", "--size", "960x540")
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() == str(tmp_path / "run/synthetic.png")
    assert done.stderr == ""
    pixels = _pixels(tmp_path / "run/synthetic.png")
    assert pixels.shape == (540, 960, 3)
    assert pixels.std() > 0.05
    assert _share_near(pixels, STATE_COLOURS[1]) > 0.01, "no stick"
    assert _share_near(pixels, STATE_COLOURS[2]) > 0.01, "no slip"


def test_moments_differ_and_fields_differ(run_tool, run_directory, tmp_path):
    pictures = {}
    for time_s, field in ((0, "speed"), (2, "speed"), (2, "von_mises_Pa")):
        path = tmp_path / f"{time_s}_{field}.png"
        done = run_tool(
            "render",
            run_directory,
            "--out",
            path,
            "--time",
            time_s,
            "--field",
            field,
            "--size",
            "320x200",
        )
        assert done.returncode == 0, done.stderr
        pictures[time_s, field] = _pixels(path)
    assert np.abs(pictures[0, "speed"] - pictures[2, "speed"]).mean() > 0.01
    assert np.abs(pictures[2, "speed"] - pictures[2, "von_mises_Pa"]).mean() > 1e-3


def test_the_same_run_gives_the_same_picture(run_tool, run_directory, tmp_path):
    for name in ("a.png", "b.png"):
        assert (
            run_tool(
                "render",
                run_directory,
                "--out",
                tmp_path / name,
                "--frames",
                1,
                "--size",
                "320x200",
            ).returncode
            == 0
        )
    assert (tmp_path / "a.png").read_bytes() == (tmp_path / "b.png").read_bytes()


def test_a_video_runs_at_real_speed(run_tool, tmp_path):
    write_run(tmp_path / "run", times=np.linspace(0, 0.5, 6))
    path = tmp_path / "run.mp4"
    done = run_tool("render", tmp_path / "run", "--out", path, "--size", "321x201")
    assert done.returncode == 0, done.stderr
    with imageio.get_reader(path) as video:
        frames = np.stack([np.asarray(frame) for frame in video])
        assert video.get_meta_data()["fps"] == pytest.approx(30)
    assert frames.shape == (16, 200, 320, 3)
    assert frames.std() > 10
    assert np.abs(frames[0].astype(float) - frames[-1]).mean() > 0.5


def test_a_run_without_configuration_and_one_of_a_single_frame_are_drawn(run_tool, tmp_path):
    write_run(tmp_path / "bare", times=[0.0], config=False)
    for out in ("a.png", "a.mp4"):
        done = run_tool("render", tmp_path / "bare", "--out", tmp_path / out, "--size", "320x200")
        assert done.returncode == 0, done.stderr
        assert (tmp_path / out).stat().st_size > 1000


def test_draws_what_the_simulator_wrote(nodia, run_tool, recorded_run, tmp_path):
    done = run_tool(
        "render", recorded_run, "--out", tmp_path / "a.png", "--frames", 2, "--size", "640x240"
    )
    assert done.returncode == 0, done.stderr
    pixels = _pixels(tmp_path / "a.png")
    assert _share_near(pixels, STATE_COLOURS[1]) + _share_near(pixels, STATE_COLOURS[2]) > 0.01


@pytest.mark.parametrize(
    "arguments, message",
    [
        (["missing"], "missing"),
        (["RUN/config.yaml"], "a file"),
        (["EMPTY"], "holds no trajectory.vtkhdf"),
        (["RUN", "--time", "99"], "--time = 99 (must be within the run, 0 to 2 s)"),
        (["RUN", "--time", "soon"], "--time = soon"),
        (["RUN", "--time", "nan"], "--time = nan"),
        (["RUN", "--frames", "0"], "--frames = 0"),
        (["RUN", "--frames", "six"], "invalid int value"),
        (["RUN", "--size", "1920"], "--size = 1920"),
        (["RUN", "--size", "1x1"], "--size = 1x1"),
        (
            ["RUN", "--field", "temperature"],
            "--field = temperature (must be one of contact_state, von_mises_Pa, speed)",
        ),
        (["RUN", "--out", "picture.bmp"], "must end in .png or .mp4"),
        (["RUN", "--out", "no/such/folder/a.png"], "must lie in a directory that exists"),
        (["RUN", "--out", "a.mp4", "--time", "1"], "are for pictures"),
        (["RUN", "--env", "3"], "--env = 3"),
        (["RUN", "--colour", "red"], "unrecognized arguments"),
        ([], "required: DIR"),
    ],
)
def test_bad_input_gives_one_line_and_2(run_tool, run_directory, tmp_path, arguments, message):
    places = {"RUN": str(run_directory), "EMPTY": str(tmp_path)}
    words = [
        word.replace("RUN", places["RUN"]).replace("EMPTY", places["EMPTY"]) for word in arguments
    ]
    done = run_tool("render", *words)
    assert done.returncode == 2
    assert message in done.stderr
    assert done.stderr.count("\n") == 1
    assert done.stdout == ""
