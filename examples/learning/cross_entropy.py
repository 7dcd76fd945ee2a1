"""Cross-entropy search of grip force and lift speed, for balls whose materials it has not seen (docs/gym.md)."""

import argparse
import os

import numpy as np

import nodia.gym

DRAWN = {"youngs_modulus_Pa": [5e4, 2e5], "friction": [0.2, 0.6], "density_kg_m3": [500, 1500]}
DRAWN |= {"position_m.0": [-0.008, 0.008], "position_m.1": [-0.008, 0.008]}
TASK = {"time.duration_s": 1.2, "randomize": {f"bodies.ball.{key}": ends for key, ends in DRAWN.items()}}
LOW, HIGH = np.array([0, 0.02]), np.array([20, 0.5])  # grip [N] that the drive presses a rigid ball with; speed [m/s]


def lift(envs, settings, draws):
    """Which balls are lifted, (n,), by settings (n, 2) in the episodes that the seeds `draws` (n,) begin."""
    envs.reset(seed=draws.tolist())
    success, running = np.zeros(envs.num_envs, bool), np.ones(envs.num_envs, bool)
    for k in range(envs.actions_per_episode):
        actions = np.zeros(envs.action_space.shape)
        actions[:, 3] = 0.04 - settings[:, 0] / 2000  # target of the fingers [m]: a ball of 0.04 m, drives of 2000 N/m
        actions[:, 2] = -settings[:, 1] / 25 if k >= 10 else 0  # upward [m], 25 times a second, from 0.4 s on
        _, reward, terminated, truncated, _ = envs.step(actions)
        success |= running & (reward > 0)
        running &= ~(terminated | truncated)
    return success


def search(seed, generations=6, candidates=20, draws=5):
    """Shares of successes: by generation, over unseen draws of the settings found and of random ones; those found."""
    n, random, shares = candidates * draws, np.random.default_rng(seed), []
    envs = nodia.gym.ScenarioVectorEnv(nodia.gym.scenario_file("quick_lift"), n, overrides=TASK, normalized=False)
    settings = random.uniform(LOW, HIGH, (candidates, 2))
    for _ in range(generations):
        lifted = lift(envs, np.repeat(settings, draws, 0), np.tile(random.integers(2**62, size=draws), candidates))
        shares.append(lifted.mean())
        best = settings[np.argsort(-lifted.reshape(candidates, draws).mean(1))[: candidates // 4]]
        settings = random.normal(best.mean(0), best.std(0) + 0.01 * (HIGH - LOW), (candidates, 2)).clip(LOW, HIGH)
    unseen, found = random.integers(2**62, 2**63, size=n), np.tile(best.mean(0), (n, 1))
    by_chance = lift(envs, random.uniform(LOW, HIGH, (n, 2)), unseen).mean()
    return shares, lift(envs, found, unseen).mean(), by_chance, found[0]


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seeds", type=int, nargs="+", default=[1, 2, 3])
    parser.add_argument("--plot", metavar="PNG", help="the curves; needs matplotlib")
    arguments = parser.parse_args()
    print("seed  grip_N  speed_m_s  found  random  user_s  successes by generation")
    for seed in arguments.seeds:
        before, (shares, found, by_chance, (grip, speed)) = os.times().user, search(seed)
        row = f"{seed:4} {grip:7.1f} {speed:10.2f} {found:6.2f} {by_chance:7.2f} {os.times().user - before:7.0f}  "
        print(row, *np.round(shares, 2))
        if arguments.plot:
            from matplotlib import pyplot as plt
            plt.plot(["random", *"123456", "found"], [by_chance, *shares, found], "o-", label=f"seed {seed}")
            plt.gca().set(xlabel="generation", ylabel="share of balls lifted", ylim=(0, 1.05))
            plt.legend(loc="lower right")
            plt.savefig(arguments.plot, dpi=80)
