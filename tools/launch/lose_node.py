#!/usr/bin/env python3
"""Runs ray_generate.launch() on a cluster of three nodes on this machine and kills one when half of the blocks exist.

Usage: lose_node.py NODIA BLOCKS SCENARIO DIR WORDS...    BLOCKS: number of blocks of the dataset
"""

import sys
import threading
import time
from pathlib import Path

import ray
from ray.cluster_utils import Cluster
from ray_generate import launch


def lose_when_half_made(cluster, node, directory, n_block, lost):
    while len(list(Path(directory).glob("blocks/*.json"))) < n_block / 2:
        time.sleep(0.02)
    cluster.remove_node(node, allow_graceful=False)
    lost.append(len(list(Path(directory).glob("blocks/*.json"))))


def alive_at_the_end():
    """Number of living nodes. Waits, because Ray notices the loss of a node some seconds later."""
    deadline = time.monotonic() + 60
    while (alive := sum(node["Alive"] for node in ray.nodes())) > 2 and time.monotonic() < deadline:
        time.sleep(0.2)
    return alive


def main():
    nodia, n_block, scenario, directory, *words = sys.argv[1:]
    cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 1})
    nodes = [cluster.add_node(num_cpus=1) for _ in range(2)]
    ray.init(address=cluster.address, log_to_driver=False)
    lost = []
    killer = threading.Thread(
        target=lose_when_half_made, args=(cluster, nodes[-1], directory, int(n_block), lost), daemon=True
    )
    killer.start()
    launch(nodia, [scenario, directory, *words], tasks=12, cpus=1)
    killer.join(timeout=60)
    alive = alive_at_the_end()
    ray.shutdown()
    cluster.shutdown()
    if not lost or lost[0] == int(n_block) or alive != 2:
        print(
            f"lose_node: no node was lost halfway (blocks made then: {lost}, nodes alive at the end: {alive})",
            file=sys.stderr,
        )
        return 1
    print(f"lose_node: a node was lost with {lost[0]} of {n_block} blocks made")
    return 0


if __name__ == "__main__":
    sys.exit(main())
