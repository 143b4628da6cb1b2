//===- Threads.h - threads of the compiler ----------------------*- C++ -*-===//
//
// A limit (`ulimit -u`, or that of a container) may refuse a thread. std::thread and LLVM's pools
// end the process then, which looks like a bug of the compiler; here the work goes on without it.
//
//===----------------------------------------------------------------------===//
#pragma once
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/Threading.h"
#include <algorithm>
#include <atomic>
#include <functional>
#include <memory>
#include <pthread.h>

namespace sluice {

/// A thread that may be refused. The destructor joins it.
class Helper {
public:
  explicit Helper(std::function<void()> body) : body(std::move(body)) {
    started = pthread_create(&thread, nullptr, run, &this->body) == 0;
  }
  ~Helper() {
    if (started)
      pthread_join(thread, nullptr);
  }
  Helper(const Helper &) = delete;
  bool isThere() const { return started; }

private:
  static void *run(void *body) {
    (*static_cast<std::function<void()> *>(body))();
    return nullptr;
  }
  std::function<void()> body;
  pthread_t thread;
  bool started;
};

/// Calls `work` with 0 to count - 1, several at once where processors and threads are to be had.
/// This thread takes part.
inline void forEachAtOnce(size_t count, llvm::function_ref<void(size_t)> work) {
  std::atomic<size_t> next = 0;
  auto takeSome = [&] {
    // relaxed: it only deals out numbers. Joining the threads makes what they did visible.
    for (size_t i; (i = next.fetch_add(1, std::memory_order_relaxed)) < count;)
      work(i);
  };
  size_t threads = std::min<size_t>(count, llvm::hardware_concurrency().compute_thread_count());
  llvm::SmallVector<std::unique_ptr<Helper>> helpers;
  while (helpers.size() + 1 < threads) {
    helpers.push_back(std::make_unique<Helper>(takeSome));
    if (!helpers.back()->isThere())
      break;
  }
  takeSome();
}

} // namespace sluice
