cp "$CASE"/data/* .; $SLUICE build "$CASE/Main.spl" -o app || exit 1
for command in "$SLUICE run $CASE/Main.spl" ./app; do
  rm -f f.csv g.csv; $command --data-dir . <&- >&- 2>&-
  for f in f.csv g.csv; do
    [ "$(cat $f)" = "$(printf '"a",1\n"c",3')" ] || { echo "$f: $(head -c 120 $f)"; exit 1; }
  done
done
