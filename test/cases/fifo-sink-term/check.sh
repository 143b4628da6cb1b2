mkfifo pipe; $SLUICE run "$CASE/Main.spl" --data-dir . & p=$!
sleep 3; kill -TERM $p
for i in $(seq 100); do sleep 0.2; kill -0 $p 2>/dev/null || { wait $p; exit $?; }; done
kill -KILL $p; echo 'still there after SIGTERM'; exit 1
