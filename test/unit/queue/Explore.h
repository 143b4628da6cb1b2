//===- Explore.h - the real code under a scheduler of our own ----*- C++ -*-===//
//
// ExploreSys runs the threads of a test as fibers and decides at every atomic
// access who goes on, and which of the stores that the memory model allows a
// load reads (vector clocks, as in Relacy: relaxed, acquire, release, seq_cst and
// seq_cst fences; read-modify-writes read the newest). Plain data is checked for
// races with the same clocks. All decisions come from a seed, or from a depth
// first search with few preemptions. Nobody runnable: a lost wake-up.
//
//===----------------------------------------------------------------------===//
#pragma once
#include "runtime/queue/Sys.h"
#include <array>
#include <deque>
#include <functional>
#include <memory>
#include <random>
#include <string>
#include <type_traits>
#include <vector>

namespace sluice::queue::test {

constexpr uint32_t kMaxThreads = 8;
struct Clock : std::array<uint32_t, kMaxThreads> {
  Clock() { fill(0); }
  void join(const Clock &other) {
    for (uint32_t i = 0; i < kMaxThreads; ++i)
      (*this)[i] = std::max((*this)[i], other[i]);
  }
};

struct Search {
  uint32_t seed = 0; // random unless depthFirst
  bool depthFirst = false;
  uint32_t preemptions = 2; // at most, depth first
  uint32_t staleReads = 1;  // at most, depth first
};

class Explorer {
public:
  using Body = std::function<void()>;
  explicit Explorer(Search search);
  ~Explorer();
  /// One execution. False: failure() says why.
  bool run(std::vector<Body> threads);
  /// Depth first: moves on to the next execution; false: that was all.
  bool next();
  const std::string &failure() const { return problem; }

  //===--- for ExploreSys ---------------------------------------------------===//
  struct Thread;
  static Explorer *now; // the running exploration, or null
  uint32_t self() const { return current; }
  Thread &me();
  void point(); // somebody else may go on here
  uint32_t pickStore(uint32_t oldest, uint32_t newest);
  void park(const void *token);
  void wake(const void *token, bool all);
  void yield();
  void fail(const std::string &what); // does not return within an execution
  void fence();

  struct Thread {
    Clock clock, pending, fenced; // pending: relaxed loads; fenced: at the last fence
    const void *parked = nullptr;
    bool done = false, yielded = false;
    Body body;
    std::unique_ptr<char[]> stack;
    struct Context;
    std::unique_ptr<Context> context;
    Thread();
    ~Thread();
  };

private:
  uint32_t choose(uint32_t count);
  uint32_t pickThread();
  void switchTo(uint32_t thread);
  static void enter(); // a fiber's first function
  bool chance(uint32_t oneIn) { return oneIn && random() % oneIn == 0; }

  Search search;
  std::mt19937 random;
  uint32_t switchOneIn = 4, staleOneIn = 8;
  std::vector<std::unique_ptr<Thread>> threads;
  std::unique_ptr<Thread::Context> outside;
  Clock sequential;
  uint32_t current = 0, live = 0, steps = 0, preemptions = 0, stale = 0;
  std::string problem;
  struct Choice {
    uint32_t taken, count;
  };
  std::vector<Choice> path; // depth first
  size_t depth = 0;
};

struct ExploreSys {
  template <class T> class Atomic {
  public:
    Atomic(T value = {}) { history.push_back({value, {}, 0, 0, true}); }
    Atomic(const Atomic &) = delete;

    T load(std::memory_order order) const {
      Explorer *e = Explorer::now;
      if (!e)
        return history.back().value;
      e->point();
      auto &me = e->me();
      uint32_t newest = base + uint32_t(history.size()) - 1,
               oldest = std::max(base, seen[e->self()]);
      for (uint32_t i = newest; i > oldest; --i) {
        const Store &store = history[i - base];
        if (me.clock[store.thread] >= store.epoch ||
            (order == std::memory_order_seq_cst && store.sequential))
          oldest = i;
      }
      uint32_t picked = e->pickStore(oldest, newest);
      seen[e->self()] = picked;
      const Store &store = history[picked - base];
      (acquires(order) ? me.clock : me.pending).join(store.release);
      return store.value;
    }
    void store(T value, std::memory_order order) {
      Explorer *e = Explorer::now;
      if (e)
        e->point();
      push(e, value, order, {});
    }
    template <class F> T modify(F &&f, std::memory_order order) {
      Explorer *e = Explorer::now;
      if (e)
        e->point();
      Store last = history.back();
      if (e)
        (acquires(order) ? e->me().clock : e->me().pending).join(last.release);
      push(e, f(last.value), order, last.release); // continues the release sequence
      return last.value;
    }
    T exchange(T value, std::memory_order order) {
      return modify([&](T) { return value; }, order);
    }
    T fetch_add(T value, std::memory_order order) {
      return modify([&](T old) { return T(old + value); }, order);
    }
    T fetch_sub(T value, std::memory_order order) {
      return modify([&](T old) { return T(old - value); }, order);
    }
    bool compare_exchange_strong(T &old, T value, std::memory_order order,
                                 std::memory_order failed) {
      Explorer *e = Explorer::now;
      if (e)
        e->point();
      Store last = history.back();
      bool same = last.value == old;
      old = last.value;
      if (e) {
        (acquires(same ? order : failed) ? e->me().clock : e->me().pending).join(last.release);
        seen[e->self()] = base + uint32_t(history.size()) - 1;
      }
      if (same)
        push(e, value, order, last.release);
      return same;
    }
    bool compare_exchange_weak(T &old, T value, std::memory_order order, std::memory_order failed) {
      return compare_exchange_strong(old, value, order, failed);
    }
    T newest() const { return history.back().value; }

  private:
    struct Store {
      T value;
      Clock release;
      uint32_t thread, epoch;
      bool sequential;
    };
    static bool acquires(std::memory_order order) {
      return order == std::memory_order_acquire || order == std::memory_order_acq_rel ||
             order == std::memory_order_seq_cst;
    }
    void push(Explorer *e, T value, std::memory_order order, Clock release) {
      if (!e) {
        history.back().value = value;
        return;
      }
      auto &me = e->me();
      uint32_t epoch = ++me.clock[e->self()];
      bool releases = order == std::memory_order_release || order == std::memory_order_acq_rel ||
                      order == std::memory_order_seq_cst;
      release.join(releases ? me.clock : me.fenced);
      if (history.size() == 4) {
        history.pop_front();
        ++base;
      }
      history.push_back({value, release, e->self(), epoch, order == std::memory_order_seq_cst});
      seen[e->self()] = base + uint32_t(history.size()) - 1;
    }

    std::deque<Store> history;
    uint32_t base = 0;
    mutable std::array<uint32_t, kMaxThreads>
        seen{}; // newest store that a thread has read or written
  };

  template <class T> class Plain {
  public:
    Plain(T value = {}) : value(value) {}
    operator T() const {
      if (Explorer *e = Explorer::now) {
        check(e->me().clock[writer] >= written, "a data race: read");
        reads[e->self()] = e->me().clock[e->self()];
      }
      return value;
    }
    Plain &operator=(T next) {
      if (Explorer *e = Explorer::now) {
        auto &clock = e->me().clock;
        check(clock[writer] >= written, "a data race: write");
        for (uint32_t i = 0; i < kMaxThreads; ++i)
          check(clock[i] >= reads[i], "a data race: write after read");
        writer = e->self();
        written = ++clock[writer];
      }
      value = next;
      return *this;
    }
    T operator->() const { return *this; }

  private:
    T value;
    uint32_t writer = 0, written = 0;
    mutable Clock reads;
  };

  static void fence() {
    if (Explorer::now)
      Explorer::now->fence();
  }
  static void park(const Atomic<uint32_t> &token, uint32_t expected) {
    Explorer::now->point();
    if (token.newest() == expected)
      Explorer::now->park(&token);
  }
  static void wake(const Atomic<uint32_t> &token, bool all) { Explorer::now->wake(&token, all); }
  static void pause() {}
  static void yield() { Explorer::now->yield(); }
  static int64_t now() { return 0; }
  static bool mutant(Mutant m) { return m == active; }
  static void check(bool holds, const char *what) {
    if (!holds)
      broken(what);
  }
  static void broken(const char *what);

  static Mutant active;
};

} // namespace sluice::queue::test
