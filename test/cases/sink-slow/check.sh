$SLUICE run "$CASE/Main.spl" --data-dir . & p=$!
for i in $(seq 200); do sleep 0.1; [ "$(cat out soon 2>/dev/null | tr '\n' ' ')" = '1 1 ' ] && break; done
kill -TERM $p; wait $p; [ "$i" -lt 200 ]
