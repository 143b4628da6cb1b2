fail() { echo "$*"; exit 1; }
here=$(pwd -P)
mkdir source && cp "$CASE/Main.spl" source && $SLUICE build "$here/source/Main.spl" -o app || exit 1
mkdir -p start/data other && mv app start/app && rm -r source && cd start || exit 1
echo moved > data/in.txt
[ "$(./app)" = "$here/start
$here/start|$here/start|$here/start/data" ] || fail "directories: $(./app)"
cmp data/in.txt data/out.txt || exit 1
echo other > ../other/in.txt
./app --data-dir ../other | grep -qF "$here/start|$here/start/../other" || fail "--data-dir: $(./app --data-dir ../other)"
cmp ../other/in.txt ../other/out.txt || exit 1
./app --help | tr -s ' \n' ' ' | grep -qF 'of an executable: data/ of where it is started' || fail "$(./app --help | grep -i default)"
grep -qF "$here" app && fail "the program contains the path of its source"
grep -qF "$(dirname "$(dirname "$(readlink -f "$(command -v ${SLUICE%% *})")")")" app && fail "... of the build folder"
needed=$(readelf -d app | sed -n 's/.*NEEDED.*\[\(.*\)\]/\1/p' | grep -v '^\(libc\|libm\|ld-linux-x86-64\)\.so')
[ -z "$needed" ] || fail "needs $needed"
readelf -d app | grep -q 'PATH' && fail "has a path to libraries"
# The constants that name the source as it was compiled.
cd .. && mkdir named && cat >named/Named.spl <<'END'
composite Named { graph
  () as Say = Custom() { logic onProcess : {
    printStringLn(getThisFileDir() + "|" + getThisFilePath() + "|" + getThisFileName());
  } }
}
END
$SLUICE build "$here/named/Named.spl" -o named-app && mv named-app other && rm -r named && cd other || exit 1
[ "$(./named-app)" = "$here/named|$here/named/Named.spl|Named.spl" ] || fail "the source: $(./named-app)"
exit 0
