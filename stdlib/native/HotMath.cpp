//===- HotMath.cpp - spl.math, scalar functions -----------------*- C++ -*-===//
//
// Part of the bitcode: nothing of the C++ library but inline functions. The
// type of a generic argument is switched on; this folds when it is a constant.
//
//===----------------------------------------------------------------------===//
#include "stdlib/native/Library.h"
#include "stdlib/native/NumberFn.h"
#include "value/Numbers.h"
#include <math.h>

using namespace sluice;

namespace {

/// f of a float32 or a float64, or the function `fn` of numbers of other types.
template <typename F, typename D>
SLUICE_INLINE int32_t real(Type type, NumberFn fn, void *result, const void *x, const void *y, F f,
                           D d) {
  if (type->kind == Kind::Float32)
    store<float>(result, f(load<float>(x)));
  else if (type->kind == Kind::Float64)
    store<double>(result, d(load<double>(x)));
  else
    return sl_number_fn(type, fn, result, x, y);
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

#define SLUICE_REAL(name, cname, fn)                                                               \
  SL_HOT(name, g)(Ctx *, Type type, void *result, const void *x) {                                 \
    return real(                                                                                   \
        type, NumberFn::fn, result, x, x, [](float v) { return __builtin_##cname##f(v); },         \
        [](double v) { return __builtin_##cname(v); });                                            \
  }
SLUICE_REAL(exp, exp, Exp)
SLUICE_REAL(log, log, Ln)
SLUICE_REAL(ln, log, Ln)
SLUICE_REAL(log10, log10, Log10)
SLUICE_REAL(lg, log10, Log10)
SLUICE_REAL(ceil, ceil, Ceil)
SLUICE_REAL(floor, floor, Floor)
SLUICE_REAL(round, round, Round)
SLUICE_REAL(sin, sin, Sin)
SLUICE_REAL(cos, cos, Cos)
SLUICE_REAL(tan, tan, Tan)
SLUICE_REAL(asin, asin, Asin)
SLUICE_REAL(acos, acos, Acos)
SLUICE_REAL(atan, atan, Atan)

SL_HOT(fmod, gg)(Ctx *, Type type, void *result, const void *x, const void *y) {
  return real(
      type, NumberFn::Fmod, result, x, y,
      [&](float v) { return __builtin_fmodf(v, load<float>(y)); },
      [&](double v) { return __builtin_fmod(v, load<double>(y)); });
}

SL_HOT(isNaN, g)(Ctx *, Type type, uint8_t *result, const void *x) {
  *result = type->kind == Kind::Float32   ? __builtin_isnan(load<float>(x))
            : type->kind == Kind::Float64 ? __builtin_isnan(load<double>(x))
                                          : sl_number_is(type, x, false);
  return 0;
}
SL_HOT(isInf, g)(Ctx *, Type type, uint8_t *result, const void *x) {
  *result = type->kind == Kind::Float32   ? __builtin_isinf(load<float>(x)) != 0
            : type->kind == Kind::Float64 ? __builtin_isinf(load<double>(x)) != 0
                                          : sl_number_is(type, x, true);
  return 0;
}

SL_HOT(abs, g)(Ctx *, Type type, void *result, const void *x) {
  bool known = withNumber(type->kind, [&](auto *t) {
    using T = __remove_pointer(decltype(t));
    store<T>(result, absolute(load<T>(x)));
  });
  return known ? 0 : sl_number_fn(type, NumberFn::Abs, result, x, x);
}
SL(abs, Lg)(Ctx *ctx, Type type, Seq *result, const Seq *list) {
  *result = scratchList(ctx, list->len, type->size);
  bool known = withNumber(type->kind, [&](auto *t) {
    using T = __remove_pointer(decltype(t));
    for (uint32_t i = 0; i < list->len; ++i)
      listData<T>(*result)[i] = absolute(listData<T>(*list)[i]);
  });
  for (uint64_t at = 0, end = uint64_t(list->len) * type->size; !known && at < end;
       at += type->size)
    sl_number_fn(type, NumberFn::Abs, listData<char>(*result) + at, listData<char>(*list) + at,
                 listData<char>(*list) + at);
  return 0;
}

/// Of an integer: truncated.
SL_HOT(sqrt, g)(Ctx *, Type type, void *result, const void *x) {
  bool known = withNumber(type->kind, [&](auto *t) {
    using T = __remove_pointer(decltype(t));
    if constexpr (sizeof(T) == 4 && T(0.5) != T(0))
      store<T>(result, __builtin_sqrtf(load<T>(x)));
    else
      store<T>(result, T(__builtin_sqrt(double(load<T>(x)))));
  });
  return known ? 0 : sl_number_fn(type, NumberFn::Sqrt, result, x, x);
}

SL_HOT(pow, gg)(Ctx *, Type type, void *result, const void *x, const void *y) {
  bool known = withNumber(type->kind, [&](auto *t) {
    using T = __remove_pointer(decltype(t));
    T a = load<T>(x), b = load<T>(y);
    if constexpr (T(0.5) == T(0))
      store<T>(result, integerPower(a, b));
    else if constexpr (sizeof(T) == 4)
      store<T>(result, __builtin_powf(a, b));
    else
      store<T>(result, __builtin_pow(a, b));
  });
  return known ? 0 : sl_number_fn(type, NumberFn::Pow, result, x, y);
}

/// Of equal values of other types, which may differ in their text, decimals give the first one.
static SLUICE_INLINE int32_t firstOfEquals(Type type) {
  return isIn(type->kind, type_class::Decimal);
}

/// With NaN first the other operand, with NaN second NaN.
SL_HOT(max, gg)(Ctx *, Type type, void *result, const void *x, const void *y) {
  bool number = withNumber(type->kind, [&](auto *t) {
    using T = __remove_pointer(decltype(t));
    T a = load<T>(x), b = load<T>(y);
    store<T>(result, a > b ? a : b);
  });
  if (!number)
    memmove(result, compareValue(type, x, y) > -firstOfEquals(type) ? x : y, type->size);
  return 0;
}
SL_HOT(min, gg)(Ctx *, Type type, void *result, const void *x, const void *y) {
  bool number = withNumber(type->kind, [&](auto *t) {
    using T = __remove_pointer(decltype(t));
    T a = load<T>(x), b = load<T>(y);
    store<T>(result, a < b ? a : b);
  });
  if (!number)
    memmove(result, compareValue(type, x, y) < firstOfEquals(type) ? x : y, type->size);
  return 0;
}

#define SLUICE_CONSTANT(name, type, value)                                                         \
  extern "C" SLUICE_ENTRY int32_t sl_##name##_(Ctx *, type *result) {                              \
    *result = value;                                                                               \
    return 0;                                                                                      \
  }
SLUICE_CONSTANT(PI, double, 3.14159265358979323846)
SLUICE_CONSTANT(nanl, double, givenNaN<double>(false))
SLUICE_CONSTANT(nanw, float, givenNaN<float>(false))
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
