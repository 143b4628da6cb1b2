mkdir in; (cd in; seq 20000 | xargs touch)
$SLUICE run "$CASE/Main.spl" --data-dir . > out 2> err & p=$!
sleep 3; touch in/new
for i in $(seq 200); do grep -q new out && break; sleep 0.1; done
grep -q new out; found=$?
kill -TERM $p; wait $p || exit 1
[ $found = 0 ] || { echo "not told of within 20 s; at the end: $(cat out) $(head -3 err)"; exit 1; }
