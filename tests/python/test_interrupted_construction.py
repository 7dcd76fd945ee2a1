"""Ctrl-C ends the construction of an episode or a simulation at once; the process stays usable and exits as it wants."""

import signal
import subprocess
import sys

import pytest
from built_package import PACKAGE, SOURCE

# Constructing the mesh takes 0.6 s on a quiet machine, its simulation 2 s.
CODE = f"""
import os, signal, sys, threading, time
import nodia

def scenario(nodes):
    return nodia.Scenario({str(SOURCE / "scenarios/quick_lift/quick_lift.yaml")!r}, [f"bodies.ball.mesh.ball.nodes={{nodes}}"])

def seconds_of(work):
    begin = time.monotonic()
    work()
    return time.monotonic() - begin

def interrupt():
    global sent
    sent = time.monotonic()
    os.kill(os.getpid(), signal.SIGINT)

large = scenario(150_000)
episode = large.episode()
work = {{"episode": large.episode, "simulation": lambda: nodia.Simulation([episode])}}[sys.argv[1]]
full_s = seconds_of(work)
threading.Timer(0.2 * full_s, interrupt).start()
"""

NOT_INTERRUPTED = "raise SystemExit('the work was not interrupted')"


def run(work, code):
    words = [sys.executable, "-c", CODE + code, work]
    return subprocess.run(words, env={"PYTHONPATH": str(PACKAGE)}, capture_output=True, text=True, timeout=300)


@pytest.mark.parametrize("work", ["episode", "simulation"])
def test_an_interrupt_is_answered_before_the_work_is_done(work):
    done = run(
        work,
        f"""
try:
    work()
    {NOT_INTERRUPTED}
except KeyboardInterrupt:
    waited_s = time.monotonic() - sent
assert waited_s < 0.3 * full_s, (waited_s, full_s)

small = scenario(120)
for _ in range(3):  # the interrupted work still runs, or is dropped
    simulation = nodia.Simulation(small)
    simulation.step(2)
    print(simulation.nodes("ball").tobytes().hex())
work()
""",
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert len(set(done.stdout.split())) == 1


@pytest.mark.parametrize("work", ["episode", "simulation"])
def test_an_interrupted_process_keeps_its_exit_code(work):
    done = run(work, f"try:\n    work()\n    {NOT_INTERRUPTED}\nexcept KeyboardInterrupt:\n    sys.exit(3)")
    assert (done.returncode, done.stdout, done.stderr) == (3, "", "")


def test_an_interrupt_that_nobody_catches_ends_the_process():
    done = run("simulation", f"work()\n{NOT_INTERRUPTED}")
    assert done.returncode == -signal.SIGINT
    assert done.stderr.splitlines()[-1] == "KeyboardInterrupt"
