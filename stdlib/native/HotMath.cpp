//===- HotMath.cpp - spl.math, scalar functions -----------------*- C++ -*-===//
//
// Part of the bitcode: nothing of the C++ library but inline functions. The
// type of a generic argument is switched on; this folds when it is a constant.
//
//===----------------------------------------------------------------------===//
#include "stdlib/native/Library.h"
#include <math.h>

using namespace sluice;

namespace {

/// f of a float32 or a float64; for one of them the result is not used.
template <typename F, typename D>
SLUICE_INLINE int32_t real(Type type, void *result, const void *x, F f, D d) {
  if (type->kind == Kind::Float32)
    store<float>(result, f(load<float>(x)));
  else
    store<double>(result, d(load<double>(x)));
  return 0;
}

template <typename T> SLUICE_INLINE T absolute(T v) {
  if constexpr (T(0.5) != T(0))
    return T(__builtin_fabs(v)); // also -0
  else
    return v < T(0) ? T(0 - uint64_t(v)) : v;
}

/// Wraps; a negative exponent gives 0, but for 1 and -1.
template <typename T> SLUICE_INLINE T integerPower(T base, T exponent) {
  if (exponent < T(0))
    return base == T(1) ? T(1) : base == T(-1) ? (exponent & 1 ? base : T(1)) : T(0);
  uint64_t result = 1, factor = uint64_t(base);
  for (auto n = uint64_t(exponent); n; n >>= 1) {
    if (n & 1)
      result *= factor;
    factor *= factor;
  }
  return T(result);
}

} // namespace

#define SLUICE_REAL(name, cname)                                                                   \
  SL_HOT(name, g)(Ctx *, Type type, void *result, const void *x) {                                 \
    return real(                                                                                   \
        type, result, x, [](float v) { return __builtin_##cname##f(v); },                          \
        [](double v) { return __builtin_##cname(v); });                                            \
  }
SLUICE_REAL(exp, exp)
SLUICE_REAL(log, log)
SLUICE_REAL(ln, log)
SLUICE_REAL(log10, log10)
SLUICE_REAL(lg, log10)
SLUICE_REAL(ceil, ceil)
SLUICE_REAL(floor, floor)
SLUICE_REAL(round, round)
SLUICE_REAL(sin, sin)
SLUICE_REAL(cos, cos)
SLUICE_REAL(tan, tan)
SLUICE_REAL(asin, asin)
SLUICE_REAL(acos, acos)
SLUICE_REAL(atan, atan)

SL_HOT(fmod, gg)(Ctx *, Type type, void *result, const void *x, const void *y) {
  return real(
      type, result, x, [&](float v) { return __builtin_fmodf(v, load<float>(y)); },
      [&](double v) { return __builtin_fmod(v, load<double>(y)); });
}

SL_HOT(isNaN, g)(Ctx *, Type type, uint8_t *result, const void *x) {
  *result = type->kind == Kind::Float32 ? __builtin_isnan(load<float>(x))
                                        : __builtin_isnan(load<double>(x));
  return 0;
}
SL_HOT(isInf, g)(Ctx *, Type type, uint8_t *result, const void *x) {
  *result = type->kind == Kind::Float32 ? __builtin_isinf(load<float>(x)) != 0
                                        : __builtin_isinf(load<double>(x)) != 0;
  return 0;
}

SL_HOT(abs, g)(Ctx *, Type type, void *result, const void *x) {
  withNumber(type->kind, [&](auto *t) {
    using T = __remove_pointer(decltype(t));
    store<T>(result, absolute(load<T>(x)));
  });
  return 0;
}
SL(abs, Lg)(Ctx *ctx, Type type, Seq *result, const Seq *list) {
  *result = scratchList(ctx, list->len, type->size);
  withNumber(type->kind, [&](auto *t) {
    using T = __remove_pointer(decltype(t));
    for (uint32_t i = 0; i < list->len; ++i)
      listData<T>(*result)[i] = absolute(listData<T>(*list)[i]);
  });
  return 0;
}

/// Of an integer: truncated.
SL_HOT(sqrt, g)(Ctx *, Type type, void *result, const void *x) {
  withNumber(type->kind, [&](auto *t) {
    using T = __remove_pointer(decltype(t));
    if constexpr (sizeof(T) == 4 && T(0.5) != T(0))
      store<T>(result, __builtin_sqrtf(load<T>(x)));
    else
      store<T>(result, T(__builtin_sqrt(double(load<T>(x)))));
  });
  return 0;
}

SL_HOT(pow, gg)(Ctx *, Type type, void *result, const void *x, const void *y) {
  withNumber(type->kind, [&](auto *t) {
    using T = __remove_pointer(decltype(t));
    T a = load<T>(x), b = load<T>(y);
    if constexpr (T(0.5) == T(0))
      store<T>(result, integerPower(a, b));
    else if constexpr (sizeof(T) == 4)
      store<T>(result, __builtin_powf(a, b));
    else
      store<T>(result, __builtin_pow(a, b));
  });
  return 0;
}

/// With NaN first the other operand, with NaN second NaN.
SL_HOT(max, gg)(Ctx *, Type type, void *result, const void *x, const void *y) {
  bool number = withNumber(type->kind, [&](auto *t) {
    using T = __remove_pointer(decltype(t));
    T a = load<T>(x), b = load<T>(y);
    store<T>(result, a > b ? a : b);
  });
  if (!number)
    memmove(result, compareValue(type, x, y) > 0 ? x : y, type->size);
  return 0;
}
SL_HOT(min, gg)(Ctx *, Type type, void *result, const void *x, const void *y) {
  bool number = withNumber(type->kind, [&](auto *t) {
    using T = __remove_pointer(decltype(t));
    T a = load<T>(x), b = load<T>(y);
    store<T>(result, a < b ? a : b);
  });
  if (!number)
    memmove(result, compareValue(type, x, y) < 0 ? x : y, type->size);
  return 0;
}

#define SLUICE_CONSTANT(name, type, value)                                                         \
  extern "C" SLUICE_ENTRY int32_t sl_##name##_(Ctx *, type *result) {                              \
    *result = value;                                                                               \
    return 0;                                                                                      \
  }
SLUICE_CONSTANT(PI, double, 3.14159265358979323846)
SLUICE_CONSTANT(nanl, double, __builtin_nan(""))
SLUICE_CONSTANT(nanw, float, __builtin_nanf(""))
SLUICE_CONSTANT(infl, double, __builtin_inf())
SLUICE_CONSTANT(infw, float, __builtin_inff())

SL_HOT(floorDiv, ll)(Ctx *, int64_t *result, int64_t dividend, int64_t divisor) {
  *result = dividend / divisor - (dividend % divisor < 0);
  return 0;
}

SL_HOT(floatBits, d)(Ctx *, uint64_t *result, double x) {
  *result = load<uint64_t>(&x);
  return 0;
}
SL_HOT(floatFromBits, m)(Ctx *, double *result, uint64_t x) {
  *result = load<double>(&x);
  return 0;
}
