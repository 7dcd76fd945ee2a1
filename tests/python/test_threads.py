"""Threads and Ctrl-C: others run while it steps, nobody reads what is half done, an interrupt leaves whole steps."""

import os
import signal
import subprocess
import sys
import textwrap
import threading
import time

import numpy as np
import pytest
from built_package import PACKAGE

import nodia


def test_other_threads_run_while_it_steps_and_may_not_look(box):
    """A second thread sees the simulation busy: it ran, and was told."""
    sim = nodia.Simulation(box)
    told, stop = [], threading.Event()

    def look():
        while not stop.is_set() and not told:
            try:
                sim.nodes("box", 0)
            except nodia.RuntimeError as error:
                told.append(str(error))

    other = threading.Thread(target=look)
    other.start()
    for _ in range(200):
        sim_was_busy = bool(told)
        try:
            sim.step(20)
        except nodia.RuntimeError:
            pytest.fail("the stepping thread is the only one")
        if sim_was_busy:
            break
    stop.set()
    other.join()
    assert told and "another thread" in told[0]


def test_two_threads_cannot_step_one_simulation(box):
    sim, results = nodia.Simulation(box), []

    def steps():
        for _ in range(30):
            try:
                sim.step(5)
                results.append(True)
            except nodia.RuntimeError:
                results.append(False)

    threads = [threading.Thread(target=steps) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sim.steps[0] == 5 * sum(results), "each step whole, each refusal without one"


def test_simulations_of_several_threads_have_the_bits_of_one(box):
    world, found = nodia.Scenario(box), {}

    def whole(k):
        sim = nodia.Simulation(world)
        sim.step(20)
        found[k] = sim.nodes("box", 0)

    threads = [threading.Thread(target=whole, args=(k,)) for k in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all(np.array_equal(found[0], found[k]) for k in range(4))


def test_an_interrupt_leaves_whole_steps(box):
    code = f"""
        import sys
        sys.path.insert(0, {str(PACKAGE)!r})
        import nodia
        sim = nodia.Simulation({box!r})
        try:
            print("ready", flush=True)
            sim.step(10**9)
        except KeyboardInterrupt:
            n = int(sim.steps[0])
            assert n > 0
            again = nodia.Simulation({box!r})
            again.step(n)
            assert (again.nodes("box") == sim.nodes("box")).all()
            sim.step()
            assert sim.steps[0] == n + 1 and sim.reports.converged.all()
            print("interrupted", flush=True)
    """
    process = subprocess.Popen([sys.executable, "-c", textwrap.dedent(code)], stdout=subprocess.PIPE, text=True)
    assert process.stdout.readline() == "ready\n"

    def used():
        return int(open(f"/proc/{process.pid}/stat").read().rsplit(")", 1)[1].split()[11])

    before = used()
    while used() < before + 20:  # 0.2 s of its steps
        time.sleep(0.01)
    os.kill(process.pid, signal.SIGINT)
    assert process.communicate(timeout=120)[0] == "interrupted\n"
    assert process.returncode == 0
