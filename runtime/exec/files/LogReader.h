//===- LogReader.h - reads the log of a source -------------------*- C++ -*-===//
//
// A log is a sequence of frames (runtime/remote/frame), which are numbered. It lies in files
// PATH.spool.N, where N is the number of the first frame of the file.
//
//===----------------------------------------------------------------------===//
#pragma once
#include "runtime/remote/frame/Frame.h"
#include <cstdint>
#include <string>
#include <vector>

namespace sluice::checkpoint {

/// What stands between PATH and N.
inline constexpr const char *kLogEnding = ".spool.";

/// The files of a log, by the numbers of their first frames, in order.
std::vector<uint64_t> findSegments(const std::string &path);
std::string segmentFile(const std::string &path, uint64_t first);
/// The paths of all logs in a directory, in order.
std::vector<std::string> findLogs(const std::string &directory);

/// What is in a log.
struct LogSummary {
  uint64_t first = 0, end = 0; // numbers of frames
  uint64_t rows = 0, bytes = 0;
  bool isTorn = false; // a part of another frame follows
  std::string wrong;   // what is wrong with it; empty: nothing
};
/// `lostPower`: as Log::open has it.
LogSummary summarise(const std::string &path, bool lostPower);

class LogReader {
public:
  enum class Status {
    Frame,
    End,     // of the log
    Torn,    // a crash has cut off what follows
    Damaged, // the file was changed, or one is missing. problem() says it
  };

  /// Reads frames from number `from` on. `room`: bytes that data() has behind each frame.
  /// `lostPower`: as Log::open has it. A crash alone leaves nothing whole behind a torn frame.
  LogReader(std::string path, uint64_t from, uint64_t room = 0, bool lostPower = false);
  ~LogReader();
  LogReader(const LogReader &) = delete;

  /// Reads the next frame. Its checksum is right.
  Status next();
  /// Of the frame. Its memory begins at a multiple of 64 and may be changed until the next call.
  const remote::FrameHeader &header() const { return frame; }
  char *data() { return memory; }
  uint64_t size() const { return frame.bytes; }
  uint64_t room() const { return capacity; }

  /// The number of the next frame.
  uint64_t number() const { return expected; }
  /// The file at hand, and where its last whole frame ends.
  const std::string &file() const { return name; }
  uint64_t offset() const { return at; }
  const std::string &problem() const { return wrong; }
  /// With Status::Torn: how many whole frames follow.
  uint64_t lostBehind() const { return lost; }

private:
  Status readFrame();
  Status openNext();
  Status judge(uint64_t have);
  Status damaged(const std::string &);
  void reserve(uint64_t bytes);
  int64_t fill(uint64_t have, uint64_t bytes);

  const std::string path;
  const uint64_t from, extra;
  const bool lostPower;
  std::vector<uint64_t> segments;
  size_t opened = 0; // how many of them were opened
  int fd = -1;
  std::string name, wrong;
  uint64_t at = 0, expected = 0, lost = 0;
  remote::FrameHeader frame = {};
  char *memory = nullptr;
  uint64_t capacity = 0;
};

} // namespace sluice::checkpoint
