"""The ten lines of README.md, and what they are given: somebody's own mesh and robot."""

import re
import shutil
from pathlib import Path

SOURCE = Path(__file__).resolve().parents[2]

ARM = """\
<robot name="arm">
  <link name="base"/>
  <link name="upper">
    <inertial><mass value="1"/><inertia ixx="0.01" iyy="0.01" izz="0.01" ixy="0" ixz="0" iyz="0"/></inertial>
    <collision><origin xyz="0.05 0 0"/><geometry><box size="0.1 0.02 0.02"/></geometry></collision>
  </link>
  <joint name="elbow" type="revolute">
    <parent link="base"/><child link="upper"/><axis xyz="0 1 0"/><limit lower="-2" upper="2" effort="9" velocity="9"/>
  </joint>
</robot>
"""


def ten_lines():
    page = (SOURCE / "README.md").read_text(encoding="utf-8")
    return re.findall(r"^```python\n(.*?)^```$", page, re.M | re.S)[0]


def give(folder):
    """pad.msh and arm.urdf, in a folder."""
    shutil.copy(SOURCE / "scenarios/soft_ball/soft_ball.msh", folder / "pad.msh")
    (folder / "arm.urdf").write_text(ARM)
