"""Writes panda_bar.urdf: the arm of ../assets/panda with a bar along the axis of its flange.

An edge of the mat is clamped to the bar.

usage: make_arm.py        (no packages needed)
"""

import pathlib

BAR = """<link name="panda_tool">
    <!-- a bar of 6 mm radius, 0.34 m long, of aluminium: rho pi r^2 l = 0.104 kg -->
    <inertial>
      <origin xyz="0 0 0.19"/>
      <mass value="0.104"/>
      <inertia ixx="1.0e-3" ixy="0" ixz="0" iyy="1.0e-3" iyz="0" izz="1.9e-6"/>
    </inertial>
    <collision name="capsule:bar">
      <origin xyz="0 0 0.19" rpy="0 0 0"/>
      <geometry><cylinder radius="0.006" length="0.328"/></geometry>
    </collision>
  </link>"""


def main():
    folder = pathlib.Path(__file__).parent
    arm = (folder / "../assets/panda/panda.urdf").read_text()
    empty = '<link name="panda_tool"/>'
    assert arm.count(empty) == 1
    arm = arm.replace("with a tool frame on its flange", "with a bar on its flange; made by make_arm.py", 1)
    (folder / "panda_bar.urdf").write_text(arm.replace(empty, BAR))


if __name__ == "__main__":
    main()
