#!/usr/bin/env python3
"""nodia generate on a Ray cluster: shares of the blocks as tasks; what a lost node had is made again elsewhere.

Usage: ray_generate.py [--address ADDRESS] [--tasks N] [--cpus N] [--nodia PROGRAM] SCENARIO DIR --episodes N ...

Passes all other words to `nodia generate`. All nodes need the same nodia, SCENARIO and DIR at the same paths.
"""

import argparse
import ctypes
import json
import os
import shutil
import signal
import subprocess
import sys
import time

import ray

TASKS_A_SLOT = 4  # several tasks per slot, such that all slots end at about the same time
BUSY_S = 2  # interval at which blocks of other processes are checked [s]
INTERRUPTED = 130
ENDED_FROM_OUTSIDE = {-signal.SIGKILL, -signal.SIGTERM, -signal.SIGHUP, -signal.SIGINT, INTERRUPTED}
DIE_WITH_PARENT = 1  # PR_SET_PDEATHSIG of prctl(2)


class Lost(Exception):
    """A signal ended the command. It may be repeated on another node."""


class Failed(Exception):
    """The command failed. It would fail on every node."""


def generate(words, directory):
    """Runs `nodia generate`. @return the JSON object that it prints

    @param directory  working directory
    """
    libc = ctypes.CDLL(None)  # the kernel kills the command if its task is killed
    try:
        done = subprocess.run(
            words,
            cwd=directory,
            capture_output=True,
            text=True,
            preexec_fn=lambda: libc.prctl(DIE_WITH_PARENT, signal.SIGKILL),
        )
    except OSError as error:
        raise Failed(f"{error.filename}: cannot be run ({error.strerror})") from None
    command = " ".join(words)
    if done.returncode in ENDED_FROM_OUTSIDE:
        raise Lost(f"{command}: ended by a signal")
    if done.returncode < 0:
        raise Failed(f"{command}: crashed (signal {-done.returncode})")
    if done.returncode != 0:
        raise Failed(next(iter(done.stderr.splitlines()), f"{command}: exit code {done.returncode}"))
    try:
        return json.loads(done.stdout)
    except ValueError:
        raise Failed(f"{command}: its answer is no JSON") from None


def launch(nodia, words, tasks, cpus):
    """Generates all blocks on the cluster of ray.init().

    @param words  arguments of `nodia generate`, without --shard, --threads and --json
    @param tasks  number of shares of the blocks; None: TASKS_A_SLOT for every `cpus` CPUs of the cluster
    """
    # Retries without limit after the loss of a node and after a command that a signal ended.
    remote = ray.remote(num_cpus=cpus, max_retries=-1, retry_exceptions=[Lost])(generate)
    command = [nodia, "generate", *words, "--threads", str(cpus), "--json"]
    if tasks is None:
        tasks = max(1, TASKS_A_SLOT * int(ray.cluster_resources().get("CPU", 1)) // cpus)
    waiting = [remote.remote([*command, "--shard", f"{k}/{tasks}"], os.getcwd()) for k in range(tasks)]
    while waiting:
        done, waiting = ray.wait(waiting)
        made = ray.get(done[0])
        print(
            f"ray_generate: {made['made_episodes']} episodes made, {len(waiting)} of {tasks} shares left",
            file=sys.stderr,
        )
    # Other processes may have claimed blocks and ended before they finished them.
    while ray.get(remote.remote(command, os.getcwd()))["busy_blocks"]:
        time.sleep(BUSY_S)


def main():
    parser = argparse.ArgumentParser(prog="ray_generate.py", description=__doc__.partition("\n")[0], allow_abbrev=False)
    parser.add_argument(
        "--address", default=None, help="of the cluster (default: RAY_ADDRESS, else one on this machine)"
    )
    parser.add_argument(
        "--tasks", type=int, metavar="N", help="shares of the blocks (default: 4 a slot of the cluster)"
    )
    parser.add_argument(
        "--cpus", type=int, default=1, metavar="N", help="of a task, which makes so many blocks at a time"
    )
    parser.add_argument(
        "--nodia", default=shutil.which("nodia"), metavar="PROGRAM", help="(default: nodia in the PATH)"
    )
    arguments, words = parser.parse_known_args()
    if arguments.nodia is None:
        parser.error("nodia is not in the PATH (--nodia PROGRAM names it)")
    if arguments.cpus < 1 or (arguments.tasks is not None and arguments.tasks < 1):
        parser.error("--cpus, --tasks (must be >= 1)")
    if len(words) < 2 or words[0].startswith("-"):
        parser.error("SCENARIO and DIR are missing (they come first of the words of nodia generate)")
    ray.init(address=arguments.address, log_to_driver=False)
    try:
        launch(arguments.nodia, words, arguments.tasks, arguments.cpus)
    except Failed as error:
        print(f"ray_generate: {getattr(error, 'cause', error)}", file=sys.stderr)  # Ray's own text is a traceback
        return 1
    print(f"{words[1]}: all blocks are made (nodia dataset {words[1]} checks them)")
    return 0


if __name__ == "__main__":
    sys.exit(main())
