# Characters in a UTF-8 locale, bytes in the locale C; a locale that is not there counts as UTF-8.
run() { env -u LC_CTYPE -u LANG LC_ALL="$1" $SLUICE run "$CASE/Main.spl" > out || exit 1; }
expect() { [ "$(cat out)" = "$2" ] || { echo "LC_ALL=$1: $(cat out)"; exit 1; }; }
for locale in C.UTF-8 xx_XX.UTF-8; do run $locale; expect $locale "[1,0]
[1,0]"; done
run C; expect C "[0,1]
[1,0]"
