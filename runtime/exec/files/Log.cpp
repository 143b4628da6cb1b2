//===- Log.cpp - the log of a source in the directory of checkpoints --------===//
#include "runtime/exec/files/Log.h"
#include "runtime/base/files.h"
#include "runtime/exec/files/CrashPoint.h"
#include "runtime/exec/files/LogReader.h"
#include <algorithm>
#include <cerrno>
#include <utility>

namespace sluice::checkpoint {

/// Bytes of a file behind which the next checkpoint begins another one.
static constexpr uint64_t kSegment = 1 << 20;
static constexpr uint64_t kOpen = UINT64_MAX; // Segment::end of the one that is written

static std::string problem(const char *what, const std::string &file, int error) {
  return std::string("cannot ") + what + " " + file + ": " + os::errorText(error);
}

Log::~Log() {
  if (fd >= 0)
    os::closeFile(fd);
  for (const Unsynced &each : unsynced)
    os::closeFile(each.fd);
}

std::string Log::clear() const {
  for (uint64_t first : findSegments(path))
    if (int failed = os::removeFile(segmentFile(path, first).c_str()))
      return problem("remove", segmentFile(path, first), -failed);
  return "";
}

/// What any process has written to a file outlives a loss of power.
static std::string syncWhole(const std::string &file) {
  int fd = os::openFile(file.c_str(), os::Open::Keep);
  int failed = fd < 0 ? fd : os::syncFile(fd);
  if (fd >= 0)
    os::closeFile(fd);
  return failed ? problem("sync the log", file, -failed) : "";
}

/// Ends the file where a whole frame ends.
static std::string cutOff(const LogReader &reader, std::string &note) {
  int fd = os::openFile(reader.file().c_str(), os::Open::Keep);
  int failed = fd < 0 ? fd : os::cutFile(fd, reader.offset());
  failed = failed ? failed : os::syncFile(fd);
  if (fd >= 0)
    os::closeFile(fd);
  note = reader.file() + ": what was being written at byte " + std::to_string(reader.offset()) +
         " when the program was ended is not whole, and is left out";
  if (uint64_t behind = reader.lostBehind())
    note += ", as are " + std::to_string(behind) +
            " whole batches behind it: the system was started again since";
  return failed ? problem("cut", reader.file(), -failed) : "";
}

std::string Log::open(uint64_t from, bool lostPower, std::string &note) {
  LogReader reader(path, from, /*room=*/0, lostPower);
  LogReader::Status status;
  while ((status = reader.next()) == LogReader::Status::Frame)
    continue;
  if (status == LogReader::Status::Damaged)
    return reader.problem();
  next = position = reader.number();
  if (status == LogReader::Status::Torn)
    if (std::string wrong = cutOff(reader, note); !wrong.empty())
      return wrong;
  std::vector<uint64_t> found = findSegments(path);
  for (size_t i = 0; i < found.size(); ++i)
    if (found[i] != next) // else it holds nothing, and is made anew
      segments.push_back({found[i], i + 1 < found.size() ? found[i + 1] : next});
  // The next checkpoint is behind what an earlier process may have written without syncing it.
  for (const Segment &segment : segments)
    if (segment.end > from)
      if (std::string wrong = syncWhole(segmentFile(path, segment.first)); !wrong.empty())
        return wrong;
  kept = {from};
  return "";
}

/// The last segment; empty: there is none.
std::string Log::lastFile() {
  os::Held held(lock);
  return segments.empty() ? "" : segmentFile(path, segments.back().first);
}

std::string Log::begin() {
  // A loss of power may leave the last file torn, so none is there before all others are whole.
  if (std::string last = lastFile(); !last.empty())
    if (std::string wrong = syncWhole(last); !wrong.empty())
      return wrong;
  std::string file = segmentFile(path, next);
  int made = os::openFile(file.c_str(), os::Open::Truncate);
  if (made < 0)
    return problem("make", file, -made);
  // It is there before committed() removes the one before.
  if (int failed = os::syncDirectory(file.substr(0, file.rfind('/')).c_str())) {
    os::closeFile(made);
    return problem("make", file, -failed);
  }
  fd = made;
  bytes = 0;
  os::Held held(lock);
  if (!segments.empty() && segments.back().end == kOpen)
    segments.back().end = next;
  segments.push_back({next, kOpen});
  return "";
}

std::string Log::append(std::span<const remote::Piece> frame) {
  if (fd < 0)
    if (std::string wrong = begin(); !wrong.empty())
      return wrong;
  buffer.clear();
  for (const remote::Piece &piece : frame)
    buffer.append(static_cast<const char *>(piece.data), piece.bytes);
  crashPoint();
  if (int failed = os::writeFile(fd, buffer.data(), buffer.size())) {
    os::cutFile(fd, bytes), os::goToByte(fd, bytes);
    return problem("write the log", lastFile(), -failed);
  }
  crashPoint();
  bytes += buffer.size();
  ++next;
  return "";
}

//===--- checkpoints ----------------------------------------------------------===//

void Log::cut(uint64_t behind) {
  position = behind;
  if (fd < 0)
    return;
  if (!isPending) {
    int copy = os::copyDescriptor(fd);
    failed = std::min(copy, 0);
    if (failed)
      return;
    unsynced.push_back({copy, lastFile()});
  }
  isPending = bytes < kSegment;
  if (isPending)
    return;
  os::closeFile(std::exchange(fd, -1)); // the next frame begins another file
  os::Held held(lock);
  segments.back().end = next;
}

std::string Log::sync() {
  for (; broken.empty() && !unsynced.empty(); unsynced.pop_back()) {
    const Unsynced &last = unsynced.back();
    if (int wrong = os::syncFile(last.fd))
      broken = problem("sync the log", last.file, -wrong);
    os::closeFile(last.fd);
  }
  if (!broken.empty())
    return broken;
  isPending = false;
  if (failed)
    return problem("sync the log", lastFile(), -std::exchange(failed, 0));
  return "";
}

void Log::committed(uint64_t keep) {
  keep = std::max<uint64_t>(keep, 1);
  kept.push_back(position);
  while (kept.size() > keep)
    kept.pop_front();
  if (kept.size() < keep)
    return;
  os::Held held(lock);
  for (; segments.size() > 1 && segments.front().end <= kept.front(); segments.pop_front())
    os::removeFile(segmentFile(path, segments.front().first).c_str());
}

} // namespace sluice::checkpoint
