#!/bin/sh
# Runs the job sequentially, pipelined by hand, with more threads than it has stages, and with the
# controller, and prints the speed-ups.
# Takes about 40 seconds. Rates are those of the last third of each run.
sluice=${SLUICE:-sluice}
program=$(dirname "$0")/PipelinedDag.spl

rate() {
  "$sluice" run "$program" rate=true "$@" | tail -n 1
}

first=$(rate records=400 --elastic=off --queues=none)
show() {
  echo "$1 $2 $first" | awk '{ printf "%-12s %6.1f records/s, %.2f times as fast\n", $1, $2, $2 / $3 }'
}
show sequential "$first"
show by-hand "$(rate records=700 --queues=Decode,Write)"
show 8-threads "$(rate records=700 --queues=Decode,Write --threads=8)"
show elastic "$(rate records=4000)"
"$sluice" explain "$program" | sed -n 's/^  gain  */explain:     /p'
