"""What the checker needs of a URDF file: masses of links, axes and limits of joints."""

import xml.etree.ElementTree as xml
from dataclasses import dataclass

import numpy as np


@dataclass
class Link:
    mass: float
    centre: np.ndarray  # [3], frame of the link
    inertia: np.ndarray  # [3, 3] about the centre, axes of the link


@dataclass
class Joint:
    name: str
    kind: str
    parent: str
    child: str
    origin: np.ndarray  # [3], frame of the parent
    rotation: np.ndarray  # [3, 3]
    axis: np.ndarray  # [3], frame of the child
    effort: float
    lower: float
    upper: float
    damping: float
    mimics: str  # name of a joint, or empty
    multiplier: float


def _numbers(element, name, default):
    return np.array([float(x) for x in (default if element is None else element.get(name, default)).split()])


def _number(element, name, default):
    return default if element is None else float(element.get(name, default))


def _rotation(rpy):
    (cr, cp, cy), (sr, sp, sy) = np.cos(rpy), np.sin(rpy)
    return np.array(
        [
            [cy * cp, cy * sp * sr - sy * cr, cy * sp * cr + sy * sr],
            [sy * cp, sy * sp * sr + cy * cr, sy * sp * cr - cy * sr],
            [-sp, cp * sr, cp * cr],
        ]
    )


def read_urdf(path):
    """Links and joints by name."""
    root = xml.parse(path).getroot()
    links = {element.get("name"): _link(element.find("inertial")) for element in root.findall("link")}
    joints = {element.get("name"): _joint(element) for element in root.findall("joint")}
    return links, joints


def _link(inertial):
    if inertial is None:
        return Link(0.0, np.zeros(3), np.zeros((3, 3)))
    origin, values = inertial.find("origin"), inertial.find("inertia")
    xx, yy, zz, xy, xz, yz = (_number(values, f"i{key}", 0.0) for key in ("xx", "yy", "zz", "xy", "xz", "yz"))
    rotation = _rotation(_numbers(origin, "rpy", "0 0 0"))
    inertia = rotation @ np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]]) @ rotation.T
    return Link(float(inertial.find("mass").get("value")), _numbers(origin, "xyz", "0 0 0"), inertia)


def _joint(element):
    limit, dynamics, mimic = element.find("limit"), element.find("dynamics"), element.find("mimic")
    axis = _numbers(element.find("axis"), "xyz", "1 0 0")
    continuous = element.get("type") == "continuous"
    return Joint(
        element.get("name"), element.get("type"), element.find("parent").get("link"), element.find("child").get("link"),
        _numbers(element.find("origin"), "xyz", "0 0 0"), _rotation(_numbers(element.find("origin"), "rpy", "0 0 0")),
        axis / max(np.linalg.norm(axis), 1e-300), _number(limit, "effort", np.inf),
        -np.inf if continuous else _number(limit, "lower", 0), np.inf if continuous else _number(limit, "upper", 0),
        _number(dynamics, "damping", 0), "" if mimic is None else mimic.get("joint"), _number(mimic, "multiplier", 1),
    )  # fmt: skip
