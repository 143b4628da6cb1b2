//===- sliding.cpp - W8a and W8b by hand, one thread ----------------------===//
//
// sliding FUNCTION SIZE EVERY COUNT: one window of SIZE values, a result after each EVERY of
// them once it is full. A sum of integers adds what comes and subtracts what leaves; other
// functions are kept in two stacks. With EVERY > 1, panes of values are summarised first.
// FUNCTION is sumint, sumfloat, max, four; `trap` compares with sums that are made anew.
#include "windows.h"
#include <array>
#include <cmath>
#include <limits>
#include <memory>
#include <numeric>
#include <string_view>
#include <tuple>

using namespace bench;
using namespace bench::windows;

namespace {
struct Sum {
  template <class T> static constexpr T none() { return 0; }
  template <class T> static T of(T a, T b) { return a + b; }
};
struct Max {
  template <class T> static constexpr T none() { return std::numeric_limits<T>::lowest(); }
  template <class T> static T of(T a, T b) { return a > b ? a : b; }
};
struct Min {
  template <class T> static constexpr T none() { return std::numeric_limits<T>::max(); }
  template <class T> static T of(T a, T b) { return a < b ? a : b; }
};

/// The last N values, of which few are enough to look at all.
template <class F, class T, size_t N> class Few {
public:
  Few() { std::fill(last, last + N - 1, F::template none<T>()); }
  [[gnu::noinline]] void take(const T *values, T *results, size_t rows) {
    memcpy(last + N - 1, values, rows * sizeof(T));
    for (size_t r = 0; r < rows; ++r) {
      T result = last[r];
      for (size_t k = 1; k < N; ++k)
        result = F::of(result, last[r + k]);
      results[r] = result;
    }
    memmove(last, last + rows, (N - 1) * sizeof(T));
  }

private:
  T last[N - 1 + kRows];
};

/// A sum from which values that leave are subtracted; for integers.
template <size_t N> class Running {
public:
  int64_t take(int64_t value) {
    sum += value - ring[place];
    ring[place] = value;
    place = place + 1 == N ? 0 : place + 1;
    return sum;
  }
  [[gnu::noinline]] void take(const int64_t *__restrict values, int64_t *__restrict results,
                              size_t rows) {
    for (size_t done = 0, some; done < rows; done += some) {
      some = std::min(rows - done, N - place);
      int64_t *__restrict old = &ring[place];
      for (size_t r = 0; r < some; ++r) {
        results[done + r] = values[done + r] - old[r];
        old[r] = values[done + r];
      }
      int64_t s = sum;
      for (size_t r = 0; r < some; ++r)
        results[done + r] = s += results[done + r];
      sum = s;
      place = place + some == N ? 0 : place + some;
    }
  }

private:
  Pages<int64_t> ring{N};
  size_t place = 0;
  int64_t sum = 0;
};

/// Any associative function: N values in place; those from the last round are the values of all
/// behind them, those of this round the values themselves, and `front` that of all of them.
template <class F, class T, size_t N> class TwoStacks {
public:
  TwoStacks() { std::fill(&ring[0], &ring[N + 1], F::template none<T>()); }
  T take(T value) {
    if (place == N)
      turn();
    front = F::of(front, value);
    T result = F::of(ring[place + 1], front);
    ring[place++] = value;
    return result;
  }
  [[gnu::noinline]] void take(const T *__restrict values, T *__restrict results, size_t rows) {
    for (size_t done = 0, some; done < rows; done += some) {
      if (place == N)
        turn();
      some = std::min(rows - done, N - place);
      T *__restrict old = &ring[place];
      T f = front;
      for (size_t r = 0; r < some; ++r)
        results[done + r] = f = F::of(f, values[done + r]);
      for (size_t r = 0; r < some; ++r)
        results[done + r] = F::of(old[r + 1], results[done + r]);
      memcpy(old, values + done, some * sizeof(T));
      front = f;
      place += some;
    }
  }

private:
  void turn() {
    T behind = ring[N - 1];
    for (size_t i = N - 1; i-- > 0;)
      ring[i] = behind = F::of(ring[i], behind);
    place = 0;
    front = F::template none<T>();
  }
  Pages<T> ring{N + 1}; // the last one stays none
  size_t place = 0;
  T front = F::template none<T>();
};

template <class F, class T, size_t N>
using Window =
    std::conditional_t<N <= 4, Few<F, T, N>,
                       std::conditional_t<std::is_same_v<F, Sum> && std::is_same_v<T, int64_t>,
                                          Running<N>, TwoStacks<F, T, N>>>;

template <class T> T valueOf(uint64_t i) {
  return std::is_same_v<T, double> ? T(double(value(i)) / 1024) : T(value(i));
}

/// W8a of one function: columns of values, of results, then of the sink.
template <class F, class T, size_t N> void one(uint64_t count, Sink &sink) {
  auto window = std::make_unique<Window<F, T, N>>();
  alignas(64) T values[kRows], results[kRows];
  inBatches(count, [&](uint64_t i, size_t rows) {
    for (size_t r = 0; r < rows; ++r)
      values[r] = valueOf<T>(i + r);
    window->take(values, results, rows);
    size_t skip = i + 1 >= N ? 0 : std::min<size_t>(rows, N - 1 - i);
    for (size_t r = skip; r < rows; ++r)
      sink.sum += check(results[r], i + r - (N - 1), 0);
    sink.count += rows - skip;
  });
}

/// W8a of four functions.
template <size_t N> void four(uint64_t count, Sink &sink) {
  auto sum = std::make_unique<Window<Sum, int64_t, N>>();
  auto most = std::make_unique<Window<Max, int64_t, N>>();
  auto least = std::make_unique<Window<Min, int64_t, N>>();
  alignas(64) int64_t values[kRows], sums[kRows], mosts[kRows], leasts[kRows];
  inBatches(count, [&](uint64_t i, size_t rows) {
    for (size_t r = 0; r < rows; ++r)
      values[r] = value(i + r);
    sum->take(values, sums, rows);
    most->take(values, mosts, rows);
    least->take(values, leasts, rows);
    size_t skip = i + 1 >= N ? 0 : std::min<size_t>(rows, N - 1 - i);
    for (size_t r = skip; r < rows; ++r)
      sink.sum += checkAll(i + r - (N - 1), sums[r] / int64_t(N), mosts[r], leasts[r], uint64_t(N));
    sink.count += rows - skip;
  });
}

/// The value of F of `size` values.
template <class F, size_t size> int64_t reduce(const int64_t *values) {
  int64_t result = F::template none<int64_t>();
  for (size_t r = 0; r < size; ++r)
    result = F::of(result, values[r]);
  return result;
}

/// W8b: panes of so many values that SIZE and EVERY are whole numbers of them. Values come in
/// columns of whole panes.
template <size_t N, size_t K, class... F> void hopping(uint64_t count, Sink &sink) {
  constexpr size_t kPane = std::gcd(N, K), kPanes = N / kPane;
  constexpr size_t kColumn = std::max(kPane, kRows / kPane * kPane);
  std::tuple<
      std::conditional_t<std::is_same_v<F, Sum>, Running<kPanes>, TwoStacks<F, int64_t, kPanes>>...>
      windows;
  std::vector<int64_t> values(kColumn);
  Sink all;
  for (uint64_t i = 0; i < count; i += kColumn) {
    for (size_t r = 0; r < kColumn; ++r)
      values[r] = value(i + r);
    for (uint64_t seen = i + kPane; seen <= std::min(count, i + kColumn); seen += kPane) {
      const int64_t *pane = &values[seen - kPane - i];
      auto results = [&]<size_t... A>(std::index_sequence<A...>) {
        return std::tuple{std::get<A>(windows).take(reduce<F, kPane>(pane))...};
      }(std::index_sequence_for<F...>());
      if (seen % K != 0 || seen < N)
        continue;
      if constexpr (sizeof...(F) == 1)
        all.sum += checkAll(all.count, std::get<0>(results));
      else
        all.sum += checkAll(all.count, std::get<0>(results) / int64_t(N), std::get<1>(results),
                            std::get<2>(results), uint64_t(N));
      ++all.count;
    }
  }
  sink = all;
}

double trapped(uint64_t i) {
  return i == 5000 ? INFINITY : i == 9000 ? 1e300 : i == 13000 ? NAN : double(value(i)) / 1024;
}

/// W8a-trap: each sum from all values of its window.
void trap(uint64_t count, Sink &sink) {
  constexpr uint64_t kSize = 1024;
  for (uint64_t i = kSize - 1; i < count; ++i) {
    double sum = 0;
    for (uint64_t k = i + 1 - kSize; k <= i; ++k)
      sum += trapped(k);
    uint64_t kind = std::isnan(sum) ? 1 : sum > 1e305 ? 2 : sum > 1e299 ? 3 : word(sum);
    sink.sum += check(kind, sink.count++, 0);
  }
}

struct Program {
  const char *function;
  size_t size, every;
  void (*run)(uint64_t, Sink &);
};

template <size_t N> constexpr std::array<Program, 4> each() {
  return {{{"sumint", N, 1, one<Sum, int64_t, N>},
           {"sumfloat", N, 1, one<Sum, double, N>},
           {"max", N, 1, one<Max, int64_t, N>},
           {"four", N, 1, four<N>}}};
}
template <size_t N, size_t K> constexpr std::array<Program, 3> hops() {
  return {{{"sumint", N, K, hopping<N, K, Sum>},
           {"max", N, K, hopping<N, K, Max>},
           {"four", N, K, hopping<N, K, Sum, Max, Min>}}};
}
template <class... A> std::vector<Program> joined(const A &...parts) {
  std::vector<Program> all;
  (all.insert(all.end(), parts.begin(), parts.end()), ...);
  return all;
}
} // namespace

int main(int argc, char **argv) {
  if (argc != 5)
    usage("sliding FUNCTION SIZE EVERY COUNT");
  size_t size = strtoull(argv[2], nullptr, 10), every = strtoull(argv[3], nullptr, 10);
  Sink sink;
  for (const Program &program :
       joined(each<4>(), each<64>(), each<1024>(), each<65536>(), each<1048576>(), hops<64, 16>(),
              hops<1024, 16>(), hops<1024, 256>(), hops<65536, 16>(), hops<65536, 16384>(),
              hops<1048576, 16>(), hops<1048576, 262144>(), hops<1000, 16>(),
              std::array{Program{"trap", 1024, 1, trap}}))
    if (program.function == std::string_view(argv[1]) && program.size == size &&
        program.every == every) {
      program.run(strtoull(argv[4], nullptr, 10), sink);
      sink.print();
      return 0;
    }
  usage("sliding FUNCTION SIZE EVERY COUNT, of those of W8a and W8b");
}
