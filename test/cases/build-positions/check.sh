here=$(pwd -P)
mkdir -p app toolkit/tools && cp "$CASE/Main.spl" app || exit 1
printf 'namespace tools;\npublic int32 third(list<int32> l) {\n  return l[2];\n}\n' > toolkit/tools/third.spl
$SLUICE build "$here/app/Main.spl" -t "$here/toolkit" -o absolute || exit 1
(cd app && $SLUICE build Main.spl -t ../toolkit -o ../relative) || exit 1
for program in absolute relative; do
  ./$program > /dev/null 2> $program.err; [ $? = 1 ] || { echo "$program: no failure"; exit 1; }
  grep -qF "$here" $program $program.err && { echo "$program has the path of its source"; cat $program.err; exit 1; }
done
cmp absolute.err relative.err || exit 1
# Which fails first is not said.
grep -Eq '^Main: (Main.spl:4|third.spl:3):[0-9]+: error' absolute.err || { cat absolute.err; exit 1; }
