set -e
mkdir -p "$WORK/home/.config/sluice/app-config" "$WORK/other"
configs=$WORK/home/.config/sluice/app-config
printf '# where it is\n! and who\nbootstrap.servers = a:9092,\\\n   b:9092\r\nuser:ann\npassword s\\u00e9cret\\ \\=\\n\nempty\n\nuser=bob' \
  > "$configs/kafka.properties"
printf 'user = any\n' > "$configs/open.properties"
chmod 600 "$configs/kafka.properties"
chmod 644 "$configs/open.properties"
expected='"a:9092,b:9092"
"none"
"none"
"none"
["sécret =\n","0"]
["","-2"]
["","-1"]
0
["bootstrap.servers","a:9092,b:9092"]
["empty",""]
["own","kept"]
["password","sécret =\n"]
["user","bob"]
-1'
rc=0
out=$(env -u SLUICE_APP_CONFIG HOME="$WORK/home" $SLUICE run "$CASE/Main.spl" 2> "$WORK/errors") || rc=$?
[ "$out" = "$expected" ] || { echo "$out"; cat "$WORK/errors"; exit 1; }
[ $rc = 1 ] || { echo "exit code $rc"; exit 1; }
grep -q 'open.properties may be read or written by others: `chmod 600`' "$WORK/errors"
# The folder of the environment comes first.
printf 'bootstrap.servers=c\n' > "$WORK/other/kafka.properties"
chmod 600 "$WORK/other/kafka.properties"
out=$(SLUICE_APP_CONFIG="$WORK/other" $SLUICE run "$CASE/Main.spl" | head -1)
[ "$out" = '"c"' ] || { echo "$out"; exit 1; }
# A malformed escape is an error with its place.
printf 'a=1\nb=\\u00zz\n' > "$WORK/other/kafka.properties"
rc=0
SLUICE_APP_CONFIG="$WORK/other" $SLUICE run "$CASE/Main.spl" > "$WORK/out" 2> "$WORK/errors" || rc=$?
[ $rc = 1 ] || { echo "exit code $rc"; exit 1; }
grep -q 'kafka.properties:2: \\u is not followed by four hexadecimal digits' "$WORK/errors" || { cat "$WORK/errors"; exit 1; }
