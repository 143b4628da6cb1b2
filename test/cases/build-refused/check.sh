qemu=$(command -v qemu-x86_64-static || command -v qemu-x86_64) || exit 77
# refused OPTION PROCESSOR MISSING
refused() {
  $SLUICE build "$CASE/Main.spl" -o app $1 || exit 1
  out=$($qemu -cpu "$2" ./app 2>err); rc=$?
  [ "$rc" = 1 ] && [ -z "$out" ] && grep -q "this one lacks: $3" err && grep -q 'cpu=baseline' err && return
  echo "build $1 on $2: exit $rc $out"; cat err; exit 1
}
refused --cpu=levels core2duo 'sse4.1, sse4.2, popcnt'
refused --cpu=x86-64-v2 core2duo 'sse4.1, sse4.2, popcnt'
refused --cpu=x86-64-v3 Nehalem 'movbe, lzcnt, bmi, bmi2, avx, f16c, fma, avx2'
refused --cpu=x86-64-v4 Haswell 'avx512f, avx512cd, avx512bw, avx512dq, avx512vl'
refused --cpu=haswell Nehalem '.*avx2'
refused --cpu=native core2duo '.*sse4.2'
power=$(command -v qemu-ppc64le-static) && [ -d /usr/powerpc64le-linux-gnu ] || exit 0
qemu="$power -L /usr/powerpc64le-linux-gnu"
refused '--target=powerpc64le-linux-gnu --cpu=pwr9' power8 arch_3_00
refused '--target=powerpc64le-linux-gnu --cpu=pwr10' power9 arch_3_1
