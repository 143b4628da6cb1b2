run() { rm -f out; "$@" $SLUICE run "$CASE/Main.spl" --data-dir . & p=$!; while ! [ -s out ]; do sleep 0.1; done; kill -HUP $p; }
run env --default-signal=HUP; wait $p || { echo "exit $?"; exit 1; }
[ "$(tail -1 out)" = 'Punctuation received: FinalMarker' ] || { tail -1 out; exit 1; }
run nohup; sleep 0.5; kill -0 $p || { echo 'ended under nohup'; exit 1; }
kill -TERM $p; wait $p
