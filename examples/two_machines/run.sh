#!/bin/sh
# Runs the example on two machines that are network namespaces of this one: needs root and `ip`.
#   run.sh [SLUICE] [OPTION of the program]...
set -eu
here=$(cd "$(dirname "$0")" && pwd)
sluice=${1:-sluice}
[ $# -eq 0 ] || shift
work=$(mktemp -d)
a=sluice-a-$$ b=sluice-b-$$

end() {
  kill ${readings:-} ${report:-} 2>/dev/null || true
  ip netns delete "$a" 2>/dev/null || true # its end of the cable goes with it
  ip netns delete "$b" 2>/dev/null || true
  rm -rf "$work"
}
trap end EXIT
trap 'exit 130' INT TERM

# Two machines and a cable.
ip netns add "$a"
ip netns add "$b"
ip -n "$a" link add cable type veth peer name cable netns "$b"
ip -n "$a" address add 10.77.0.1/24 dev cable
ip -n "$b" address add 10.77.0.2/24 dev cable
for machine in "$a" "$b"; do
  ip -n "$machine" link set lo up
  ip -n "$machine" link set cable up
done

# A cable carries nothing for up to a second.
for machine in "$a" "$b"; do
  until ip -n "$machine" link show cable | grep -q 'state UP'; do
    sleep 0.05
  done
done

# One program, one job.toml, one secret, which are copied to both machines.
"$sluice" build "$here/TwoMachines.spl" --pes=2 -o "$work/app"
cp "$here/job.toml" "$work"
(umask 077 && od -An -N32 -tx1 /dev/urandom | tr -d ' \n' >"$work/job.token")

cd "$work"
ip netns exec "$b" ./app --pe=1 --job=job.toml "$@" &
report=$!
ip netns exec "$a" ./app --pe=0 --job=job.toml "$@" &
readings=$!
wait "$readings"
wait "$report"
