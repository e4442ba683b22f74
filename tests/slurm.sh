#!/usr/bin/env bash
# Plays a match in one run, in four parts by GNU parallel, and in four parts as a job array of a real
# Slurm with one node, and compares the reports. Usage: tests/slurm.sh PATH/TO/yinsh-bot
#
# Needs Debian's slurm-wlm, munge and parallel, and installs them where it may; elsewhere it says
# what is missing and does nothing.
set -euo pipefail

bot=$(realpath "$1")
parts=4
match=(match --a simulations=100 --b baseline,simulations=80 --games 40 --concurrency 1)

is_there() {
    PATH="$PATH:/usr/sbin:/sbin" command -v "$1" >/dev/null
}

skip() {
    echo "skipped: $1"
    exit 0
}

if ! { is_there slurmctld && is_there munged && is_there parallel; }; then
    [[ $(id -u) == 0 ]] && is_there apt-get || skip "slurm-wlm, munge and parallel are not installed"
    {
        apt-get update
        DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends slurm-wlm munge parallel
    } >/dev/null 2>&1 || skip "slurm-wlm, munge and parallel cannot be installed"
fi
export PATH="$PATH:/usr/sbin:/sbin"

folder=$(mktemp -d)
chmod 755 "$folder"
cd "$folder"

# Ends what was started, by the ids that the daemons left, and waits until it has ended.
cleanup() {
    local file pid
    for file in slurmd.pid slurmctld.pid munge.pid; do
        [[ -s $file ]] || continue
        pid=$(cat "$file")
        kill "$pid" 2>/dev/null || continue
        for _ in $(seq 100); do
            kill -0 "$pid" 2>/dev/null || break
            sleep 0.1
        done
    done
    cd /
    rm -rf "$folder"
}
trap cleanup EXIT

# The report without what differs from run to run.
report() {
    sed -E 's/"turn_ms":\{[^}]*\},?//g; s/"simulations_per_second":[^,}]*,?//g'
}

compare() {
    "$bot" match merge "$1"-*.jsonl --json | report >"$1.json"
    cmp "$1.json" whole.json
    echo "$1: $parts parts give the report of one run"
}

"$bot" "${match[@]}" --out whole.jsonl --json 2>whole.log | report >whole.json
grep -q '"games":40' whole.json

# GNU parallel; on several machines with --sshlogin and --return.
parallel --jobs 2 --will-cite \
    "$bot" "${match[@]}" --shard "{}/$parts" --out "parallel-{}.jsonl" ::: $(seq $parts) >parallel.log 2>&1
compare parallel

# Slurm: munge for its messages, one controller, one node.
mkdir state spool
dd if=/dev/urandom of=munge.key bs=1024 count=1 2>/dev/null
chmod 400 munge.key
munged --key-file="$folder/munge.key" --socket="$folder/munge.socket" --pid-file="$folder/munge.pid" \
    --log-file="$folder/munge.log" --seed-file="$folder/munge.seed"
host=$(hostname -s)
user=$(id -un)
cat >slurm.conf <<END
ClusterName=test
SlurmctldHost=$host(127.0.0.1)
SlurmctldPort=26817
SlurmdPort=26818
AuthType=auth/munge
AuthInfo=socket=$folder/munge.socket
SlurmUser=$user
SlurmdUser=$user
StateSaveLocation=$folder/state
SlurmdSpoolDir=$folder/spool
SlurmctldPidFile=$folder/slurmctld.pid
SlurmdPidFile=$folder/slurmd.pid
SlurmctldLogFile=$folder/slurmctld.log
SlurmdLogFile=$folder/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
MpiDefault=none
NodeName=$host NodeAddr=127.0.0.1 CPUs=$(nproc)
PartitionName=all Nodes=ALL Default=YES State=UP
END
export SLURM_CONF="$folder/slurm.conf"
give_up() {
    tail -n 20 slurmctld.log slurmd.log 2>/dev/null || true
    skip "Slurm does not start here: $1"
}
slurmctld -c || give_up "no controller"
slurmd || give_up "no node"
for _ in $(seq 60); do
    [[ $(sinfo --noheader --format %T 2>/dev/null) == idle ]] && break
    sleep 0.5
done
[[ $(sinfo --noheader --format %T) == idle ]] || give_up "the node does not get ready"

cat >job.sh <<END
#!/bin/sh
cd $folder
exec $bot ${match[*]} --shard "\$SLURM_ARRAY_TASK_ID/$parts" --out "slurm-\$SLURM_ARRAY_TASK_ID.jsonl"
END
timeout 300 sbatch --wait --array="1-$parts" --output="$folder/job-%a.log" job.sh
compare slurm
