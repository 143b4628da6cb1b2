//===- AsyncIo.cpp - by threads -------------------------------------------===//
#include "runtime/base/AsyncIo.h"
#include "runtime/base/os.h"
#include <deque>
#include <utility>

namespace sluice::os {

static constexpr size_t kThreads = 2, kStackBytes = 128 << 10;

namespace {
class ThreadIo : public AsyncIo {
public:
  ThreadIo() {
    for (Thread &thread : threads)
      thread = Thread([this] { run(); }, kStackBytes);
  }
  ~ThreadIo() override {
    {
      Held held(lock);
      stopped = true;
      changed.wakeAll();
    }
    for (Thread &thread : threads)
      thread.join();
  }
  void begin(Request request) override {
    Held held(lock);
    jobs.push_back({{std::move(request)}});
    changed.wakeAll();
  }
  Result finish() override {
    Held held(lock);
    while (!jobs.front().done)
      changed.wait(lock);
    Result result = std::move(jobs.front().result);
    jobs.pop_front();
    --taken;
    return result;
  }
  size_t pending() const override { return jobs.size(); }

private:
  struct Job {
    Result result;
    bool done = false;
  };
  void run();

  Lock lock; // guards what is below; a job that is being done belongs to its thread
  Condition changed;
  std::deque<Job> jobs; // the oldest first; no reference to one changes
  size_t taken = 0;     // of the jobs: by threads
  bool stopped = false;
  Thread threads[kThreads];
};
} // namespace

/// Does jobs until it is stopped and there are none.
void ThreadIo::run() {
  lock.lock();
  for (;;) {
    while (!stopped && taken == jobs.size())
      changed.wait(lock);
    if (taken == jobs.size())
      break;
    Job &job = jobs[taken++];
    lock.unlock();
    Request &request = job.result.request;
    job.result.error = (request.writes ? writeAt : readAt)(request.fd, request.parts,
                                                           request.offset, job.result.bytes);
    lock.lock();
    job.done = true;
    changed.wakeAll();
  }
  lock.unlock();
}

std::unique_ptr<AsyncIo> AsyncIo::byThreads() { return std::make_unique<ThreadIo>(); }

std::unique_ptr<AsyncIo> AsyncIo::make() {
  auto io = byKernel();
  return io ? std::move(io) : byThreads();
}

} // namespace sluice::os
