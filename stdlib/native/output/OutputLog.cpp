//===- OutputLog.cpp - what a sink writes exactly once --------------------===//
#include "stdlib/native/output/OutputLog.h"
#include "sluice/recovery.h"
#include "sluice/threads.h"
#include <algorithm>
#include <cstring>
#include <utility>

namespace sluice {

static constexpr size_t kStackBytes = 1 << 20;
static constexpr double kPause = 0.002;                              // s, while there is no room
static constexpr uint64_t kPatience = 30'000 / 2, kAway = 5'000 / 2; // such pauses
/// ns between attempts once the program ends.
static constexpr int64_t kLastPause = os::kNanos / 2;
static constexpr uint64_t kFull = 16 << 20; // bytes of rows for which a checkpoint is made early
static constexpr uint64_t kMost = 1 << 30;  // with more the program fails

static const std::string kCount = "count ", kRows = "rows "; // the number of a part follows

//===--- rows -----------------------------------------------------------------===//

void OutputRows::add(std::string_view row) {
  auto length = uint32_t(row.size());
  packed.append(reinterpret_cast<const char *>(&length), sizeof length);
  packed += row;
  ++rows;
}

bool OutputRows::take(std::string_view &left, std::string_view &row) {
  uint32_t length;
  if (left.size() < sizeof length)
    return false;
  memcpy(&length, left.data(), sizeof length);
  row = left.substr(sizeof length, length);
  left.remove_prefix(std::min(left.size(), sizeof length + size_t(length)));
  return true;
}

//===--- by the operator ------------------------------------------------------===//

std::string OutputLog::refusal(Ctx *ctx, const OperatorDesc &op) {
  if (!sl_makes_checkpoints(ctx))
    return "writes when a checkpoint is complete, and none are made: --checkpoint=DIR is missing";
  if (beginsAnew(op))
    return "needs what checkpoints save, and @autonomous has the operator begin anew";
  return "";
}

void OutputLog::open(Ctx *ctx, const OperatorDesc *op, bool connects) {
  isWanted = connects;
  home = ctx;
  desc = op;
  isOpen = true;
  thread = os::Thread([this] { run(); }, kStackBytes);
}

/// With the lock.
bool OutputLog::hasRoom() const { return isKnown && (bytes < kFull || !isDue()); }

int32_t OutputLog::add(Ctx *ctx, std::string_view row) {
  for (;;) {
    {
      os::Held held(lock);
      if (!failure.empty())
        return sl_error(ctx, "%s", failure.c_str());
      if (!std::exchange(isWanted, true))
        changed.raise();
      if (hasRoom())
        return keep(ctx, row);
    }
    if (!sl_wait(ctx, kPause))
      continue;
    if (++steps > kPatience)
      return sl_error(ctx, "what comes now cannot be kept: nothing answers, or takes what waits");
    stop.sleep(int64_t(kPause * os::kNanos)); // as sl_wait() does not any more
  }
}

/// With the lock.
int32_t OutputLog::keep(Ctx *ctx, std::string_view row) {
  uint64_t before = current.bytes().size();
  current.add(row);
  bytes += current.bytes().size() - before;
  if (bytes > kMost)
    return sl_error(ctx, "more than 1 GiB of rows wait for a checkpoint, and none can be made");
  if (current.bytes().size() < asked + kFull)
    return 0;
  asked = current.bytes().size();
  sl_ask_checkpoint(ctx); // by another operator than a source: one is made soon
  return 0;
}

void OutputLog::save(Saver &saver) {
  os::Held held(lock);
  if (current.count())
    parts.push_back(std::make_shared<Part>(Part{++number, std::exchange(current, {})}));
  asked = 0;
  saver.number("number", int64_t(number));
  for (const auto &part : parts) {
    saver.number(kCount + std::to_string(part->number), int64_t(part->rows.count()));
    saver.text(kRows + std::to_string(part->number), part->rows.bytes());
  }
}

void OutputLog::committed() {
  os::Held held(lock);
  durable = number; // save() and this come in turn
  changed.raise();
}

int32_t OutputLog::restore(const Loader &loader) {
  number = durable = uint64_t(loader.number("number").value_or(0));
  loader.numbers(kCount, [&](std::string_view rest, int64_t count) {
    uint64_t part = strtoull(std::string(rest).c_str(), nullptr, 10);
    if (auto rows = loader.text(kRows + std::string(rest))) {
      parts.push_back(std::make_shared<Part>(Part{part, OutputRows(uint64_t(count), *rows)}));
      bytes += rows->size();
    }
  });
  std::ranges::sort(parts, {}, [](auto &part) { return part->number; });
  return 0;
}

/// The last checkpoint could not be made.
int32_t OutputLog::keptNowhere(Ctx *ctx) {
  os::Held held(lock);
  uint64_t rows = current.count();
  for (const auto &part : parts)
    rows += part->number > durable ? part->rows.count() : 0;
  if (!rows || !failure.empty())
    return 0;
  return sl_error(ctx,
                  "%llu rows were not written, as no checkpoint has them: --resume makes them "
                  "again",
                  static_cast<unsigned long long>(rows));
}

int32_t OutputLog::close(Ctx *ctx) {
  if (!isOpen)
    return 0;
  closing.raise(); // it tries at once
  os::Event never;
  uint64_t left = 1;
  for (uint64_t step = 0, away = 0; left && step < kPatience && away < kAway; ++step) {
    away = isAway.load(std::memory_order_relaxed) ? away + 1 : 0;
    {
      os::Held held(lock);
      left = failure.empty() ? isDue() : 0;
    }
    if (left)
      never.sleep(int64_t(kPause * os::kNanos));
  }
  end();
  if (!left)
    return keptNowhere(ctx);
  return sl_error(ctx,
                  "%llu %s not confirmed: the checkpoint has them, and --resume writes what is not "
                  "there",
                  static_cast<unsigned long long>(left), left == 1 ? "row was" : "rows were");
}

void OutputLog::end() {
  if (!std::exchange(isOpen, false))
    return;
  stop.raise();
  thread.join();
}

//===--- the thread -----------------------------------------------------------===//

/// With the lock: how many rows of complete checkpoints are not written.
uint64_t OutputLog::isDue() const {
  uint64_t rows = 0;
  for (const auto &part : parts)
    if (part->number <= durable)
      rows += part->rows.count();
  return rows;
}

void OutputLog::run() {
  Backoff backoff(10, os::randomBits());
  while (awaitWork()) {
    OutputResult result = connected ? write() : connect();
    if (stop.raised())
      return;
    if (result.kind == OutputResult::Never)
      return fail(result.why);
    isAway.store(result.kind != OutputResult::Done, std::memory_order_relaxed);
    if (result.kind == OutputResult::Done) {
      backoff.reset();
      continue;
    }
    connected = false;
    warn(result.why);
    if (closing.raised())
      stop.sleep(kLastPause);
    else
      os::sleepOn({&stop, &closing}, int64_t(backoff.next() * os::kNanos));
  }
}

/// False: it is to end.
bool OutputLog::awaitWork() {
  while (!stop.raised()) {
    changed.lower();
    {
      os::Held held(lock);
      if (isDue() || (isWanted && !isKnown))
        return true;
    }
    os::sleepOn({&changed, &stop}, -1);
  }
  return false;
}

OutputResult OutputLog::connect() {
  std::optional<uint64_t> last;
  OutputResult result = target.begin(last, stop);
  std::optional<uint64_t> first;
  if (result.kind == OutputResult::Done)
    result = compare(last, first);
  if (result.kind == OutputResult::Done && first)
    result = target.commit(*first, {}, stop);
  if (result.kind == OutputResult::Done) {
    os::Held held(lock);
    connected = isKnown = true;
  }
  return result;
}

/// Drops what the system has. `first`: the number that it is to get, as it has none.
OutputResult OutputLog::compare(std::optional<uint64_t> last, std::optional<uint64_t> &first) {
  os::Held held(lock);
  uint64_t known = parts.empty() ? number : parts.front()->number - 1;
  if (!last && !parts.empty())
    return {OutputResult::Never, "the number of what was written last is not there any more, so it "
                                 "is not known whether the rows of the checkpoint are"};
  if (!last) {
    first = number;
    return {};
  }
  if (*last < known)
    return {OutputResult::Never, "what was written last has the number " + std::to_string(*last) +
                                     ", and not " + std::to_string(known) + ": some is lost there"};
  if (*last > number && isKnown)
    return {OutputResult::Never, "another run of this program writes there"};
  if (*last > number) {
    warnings.warn(home, desc,
                  "what was written last is behind the checkpoint: what followed that comes again");
    number = durable = *last;
  }
  dropUpTo(*last);
  return {};
}

/// With the lock.
void OutputLog::dropUpTo(uint64_t last) {
  while (!parts.empty() && parts.front()->number <= last) {
    bytes -= parts.front()->rows.bytes().size();
    parts.pop_front();
  }
}

/// Writes the oldest part: each has a transaction of its own.
OutputResult OutputLog::write() {
  std::shared_ptr<const Part> part;
  {
    os::Held held(lock);
    part = parts.front();
  }
  OutputResult result = target.commit(part->number, part->rows, stop);
  if (result.kind == OutputResult::Done) {
    os::Held held(lock);
    dropUpTo(part->number);
  }
  return result;
}

void OutputLog::warn(const std::string &why) {
  isAway.store(true, std::memory_order_relaxed); // until an attempt succeeds
  warnings.warn(home, desc, why + "; it tries again");
}

void OutputLog::fail(const std::string &why) {
  {
    os::Held held(lock);
    failure = why;
  }
  sl_fail_outside(home, desc, why.c_str());
}

} // namespace sluice
