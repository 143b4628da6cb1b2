for o in "" --boundaries=all --queues=all; do
  rm -f out other
  $SLUICE run "$CASE/Main.spl" --data-dir . $o & p=$!
  for i in $(seq 200); do [ -s out ] && [ -s other ] && break; sleep 0.1; done
  [ -s out ] && [ -s other ]; found=$?
  kill -TERM $p; wait $p || exit 1
  [ $found = 0 ] || { echo "with '$o': nothing came before the end"; exit 1; }
done
