"""Targets commanded at run time: reached linearly by the end of a call, held, told where they are bad."""

import numpy as np
import pytest

import nodia


@pytest.fixture
def hand(gripper):
    return nodia.Simulation(gripper, num_envs=2)


def test_joints_reach_their_targets_by_the_end_of_the_call_and_are_held(hand):
    assert hand.joint_drives("hand") == ["base_z", "finger_left", "finger_right"]
    before = hand.joint_targets("hand", 0)
    wanted = np.array([[0.1, 0.03, 0.02], [-0.1, 0.01, 0.04]])
    hand.set_joint_targets("hand", wanted)
    for k in range(1, 5):
        twin = nodia.Simulation(hand.episodes)
        twin.set_joint_targets("hand", wanted, reach_s=0.04)
        twin.step(k)
        assert np.allclose(twin.joint_targets("hand"), before + k / 4 * (wanted - before), atol=1e-15)
    hand.step(4)
    assert np.array_equal(hand.q("hand"), twin.q("hand")), "a call of four steps of 0.01 s"
    assert np.allclose(hand.joint_targets("hand"), wanted, atol=1e-15)
    hand.step(300)
    names = hand.joints("hand")
    reached = hand.q("hand")[:, [names.index(name) for name in hand.joint_drives("hand")]]
    assert np.allclose(reached, wanted, atol=1e-4)


def test_one_row_is_for_every_environment_and_one_environment_may_be_chosen(hand):
    hand.set_joint_targets("hand", [0.1, 0.03, 0.02])
    hand.set_joint_targets("hand", [0.0, 0.01, 0.01], env=1)
    hand.step()
    assert np.allclose(hand.joint_targets("hand"), [[0.1, 0.03, 0.02], [0, 0.01, 0.01]], atol=1e-15)


def test_an_obstacle_goes_where_it_is_sent_and_lifts_what_lies_on_it(box):
    box["bodies"]["box"] |= {"position_m": [0, 0, 0], "velocity_m_s": [0, 0, 0]}
    sim = nodia.Simulation(box, num_envs=2)
    sim.set_frame_target("floor", [[0, 0, 0.05], [0, 0, 0]], reach_s=0.5)
    sim.step(25)
    assert np.allclose(sim.frame_target("floor", 0), [0, 0, 0.025, 1, 0, 0, 0], atol=1e-12)
    sim.step(75)
    lowest = sim.nodes("box")[:, :, 2].min(axis=1)
    assert np.allclose(lowest, [0.05, 0], atol=1e-3)
    assert np.array_equal(sim.frame_target("floor", 1), [0, 0, 0, 1, 0, 0, 0])
    turn = [np.cos(0.1), 0, 0, np.sin(0.1)]
    sim.set_frame_target("floor", [0, 0, 0.05], turn, env=0)
    sim.step()
    assert np.allclose(sim.frame_target("floor", 0)[3:], turn)
    sim.set_frame_target("floor", [0, 0, 0.06], env=0)
    sim.step()
    assert np.allclose(sim.frame_target("floor", 0)[3:], turn), "the orientation stays"


def test_a_pose_drive_by_its_name(gripper):
    robot = gripper["robots"]["hand"]
    del robot["joint_drives"]
    robot["pose_drives"] = {
        "palm": {"link": "palm", "stiffness_N_m": 5000, "damping_N_s_m": 300, "stiffness_Nm_rad": 100, "damping_Nms_rad": 10}
    }
    sim = nodia.Simulation(gripper)
    assert sim.pose_drives("hand") == ["palm"]
    start = sim.pose_target("hand", "palm", 0)
    sim.set_pose_target("hand", "palm", start[:3] + [0.05, 0, 0])
    sim.step(10)
    assert np.allclose(sim.pose_target("hand", 0, 0), start + [0.05, 0, 0, 0, 0, 0, 0], atol=1e-12)
    sim.step(200)
    links = dict(zip(sim.links("hand"), sim.link_poses("hand", 0)))
    assert np.allclose(links["palm"][0], start[0] + 0.05, atol=1e-3)


def test_an_attachment_lets_go_and_takes_hold(box):
    box["bodies"]["box"] |= {"position_m": [0, 0, 1], "velocity_m_s": [0, 0, 0]}
    box["attachments"] = {"hook": {"body": "box", "node_set": "z_max", "position_m": [0, 0, 1], "stiffness_N_m": 1e5}}
    sim = nodia.Simulation(box)
    sim.step(20)
    assert abs(sim.velocities("box", 0)[:, 2]).max() < 0.1, "held"
    sim.set_holding("hook", False)
    sim.step(10)
    assert np.allclose(sim.velocities("box", 0)[:, 2].mean(), -0.981, atol=0.1), "falls"
    sim.set_holding("hook", True)
    sim.step(60)
    assert abs(sim.velocities("box", 0)[:, 2].mean()) < 0.05, "held again"


@pytest.mark.parametrize("bad", [np.nan, np.inf])
def test_a_target_that_is_no_number_fails_its_environment_alone(hand, bad):
    alone = nodia.Simulation(hand.episodes[1])
    for sim, env in ((hand, 1), (alone, 0)):
        sim.set_joint_targets("hand", [0.1, 0.03, 0.02], env=env)
    hand.set_joint_targets("hand", [0.1, bad, 0.02], env=0)
    report = hand.step(4)
    alone.step(4)
    assert report.status.tolist() == ["not_a_number", "converged"] and "hand" in report.reason[0]
    assert hand.failed.tolist() == [True, False]
    assert np.array_equal(hand.q("hand", 1), alone.q("hand", 0))


@pytest.mark.parametrize(
    ("command", "words"),
    [
        (lambda s: s.set_joint_targets("hnad", [0, 0, 0]), "hand"),
        (lambda s: s.set_joint_targets("hand", [0, 0]), "3 numbers"),
        (lambda s: s.set_joint_targets("hand", np.zeros((3, 3))), "(2, n) without env"),
        (lambda s: s.set_joint_targets("hand", np.zeros((2, 3)), env=0), "must be (n,)"),
        (lambda s: s.set_joint_targets("hand", ["a"]), "must be numbers"),
        (lambda s: s.set_joint_targets("hand", [0, 0, 0], reach_s=0), "reach_s = 0"),
        (lambda s: s.set_joint_targets("hand", [0, 0, 0], reach_s=np.nan), "reach_s = nan"),
        (lambda s: s.set_frame_target("wall", [0, 0, 0]), "wall"),
        (lambda s: s.set_frame_target("wall", [0, 0]), "position_m = [0.0, 0.0] (must be 3 numbers)"),
        (lambda s: s.set_frame_target("wall", [0, 0, 0], [0, 0, 0, 0]), "must be of unit length within 0.001"),
        (lambda s: s.set_pose_target("hand", "palm", [0, 0, 0]), "drive = palm (must be a pose drive of robot 'hand', which has none)"),
        (lambda s: s.set_pose_target("hand", 0, [0, 0, 0]), "drive"),
        (lambda s: s.set_holding("hook", False), "hook"),
    ],
)
def test_bad_commands_are_told_and_change_nothing(hand, gripper, command, words):
    with pytest.raises(nodia.InputError) as caught:
        command(hand)
    assert words in str(caught.value)
    hand.step(3)
    untouched = nodia.Simulation(gripper)
    untouched.step(3)
    assert np.array_equal(hand.q("hand", 0), untouched.q("hand", 0))
    with pytest.raises(IndexError):
        hand.set_joint_targets("hand", [0, 0, 0], env=2)
