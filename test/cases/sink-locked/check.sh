$SLUICE build "$CASE/Main.spl" -o main || exit 1
run() { ./main --data-dir . "$@"; }
refused() { # by the program that runs already; what it has written stays
  before=$(head -3 out)
  run rows=3 "$@" 2> err; rc=$?
  [ $rc = 1 ] && grep -q 'operator Out: cannot write .*: another program' err || { echo "$*: exit $rc"; cat err; exit 1; }
  [ "$(head -3 out)" = "$before" ] || { echo "$*: it was emptied"; exit 1; }
}
./main --data-dir . file=out & p=$!; trap "kill -KILL $p 2> /dev/null" EXIT
while ! [ "$(wc -l < out)" -gt 5 ]; do sleep 0.1; done 2> /dev/null
refused file=out
refused file=out append=true
ln -s out alias; ln out second
refused file=alias
refused file=second append=true
run file=other rows=3 || exit 1
run file=out rows=3 append=true shared=true || exit 1
kill -TERM $p; wait $p || exit 1
run file=out rows=3 || exit 1
[ "$(tr '\n' ' ' < out)" = '0 1 2 ' ] || { cat out; exit 1; }

# What is no file may be shared.
run file=/dev/null rows=30 & p=$!; run file=/dev/null rows=30 && wait $p || exit 1
mkfifo pipe; (cat pipe > got) & c=$!
exec 3> pipe
run file=pipe rows=30 & a=$!; run file=pipe rows=30 & b=$!
wait $a && wait $b || exit 1
exec 3>&-; wait $c
[ "$(wc -l < got)" = 60 ] || { wc -l got; exit 1; }
for i in 1 2; do run file=/dev/stderr rows=3; done 2> err || { cat err; exit 1; }
[ "$(wc -l < err)" = 6 ] || { cat err; exit 1; }
