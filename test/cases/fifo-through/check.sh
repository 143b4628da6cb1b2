mkfifo in out
for first in reader writer; do
  $SLUICE run "$CASE/Main.spl" --data-dir . & p=$!
  [ $first = reader ] && sleep 1
  (printf '1\n'; sleep 0.3; printf '2\n3') > in & cat out > got || exit 1
  wait $p || exit 1
  [ "$(tr '\n' ' ' < got)" = '1 2 3 ' ] || { cat got; exit 1; }
done
