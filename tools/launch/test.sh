#!/usr/bin/env bash
# The launchers on this machine: each makes the same dataset; all must have one content_sha256 and equal files. Ray goes
# into build/launch_env (pip); Slurm runs as root, from the Debian packages slurm-wlm and munge, in a folder of its own;
# MPI is openmpi-bin. Every part ends with a line, `launch: PART ok` or `launch: PART FAILED` (without its engine, too).
#
# Usage: tools/launch/test.sh [--episodes N] [PART ...]    without a part all of them; 24 episodes
#   ray           ray_generate.py on one node
#   ray_lost_node on three nodes, one killed halfway
#   slurm         slurm_generate.sbatch, an array of four
#   mpi           mpirun -n 4 nodia generate
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

episodes=24 parts=()
while [[ $# -gt 0 ]]; do
  case $1 in
    --episodes) episodes=${2:?--episodes: a number is missing}; shift ;;
    ray | ray_lost_node | slurm | mpi) parts+=("$1") ;;
    -h | --help) sed -n '2,/^set /{/^set /d;s/^# \{0,1\}//p}' "${BASH_SOURCE[0]}"; exit 0 ;;
    *) echo "launch: unknown argument $1 (see tools/launch/test.sh --help)" >&2; exit 2 ;;
  esac
  shift
done
[[ ${#parts[@]} -gt 0 ]] || parts=(ray ray_lost_node slurm mpi)

nodia=${NODIA_BINARY:-$PWD/build/release/bin/nodia}
[[ -x $nodia ]] || { echo "launch: $nodia has not been built (tools/build.sh)" >&2; exit 1; }
export OMP_WAIT_POLICY=passive
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

block=2
# Planted faults: actions of NaN in one of eight episodes, and balls more than 1 km away in one of fifty.
cat >"$work/grip.py" <<'END'
class Grip:
    def __init__(self, task):
        self.task = task

    def reset(self, observation, seed):
        self.fails, self.step = seed % 8 == 0, 0

    def act(self, observation):
        self.step += 1
        if self.fails and self.step > 2:
            return [float("nan")] * 4
        return [0, 0, 0.5 * self.task.high[2] if self.step > 10 else 0, self.task.low[3]]
END
words=(--episodes "$episodes" --seed 7 --block "$block" --set "task.policy=$work/grip.py:Grip"
  --set 'randomize.bodies.ball.position_m.1=[0, 1020]')
scenario=$PWD/scenarios/quick_lift/quick_lift.yaml
n_block=$(((episodes + block - 1) / block))

sum_of() {
  "$nodia" dataset "$1" --json | python3 -c 'import json, sys; print(json.load(sys.stdin)["content_sha256"])'
}

need_ray() {
  [[ -x build/launch_env/bin/ray ]] && return
  python3 -m venv build/launch_env &&
    build/launch_env/bin/python -m pip install --quiet --no-input --disable-pip-version-check ray==2.60.0
}

part_ray() {
  need_ray || return 1
  build/launch_env/bin/python tools/launch/ray_generate.py --nodia "$nodia" "$scenario" "$1" "${words[@]}"
}

part_ray_lost_node() {
  need_ray || return 1
  build/launch_env/bin/python tools/launch/lose_node.py "$nodia" "$n_block" "$scenario" "$1" "${words[@]}"
}

part_mpi() {
  # Open MPI runs as root only with these variables.
  OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 mpirun -n 4 --oversubscribe \
    "$nodia" generate "$scenario" "$1" "${words[@]}" --threads 1
}

# Starts a controller and a node on this machine, with keys and state in $work/slurm_state.
start_slurm() {
  local host state=$work/slurm_state
  host=$(hostname -s)
  mkdir -p "$state"/{ctld,d,munge}
  dd if=/dev/urandom of="$state/munge/key" bs=1024 count=1 status=none
  chmod 400 "$state/munge/key"
  chmod 755 "$work" "$state" "$state/munge"
  munged --force --foreground --key-file="$state/munge/key" --socket="$state/munge/socket" \
    --pid-file="$state/munge/pid" --seed-file="$state/munge/seed" --log-file="$state/munge/log" \
    >"$state/munge/out" 2>&1 &
  pids+=($!)
  cat >"$state/slurm.conf" <<END
ClusterName=local
SlurmctldHost=$host(127.0.0.1)
SlurmUser=root
AuthType=auth/munge
AuthInfo=socket=$state/munge/socket
StateSaveLocation=$state/ctld
SlurmdSpoolDir=$state/d
SlurmctldPidFile=$state/ctld.pid
SlurmdPidFile=$state/d.pid
SlurmctldLogFile=$state/ctld.log
SlurmdLogFile=$state/d.log
SlurmctldPort=36817
SlurmdPort=36818
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
MpiDefault=none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SchedulerType=sched/backfill
ReturnToService=2
NodeName=$host NodeAddr=127.0.0.1 CPUs=$(nproc) State=UNKNOWN
PartitionName=all Nodes=$host Default=YES MaxTime=INFINITE State=UP
END
  export SLURM_CONF=$state/slurm.conf
  slurmctld -D >"$state/ctld.out" 2>&1 &
  pids+=($!)
  slurmd -D >"$state/d.out" 2>&1 &
  pids+=($!)
  for _ in {1..120}; do
    [[ $(sinfo -h -o %T 2>/dev/null) != idle ]] || return 0
    sleep 0.5
  done
  tail -n 5 "$state"/*.log "$state"/*.out
  return 1
}

part_slurm() {
  command -v slurmctld >/dev/null && command -v munged >/dev/null ||
    { echo "launch: Slurm is missing (apt-get install slurm-wlm munge)"; return 1; }
  start_slurm || return 1
  NODIA=$nodia sbatch --wait --array=0-3 --chdir="$work" tools/launch/slurm_generate.sbatch \
    "$scenario" "$1" "${words[@]}" || { cat "$work"/nodia_generate_*.log; return 1; }
}

# Runs a part in a subshell, which ends the processes that the part started.
run_part() (
  pids=()
  trap '[[ ${#pids[@]} -eq 0 ]] || { kill "${pids[@]}"; wait; }' EXIT
  "part_$1" "$work/$1"
)

same_as_alone() {
  [[ $(sum_of "$1") == "$expected" ]] && diff -r "$work/alone/blocks" "$1/blocks" &&
    diff "$work/alone/dataset.yaml" "$1/dataset.yaml"
}

"$nodia" generate "$scenario" "$work/alone" "${words[@]}"
expected=$(sum_of "$work/alone")
"$nodia" dataset "$work/alone" --json | python3 -c 'import json, sys
causes = json.load(sys.stdin)["causes"]
sys.exit(0 if causes else "launch: none of the planted faults is among the episodes (more --episodes have some)")'
status=0
for part in "${parts[@]}"; do
  if run_part "$part" >"$work/$part.log" 2>&1 && same_as_alone "$work/$part"; then
    echo "launch: $part ok ($expected)"
  else
    cat "$work/$part.log" >&2
    echo "launch: $part FAILED"
    status=1
  fi
done
exit "$status"
