//===- NumberFunctions.cpp - spl.math of decimals and complex numbers -*- C++ -*-===//
#include "stdlib/native/Library.h"
#include "stdlib/native/NumberFn.h"
#include "value/Numbers.h"
#include <complex>

using namespace sluice;

namespace {

template <DecimalType D> D absolute(D d) {
  decimal::Value v = valueOf(d);
  v.negative = false;
  return decimalOf<D>(v);
}

template <DecimalType D> D computed(NumberFn fn, D x, D y) {
  switch (fn) {
  case NumberFn::Abs:
    return absolute(x);
  case NumberFn::Pow:
    return compute(DecimalOp::Pow, x, y);
  case NumberFn::Fmod:
    return compute(DecimalOp::Fmod, x, y);
#define SLUICE_NUMBER_FN(name)                                                                     \
  case NumberFn::name:                                                                             \
    return compute(DecimalFn::name, x);
    SLUICE_NUMBER_FNS
#undef SLUICE_NUMBER_FN
  }
  __builtin_unreachable();
}

/// Functions that the prototypes have for complex numbers; others give 0.
template <typename R> std::complex<R> computed(NumberFn fn, std::complex<R> x, std::complex<R> y) {
  switch (fn) {
  case NumberFn::Abs:
    return std::abs(x);
  case NumberFn::Pow:
    return std::pow(x, y);
  case NumberFn::Sqrt:
    return std::sqrt(x);
  case NumberFn::Exp:
    return std::exp(x);
  case NumberFn::Ln:
    return std::log(x);
  case NumberFn::Log10:
    return std::log10(x);
  case NumberFn::Fmod:
  case NumberFn::Ceil:
  case NumberFn::Floor:
  case NumberFn::Round:
  case NumberFn::Sin:
  case NumberFn::Cos:
  case NumberFn::Tan:
  case NumberFn::Asin:
  case NumberFn::Acos:
  case NumberFn::Atan:
    return {};
  }
  __builtin_unreachable();
}

template <ComplexType C> C computed(NumberFn fn, C x, C y) {
  using R = decltype(C::re);
  std::complex<R> z = computed(fn, std::complex<R>(x.re, x.im), std::complex<R>(y.re, y.im));
  return {z.real(), z.imag()};
}

} // namespace

extern "C" int32_t sl_number_fn(Type type, NumberFn fn, void *result, const void *x,
                                const void *y) {
  withAnyNumber(type->kind, [&](auto *t) {
    using T = __remove_pointer(decltype(t));
    if constexpr (DecimalType<T> || ComplexType<T>)
      store(result, computed(fn, load<T>(x), load<T>(y)));
  });
  return 0;
}

/// Whether a decimal, or a part of a complex number, is NaN or infinite.
extern "C" uint8_t sl_number_is(Type type, const void *x, uint32_t infinite) {
  bool is = false;
  withAnyNumber(type->kind, [&](auto *t) {
    using T = __remove_pointer(decltype(t));
    auto part = [&](double v) { return infinite ? __builtin_isinf(v) != 0 : v != v; };
    if constexpr (DecimalType<T>)
      is = valueOf(load<T>(x)).cls == (infinite ? decimal::Class::Infinite : decimal::Class::NaN);
    else if constexpr (ComplexType<T>)
      is = part(load<T>(x).re) || part(load<T>(x).im);
  });
  return is;
}

//===--- parts of complex numbers -------------------------------------------===//

SL(real, c)(Ctx *, float *result, const Complex32 *c) {
  *result = c->re;
  return 0;
}
SL(real, z)(Ctx *, double *result, const Complex64 *c) {
  *result = c->re;
  return 0;
}
SL(imag, c)(Ctx *, float *result, const Complex32 *c) {
  *result = c->im;
  return 0;
}
SL(imag, z)(Ctx *, double *result, const Complex64 *c) {
  *result = c->im;
  return 0;
}
SL(abs, c)(Ctx *, float *result, const Complex32 *c) {
  *result = std::abs(std::complex<float>(c->re, c->im));
  return 0;
}
SL(abs, z)(Ctx *, double *result, const Complex64 *c) {
  *result = std::abs(std::complex<double>(c->re, c->im));
  return 0;
}

SL(abs, Lc)(Ctx *ctx, Seq *result, const Seq *list) {
  *result = scratchList(ctx, list->len, sizeof(float));
  for (uint32_t i = 0; i < list->len; ++i)
    sl_abs_c(ctx, &listData<float>(*result)[i], &listData<Complex32>(*list)[i]);
  return 0;
}
SL(abs, Lz)(Ctx *ctx, Seq *result, const Seq *list) {
  *result = scratchList(ctx, list->len, sizeof(double));
  for (uint32_t i = 0; i < list->len; ++i)
    sl_abs_z(ctx, &listData<double>(*result)[i], &listData<Complex64>(*list)[i]);
  return 0;
}
