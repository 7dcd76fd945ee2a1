"""The viewer shows text of a run as text, whatever a browser could take it for."""

import pytest
import yaml
from browser import needs_chromium, wait_until
from synthetic_run import pose, write_run
from viewer_page import viewer_page

# Text that a browser would run as HTML, or as Markdown with HTML in it.
TAGS = {
    "frame": '<iframe srcdoc="<script>top.ran=1</script>"></iframe>',
    "picture": "**<img src=x onerror=top.ran=1>**",
    "link": "[a](javascript:top.ran=1) {top.ran=1}",
}


@needs_chromium
@pytest.mark.parametrize("kind", TAGS)
def test_text_of_a_run_is_shown_as_text(tmp_path, kind):
    text = TAGS[kind]
    surroundings = [(pose("obstacle", text), lambda t: ([0.1 * t, 0, 0], 0)), (pose("attachment", text), lambda t: ([0.2 * t, 0, 0], 0))]
    write_run(tmp_path, cubes=(3, 3, 1), config=False, surroundings=surroundings)
    obstacle = {"shape": "sphere", "radius_m": 0.05, "file": text}
    config = {"name": text, "obstacles": {text: obstacle}, "attachments": {text: {"body": text, "node_set": text}}}
    (tmp_path / "config.yaml").write_text(yaml.safe_dump(config))
    with viewer_page(tmp_path, 28760) as page:
        wait_until(lambda: text in page.text(), "the name of the run")
        run = page.browser.run
        run("document.querySelectorAll('a').forEach(link => link.click())")
        marks = run("[window.ran, document.querySelectorAll('iframe, img[onerror], a[href^=javascript]').length]")
        assert marks == [None, 0]
        assert page.browser.errors() == []


def test_the_default_picture_lies_in_the_run_directory(run_tool, tmp_path):
    """Its name is that of the run, which another may have written."""
    run = tmp_path / "run"
    write_run(run, cubes=(3, 3, 1), config=False)
    (run / "config.yaml").write_text(yaml.safe_dump({"name": "../outside"}))
    done = run_tool("render", run, "--frames", "1", "--size", "160x160")
    assert done.returncode == 0, done.stderr
    assert {path.name for path in tmp_path.iterdir()} == {"run"}
    assert [path.name for path in run.glob("*.png")] == ["_outside.png"]


def test_messages_have_no_control_characters(run_tool, tmp_path):
    write_run(tmp_path, cubes=(3, 3, 1), config=False)
    config = {"name": "a\x1b[2Jb\n", "obstacles": {"\x1b[2J\n": {"shape": "mesh", "file": "missing.obj"}}}
    (tmp_path / "config.yaml").write_text(yaml.safe_dump(config))
    done = run_tool("render", tmp_path, "--frames", "1", "--size", "160x160")
    assert done.returncode == 0 and done.stderr.count("\n") == 1, done.stderr
    assert "obstacles.?[2J  is not drawn" in done.stderr and "\x1b" not in done.stderr + done.stdout
