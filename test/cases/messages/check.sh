fail() { echo "$*"; exit 1; }
# The rest of the words start the program: it prints the texts, and says once what is wrong.
expect() {
  local name=$1 && shift
  "$@" >out 2>errors || fail "$name: exit code $? $(cat errors)"
  diff "$CASE/wanted" out || fail "$name"
  while read -r line; do
    [ "$(grep -cF "$line" errors)" = 1 ] || fail "$name lacks: $line; it says $(cat errors)"
  done <"$CASE/problems"
}
cp -r "$CASE" app && mv app/kit . || exit 1
export LC_ALL=C.UTF-8
run="$SLUICE run app/Main.spl -t kit"
expect batched $run
expect deterministic $run --deterministic
expect queued $run --boundaries=all --queues=all --threads=3
expect saved $run --boundaries=all --deterministic --save-every=3
expect processes $run --pes=2
(cd app && $SLUICE build Main.spl -t ../kit -o program) || exit 1
grep -qF "$PWD" app/program && fail "the executable names a path of where it was built"
cd app && expect built ./program || exit 1
# On another machine: what it needs of toolkits is copied.
cd .. && mkdir -p moved/toolkits/com.example.kit/impl || exit 1
cp -r app/program app/info.xml app/impl moved && cp kit/info.xml moved/toolkits/com.example.kit || exit 1
cp -r kit/impl/nl moved/toolkits/com.example.kit/impl && mv kit away && cd moved || exit 1
expect moved ./program
# The language of the process.
cat >Own.spl <<'SPL'
composite Own { graph
  () as O = Custom() { logic onProcess :
    printStringLn(loadAndFormatResource("com.example.app", "Texts", "TEXT0001I", {n = 1234, s = "x"}));
  }
}
SPL
say() { env -u LC_ALL -u LC_MESSAGES -u LANG "$@" $SLUICE run Own.spl; }
[ "$(say LANG=de_DE.UTF-8)" = "TEXT0001I: Aus x wird das Tupel '1.234' nicht gelesen: ä." ] || fail "LANG: $(say LANG=de_DE.UTF-8)"
[ "$(say LC_MESSAGES=en_US LANG=de_DE)" = "TEXT0001I: Tuple '1,234' of x isn't read." ] || fail "LC_MESSAGES"
[ "$(say LC_ALL=de_DE LC_MESSAGES=en_US)" = "TEXT0001I: Aus x wird das Tupel '1.234' nicht gelesen: ä." ] || fail "LC_ALL"
[ "$(say)" = "TEXT0001I: Tuple '1234' of x isn't read." ] || fail "no locale"
exit 0
