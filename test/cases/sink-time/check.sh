before=$(TZ=UTC date +%Y); $SLUICE run "$CASE/Main.spl" --data-dir . || exit 1; after=$(TZ=UTC date +%Y)
for y in $before $after; do [ "$(cat "a$y-%$y{x}{id")" = 5 ] && exit 0; done; ls; exit 1
