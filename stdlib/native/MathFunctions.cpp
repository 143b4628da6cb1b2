//===- MathFunctions.cpp - spl.math: lists and random numbers ---*- C++ -*-===//
#include "runtime/value/Random.h"
#include "stdlib/native/Library.h"
#include "stdlib/native/NumberFn.h"
#include "value/Numbers.h"
#include <algorithm>
#include <cmath>
#include <limits>
#include <type_traits>

using namespace sluice;

namespace {

/// Sums of integers wrap.
template <typename T> T total(const Seq *list) {
  if constexpr (!std::is_integral_v<T>) {
    T sum = numberOf<T>(0);
    for (uint32_t i = 0; i < list->len; ++i)
      sum = sum + listData<T>(*list)[i];
    return sum;
  } else {
    uint64_t sum = 0;
    for (uint32_t i = 0; i < list->len; ++i)
      sum += uint64_t(listData<T>(*list)[i]);
    return T(sum);
  }
}

/// The element at a position of the sorted list, which is copied first.
const char *nth(Ctx *ctx, Type elem, const Seq *list, uint32_t k) {
  TypeDesc type = listOf(elem);
  auto **order = static_cast<const char **>(arenaAlloc(ctx->scratch, uint64_t(list->len) * 8, 8));
  for (uint32_t i = 0; i < list->len; ++i)
    order[i] = elementAt(&type, list, i);
  std::nth_element(order, order + k, order + list->len,
                   [&](const char *a, const char *b) { return compareValue(elem, a, b) < 0; });
  return order[k];
}

/// Of decimals and complex numbers.
template <typename T> T otherDeviation(Type type, const Seq *list, bool sample) {
  T mean = total<T>(list) / numberOf<T>(list->len), squares = numberOf<T>(0);
  for (uint32_t i = 0; i < list->len; ++i) {
    T distance = listData<T>(*list)[i] - mean;
    squares = squares + distance * distance;
  }
  T square = squares / numberOf<T>(int64_t(list->len) - sample), result;
  sl_number_fn(type, NumberFn::Sqrt, &result, &square, &square);
  return result;
}

template <typename T> T deviation(const Seq *list, bool sample) {
  uint32_t n = list->len;
  if (!n)
    return 0;
  if (n == 1 && sample) // 0 / 0; of an integer it is not defined
    return std::is_floating_point_v<T> ? -std::numeric_limits<T>::quiet_NaN() : T(0);
  const T *data = listData<T>(*list);
  double sum = 0, squares = 0;
  for (uint32_t i = 0; i < n; ++i)
    sum += double(data[i]);
  double mean = sum / n;
  for (uint32_t i = 0; i < n; ++i)
    squares += (double(data[i]) - mean) * (double(data[i]) - mean);
  return T(std::sqrt(squares / (n - (sample ? 1 : 0))));
}

} // namespace

//===--- lists; of an empty one the default value ---------------------------===//

SL(sum, Lg)(Ctx *, Type type, void *result, const Seq *list) {
  withAnyNumber(type->kind, [&](auto *t) {
    using T = __remove_pointer(decltype(t));
    store(result, total<T>(list));
  });
  return 0;
}
SL(avg, Lg)(Ctx *, Type type, void *result, const Seq *list) {
  withAnyNumber(type->kind, [&](auto *t) {
    using T = __remove_pointer(decltype(t));
    if constexpr (!std::is_integral_v<T>)
      store(result, list->len ? total<T>(list) / numberOf<T>(list->len) : T{});
    else if constexpr (std::is_signed_v<T>) // the sum has wrapped already
      store(result, list->len ? T(int64_t(total<T>(list)) / int64_t(list->len)) : T(0));
    else
      store(result, list->len ? T(uint64_t(total<T>(list)) / list->len) : T(0));
  });
  return 0;
}

static int32_t extreme(Type elem, void *result, const Seq *list, int32_t sign) {
  TypeDesc type = listOf(elem);
  if (!list->len) {
    memset(result, 0, elem->size);
    return 0;
  }
  const char *best = elementAt(&type, list, 0);
  for (uint32_t i = 1; i < list->len; ++i)
    if (const char *x = elementAt(&type, list, i); compareValue(elem, x, best) * sign > 0)
      best = x;
  memcpy(result, best, elem->size);
  return 0;
}
SL(max, Lg)(Ctx *, Type elem, void *result, const Seq *list) {
  return extreme(elem, result, list, 1);
}
SL(min, Lg)(Ctx *, Type elem, void *result, const Seq *list) {
  return extreme(elem, result, list, -1);
}

SL(kthelem, Lgj)(Ctx *ctx, Type elem, void *result, const Seq *list, uint32_t k) {
  if (k >= list->len)
    return sl_error(ctx, "kthelem: there is no element %u in a list of %u", k, list->len);
  ArenaCheckpoint checkpoint = arenaCheckpoint(ctx->scratch);
  memcpy(result, nth(ctx, elem, list, k), elem->size);
  arenaRelease(ctx->scratch, checkpoint);
  return 0;
}

/// Of an even count: the mean of the middle two numbers, of others the upper.
SL(median, Lg)(Ctx *ctx, Type elem, void *result, const Seq *list) {
  memset(result, 0, elem->size);
  if (!list->len)
    return 0;
  ArenaCheckpoint checkpoint = arenaCheckpoint(ctx->scratch);
  const char *upper = nth(ctx, elem, list, list->len / 2);
  memcpy(result, upper, elem->size);
  if (list->len % 2 == 0) {
    const char *lower = nth(ctx, elem, list, list->len / 2 - 1);
    withAnyNumber(elem->kind, [&](auto *t) {
      using T = __remove_pointer(decltype(t));
      store(result, T((load<T>(lower) + load<T>(upper)) / numberOf<T>(2)));
    });
  }
  arenaRelease(ctx->scratch, checkpoint);
  return 0;
}

SL(stddev, Lgb)(Ctx *, Type type, void *result, const Seq *list, uint8_t sample) {
  withAnyNumber(type->kind, [&](auto *t) {
    using T = __remove_pointer(decltype(t));
    if constexpr (std::is_arithmetic_v<T>)
      store(result, deviation<T>(list, sample));
    else
      store(result, list->len ? otherDeviation<T>(type, list, sample) : T{});
  });
  return 0;
}
SL(stddev, Lg)(Ctx *ctx, Type type, void *result, const Seq *list) {
  return sl_stddev_Lgb(ctx, type, result, list, 0);
}

//===--- random -------------------------------------------------------------===//

extern "C" int32_t sl_random_(Ctx *, double *result) {
  *result = nextRandom();
  return 0;
}
SL(random, i)(Ctx *ctx, Seq *result, int32_t count) {
  if (count < 0)
    return sl_error(ctx, "random(%d): the number of values is negative", count);
  *result = scratchList(ctx, uint64_t(count), sizeof(double));
  for (int32_t i = 0; i < count; ++i)
    listData<double>(*result)[i] = nextRandom();
  return 0;
}
SL(srand, i)(Ctx *, int32_t *result, int32_t seed) {
  seedRandom(uint32_t(seed));
  *result = 0;
  return 0;
}
