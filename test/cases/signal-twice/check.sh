$SLUICE build "$CASE/Main.spl" -o app || exit 1
run() { rm -f out; ./app --data-dir . 2>err & p=$!; while ! [ -s out ]; do sleep 0.1; done; }
run; kill -INT $p; sleep 0.5; grep -q 'a second ctrl-C stops at once' err || { cat err; kill -KILL $p; exit 1; }
while kill -0 $p 2>/dev/null; do kill -TERM $p; sleep 0.3; done 2>/dev/null
wait $p; [ $? = 143 ] || { echo "exit $?"; exit 1; }
