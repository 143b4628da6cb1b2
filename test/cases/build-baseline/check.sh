qemu=$(command -v qemu-x86_64-static || command -v qemu-x86_64) || exit 77
$SLUICE build "$CASE/Main.spl" -o app --cpu=baseline || exit 1
for cpu in core2duo Nehalem max; do
  out=$("$qemu" -cpu "$cpu" ./app 2>err) && [ "$out" = 853725.186103213 ] || { cat err; echo "on $cpu: $out"; exit 1; }
done
