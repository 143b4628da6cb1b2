//===- LogReader.cpp - reads the log of a source ---------------------------===//
#include "runtime/exec/files/LogReader.h"
#include "runtime/base/files.h"
#include "runtime/base/os.h"
#include "runtime/memory/Memory.h"
#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <filesystem>
#include <set>
#include <utility>

namespace fs = std::filesystem;

namespace sluice::checkpoint {

//===--- files ------------------------------------------------------------------===//

/// Calls `f(path, first)` for each file of a log in the directory.
template <typename F> static void forEachSegment(const fs::path &directory, F f) {
  std::error_code error;
  for (fs::directory_iterator it(directory, error), end; !error && it != end; it.increment(error)) {
    std::string name = it->path().string();
    size_t ending = name.rfind(kLogEnding);
    if (ending == name.npos)
      continue;
    const char *digits = name.data() + ending + strlen(kLogEnding);
    uint64_t first = 0;
    auto [last, wrong] = std::from_chars(digits, name.data() + name.size(), first);
    if (wrong == std::errc() && !*last)
      f(name.substr(0, ending), first);
  }
}

std::string segmentFile(const std::string &path, uint64_t first) {
  return path + kLogEnding + std::to_string(first);
}

std::vector<uint64_t> findSegments(const std::string &path) {
  std::vector<uint64_t> result;
  const fs::path wanted(path);
  forEachSegment(wanted.parent_path(), [&](const fs::path &log, uint64_t first) {
    if (log.filename() == wanted.filename()) // the directory may be written in several ways
      result.push_back(first);
  });
  std::ranges::sort(result);
  return result;
}

std::vector<std::string> findLogs(const std::string &directory) {
  std::set<std::string> result;
  forEachSegment(directory, [&](const std::string &log, uint64_t) { result.insert(log); });
  return {result.begin(), result.end()};
}

//===--- frames -----------------------------------------------------------------===//

LogReader::LogReader(std::string path, uint64_t from, uint64_t room, bool lostPower)
    : path(std::move(path)), from(from), extra(room), lostPower(lostPower),
      segments(findSegments(this->path)) {
  auto behind = std::ranges::upper_bound(segments, from);
  if (behind != segments.begin()) // else those before the first one are missing
    segments.erase(segments.begin(), behind - 1);
  expected = segments.empty() ? from : std::min(segments.front(), from);
}

LogReader::~LogReader() {
  if (fd >= 0)
    os::closeFile(fd);
  giveMemory(memory);
}

LogReader::Status LogReader::damaged(const std::string &text) {
  wrong = text;
  return Status::Damaged;
}

LogReader::Status LogReader::openNext() {
  if (fd >= 0)
    os::closeFile(std::exchange(fd, -1));
  if (opened == segments.size()) { // the last file stays until there is another one
    if (expected == from && (from == 0 || !segments.empty()))
      return Status::End;
    return expected > from
               ? Status::End
               : damaged(
                     path + kLogEnding + "N: the log " +
                     (segments.empty() ? "is gone" : "ends at frame " + std::to_string(expected)) +
                     ", and the checkpoint has frame " + std::to_string(from));
  }
  uint64_t first = segments[opened++];
  name = segmentFile(path, first);
  at = 0;
  if (first != expected)
    return damaged(name + ": it begins with frame " + std::to_string(first) + ", and frame " +
                   std::to_string(expected) + " is missing");
  fd = os::openFile(name.c_str(), os::Open::Read);
  return fd < 0 ? damaged("cannot open " + name + ": " + os::errorText(-fd)) : Status::Frame;
}

void LogReader::reserve(uint64_t bytes) {
  if (bytes <= capacity)
    return;
  capacity = std::max(bytes, 2 * capacity);
  auto *larger = static_cast<char *>(takeMemory(capacity, 64));
  if (memory)
    memcpy(larger, memory, kBatchHeader);
  giveMemory(memory);
  memory = larger;
}

/// Reads on until there are `bytes`. Returns how many there are, fewer at the end of the file; or a
/// negative errno.
int64_t LogReader::fill(uint64_t have, uint64_t bytes) {
  while (have < bytes) {
    int64_t got = os::readFile(fd, memory + have, bytes - have);
    if (got <= 0)
      return got ? got : int64_t(have);
    have += uint64_t(got);
  }
  return int64_t(have);
}

/// How many there are in what follows the last one.
static uint64_t wholeFrames(std::string_view bytes, size_t from) {
  const uint32_t magic = remote::kFrameMagic;
  const std::string_view word(reinterpret_cast<const char *>(&magic), sizeof magic);
  uint64_t count = 0;
  for (size_t i = bytes.find(word, from); i != bytes.npos;) {
    auto frame = remote::wholeFrame({bytes.data() + i, bytes.size() - i});
    count += frame.has_value();
    i = bytes.find(word, i + (frame ? frame->bytes : 1));
  }
  return count;
}

/// What follows the last whole frame is none: whether a crash has cut it off, or it was changed.
LogReader::Status LogReader::judge(uint64_t have) {
  std::string where =
      name + ": frame " + std::to_string(expected) + ", at byte " + std::to_string(at);
  if (opened < segments.size())
    return damaged(where + ", is damaged: another file follows");
  int64_t size = os::sizeOfFile(fd);
  std::string rest(size > int64_t(at) ? size_t(size) - at : 0, '\0');
  int64_t failed = os::goToByte(fd, at);
  for (size_t read = 0; !failed && read < rest.size();) {
    int64_t got = os::readFile(fd, rest.data() + read, rest.size() - read);
    if (got <= 0)
      failed = got ? got : -EIO;
    read += size_t(std::max<int64_t>(got, 0));
  }
  if (failed)
    return damaged("cannot read " + name + ": " + os::errorText(int(-failed)));
  lost = wholeFrames(rest, have ? 1 : 0);
  return lost && !lostPower ? damaged(where + ", is damaged: whole ones follow it") : Status::Torn;
}

LogReader::Status LogReader::readFrame() {
  reserve(kBatchHeader + extra);
  int64_t have = fill(0, kBatchHeader);
  if (have == 0)
    return Status::End; // of the file
  if (have < 0)
    return damaged("cannot read " + name + ": " + os::errorText(int(-have)));
  remote::FrameHeader h = {};
  memcpy(&h, memory, sizeof h);
  int64_t size = os::sizeOfFile(fd);
  if (have < int64_t(kBatchHeader) || h.magic != remote::kFrameMagic || h.bytes < kBatchHeader ||
      size < int64_t(at) || h.bytes > uint64_t(size) - at)
    return judge(uint64_t(have));
  reserve(h.bytes + extra);
  have = fill(uint64_t(have), h.bytes);
  if (have < 0)
    return damaged("cannot read " + name + ": " + os::errorText(int(-have)));
  if (have < int64_t(h.bytes) || !remote::wholeFrame({memory, h.bytes}))
    return judge(uint64_t(have));
  if (h.sequence != expected)
    return damaged(name + ": frame " + std::to_string(h.sequence) + " is where frame " +
                   std::to_string(expected) + " should be");
  frame = h;
  at += h.bytes;
  ++expected;
  return Status::Frame;
}

LogReader::Status LogReader::next() {
  for (;;) {
    Status status = fd < 0 ? openNext() : Status::Frame;
    if (status == Status::Frame)
      status = readFrame();
    else
      return status;
    if (status == Status::End) { // of the file
      os::closeFile(std::exchange(fd, -1));
      continue;
    }
    if (status == Status::Torn && expected < from)
      return damaged(name + ": frame " + std::to_string(expected) +
                     " is damaged, which the checkpoint covers");
    if (status != Status::Frame || expected > from)
      return status;
  }
}

LogSummary summarise(const std::string &path, bool lostPower) {
  std::vector<uint64_t> segments = findSegments(path);
  LogSummary result;
  result.first = segments.empty() ? 0 : segments.front();
  LogReader reader(path, result.first, /*room=*/0, lostPower);
  LogReader::Status status;
  while ((status = reader.next()) == LogReader::Status::Frame) {
    result.rows += reader.header().rows;
    result.bytes += reader.size();
  }
  result.end = reader.number();
  result.isTorn = status == LogReader::Status::Torn;
  result.wrong = reader.problem();
  return result;
}

} // namespace sluice::checkpoint
