//===- UringIo.cpp - reads and writes by io_uring -------------------------===//
//
// SLUICE_URING: there is liburing for this target.
//
//===----------------------------------------------------------------------===//
#include "runtime/base/AsyncIo.h"
#ifdef SLUICE_URING
#include <algorithm>
#include <cerrno>
#include <deque>
#include <liburing.h>
#include <utility>

namespace sluice::os {

static constexpr size_t kMostParts = 1024; // of one call

namespace {
class UringIo : public AsyncIo {
public:
  ~UringIo() override;
  /// Whether the kernel allows it.
  bool open() {
    isOpen = io_uring_queue_init(kMostPending, &ring, 0) == 0;
    return isOpen;
  }
  void begin(Request request) override {
    jobs.push_back({.result = {std::move(request)}});
    submit(jobs.back());
  }
  Result finish() override;
  size_t pending() const override { return jobs.size(); }

private:
  struct Job {
    Result result;
    size_t part = 0, skip = 0; // parts that are done, and bytes of the next one
    std::vector<iovec> pieces = {};
    bool done = false;
  };
  void submit(Job &);
  void advance(Job &, int moved);

  io_uring ring;
  bool isOpen = false;
  std::deque<Job> jobs; // the oldest first; no reference to one changes
};
} // namespace

/// Has the kernel move what is left of a job, or as much of it as one call can.
void UringIo::submit(Job &job) {
  const Request &request = job.result.request;
  if (job.part == request.parts.size()) {
    job.done = true;
    return;
  }
  job.pieces.clear();
  for (size_t i = job.part; i < std::min(request.parts.size(), job.part + kMostParts); ++i) {
    size_t gone = i == job.part ? job.skip : 0;
    job.pieces.push_back(
        {static_cast<char *>(request.parts[i].at) + gone, request.parts[i].bytes - gone});
  }
  io_uring_sqe *entry = io_uring_get_sqe(&ring); // there is room for kMostPending
  uint64_t offset = request.offset + job.result.bytes;
  auto count = unsigned(job.pieces.size());
  if (request.writes)
    io_uring_prep_writev(entry, request.fd, job.pieces.data(), count, offset);
  else
    io_uring_prep_readv(entry, request.fd, job.pieces.data(), count, offset);
  // Otherwise what the page cache holds would be copied by this thread.
  entry->flags |= IOSQE_ASYNC;
  io_uring_sqe_set_data(entry, &job);
  int submitted;
  do
    submitted = io_uring_submit(&ring);
  while (submitted == -EINTR || submitted == -EAGAIN || submitted == -EBUSY);
  if (submitted < 0) {
    job.result.error = submitted;
    job.done = true;
  }
}

/// The kernel has moved so many bytes, or says what is wrong.
void UringIo::advance(Job &job, int moved) {
  if (moved == -EINTR || moved == -EAGAIN)
    return submit(job);
  if (moved <= 0) {
    job.result.error = moved ? moved : -EIO;
    job.done = true;
    return;
  }
  job.result.bytes += size_t(moved);
  job.skip += size_t(moved);
  const std::vector<Part> &parts = job.result.request.parts;
  while (job.part < parts.size() && job.skip >= parts[job.part].bytes)
    job.skip -= parts[job.part++].bytes;
  submit(job);
}

AsyncIo::Result UringIo::finish() {
  while (!jobs.front().done) {
    io_uring_cqe *event;
    if (io_uring_wait_cqe(&ring, &event))
      continue; // a signal
    auto *job = static_cast<Job *>(io_uring_cqe_get_data(event));
    int moved = event->res;
    io_uring_cqe_seen(&ring, event);
    advance(*job, moved);
  }
  Result result = std::move(jobs.front().result);
  jobs.pop_front();
  return result;
}

UringIo::~UringIo() {
  while (!jobs.empty())
    finish();
  if (isOpen)
    io_uring_queue_exit(&ring);
}

std::unique_ptr<AsyncIo> AsyncIo::byKernel() {
  auto io = std::make_unique<UringIo>();
  return io->open() ? std::move(io) : nullptr;
}

} // namespace sluice::os
#else
std::unique_ptr<sluice::os::AsyncIo> sluice::os::AsyncIo::byKernel() { return nullptr; }
#endif
