"""nodia.Reports: the worst of the steps of a call."""

import numpy as np
import pytest

import nodia


def test_reports_are_the_worst_of_the_steps(box):
    one, many = nodia.Simulation(box), nodia.Simulation(box)
    steps = [one.step() for _ in range(10)]
    report = many.step(10)
    for name in ("relative_residual", "natural_map_error", "certificate_J", "max_penetration_m"):
        assert getattr(report, name)[0] == np.max([getattr(step, name)[0] for step in steps]), name
    assert report.iterations[0] == sum(step.iterations[0] for step in steps)
    for name in ("n_contact", "n_stick", "n_slip", "time_s", "kinetic_energy_J", "potential_energy_J"):
        assert getattr(report, name)[0] == getattr(steps[-1], name)[0], name
    assert report.steps.tolist() == [10] and report.converged.all()
    assert many.reports is report and nodia.Simulation(box).reports is None


def test_a_step_that_does_not_converge_is_not_hidden_by_later_ones(box):
    box["solver"] = {"solver": "pgs", "max_iterations": 1, "tolerance": 1e-10}
    sim = nodia.Simulation(box)
    statuses = [str(sim.step().status[0]) for _ in range(12)]
    assert "converged" in statuses and "iteration_limit" in statuses, "free fall, then contacts"
    again = nodia.Simulation(box)
    report = again.step(12)
    assert report.status[0] == "iteration_limit" and not report.converged[0]
    assert report.of(0)["status"] == "iteration_limit"


def test_an_environment_that_fails_stands_still_and_says_so(box):
    good = nodia.Scenario(box).episode()
    box["bodies"]["box"]["velocity_m_s"] = [1e200, 0, 0]
    bad = nodia.Scenario(box).episode()
    sim = nodia.Simulation([good, bad])
    start = sim.nodes("box", 1)
    report = sim.step(3)
    assert report.status[1] == "not_a_number" and report.reason[1]
    assert sim.failed.tolist() == [False, True]
    assert np.array_equal(sim.nodes("box", 1), start)
    assert np.isfinite(report.certificate_J).tolist() == [True, False]
    later = sim.step(3)
    assert later.status.tolist() == ["converged", "not_a_number"]
    assert later.steps.tolist() == [3, 0] and later.reason[1] == report.reason[1]
    alone = nodia.Simulation(good)
    alone.step(6)
    assert np.array_equal(alone.nodes("box", 0), sim.nodes("box", 0))


def test_values_over_environments(box):
    report = nodia.Simulation(box, num_envs=3).step(2)
    assert all(getattr(report, name).shape == (3,) for name in report.of(0))
    with pytest.raises(AttributeError):
        report.status = None
