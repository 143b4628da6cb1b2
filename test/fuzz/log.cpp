//===- log.cpp - fuzzing the reader of logs of sources --------------------===//
//
// The input says what lies in the files of a log: whole frames, with right and wrong numbers, and
// bytes between them. The reader gives those that were written, in order, up to the first that is
// not as it should be, and says what is wrong.
//
//===----------------------------------------------------------------------===//
#include "runtime/exec/files/LogReader.h"
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <unistd.h>

using namespace sluice;
using namespace sluice::checkpoint;

static void demand(bool holds, const char *what) {
  if (holds)
    return;
  fprintf(stderr, "%s\n", what);
  abort();
}

/// Where the log is: in memory, if there is a file system for that.
static const std::string &pathOfLog() {
  static const std::string path = [] {
    std::string folder = std::filesystem::exists("/dev/shm") ? "/dev/shm" : "/tmp";
    folder += "/sluice-fuzz-log-" + std::to_string(getpid());
    std::filesystem::create_directories(folder);
    return folder + "/Source";
  }();
  return path;
}

namespace {
/// Takes the input apart.
class Input {
public:
  Input(const uint8_t *data, size_t size) : at(data), left(size) {}
  bool isOver() const { return left == 0; }
  uint8_t byte() { return left ? (--left, *at++) : 0; }
  std::string bytes(size_t count) {
    count = std::min(count, left);
    std::string result(reinterpret_cast<const char *>(at), count);
    at += count;
    left -= count;
    return result;
  }

private:
  const uint8_t *at;
  size_t left;
};
} // namespace

static std::string frame(uint64_t sequence, const std::string &payload) {
  std::string bytes(kBatchHeader + payload.size(), '\0');
  remote::FrameHeader header = {};
  header.magic = remote::kFrameMagic;
  header.version = remote::kFrameVersion;
  header.limit = 1;
  header.sequence = sequence;
  header.rows = 1;
  header.bytes = bytes.size();
  header.hasChecksum = 1;
  memcpy(bytes.data(), &header, sizeof header);
  memcpy(bytes.data() + kBatchHeader, payload.data(), payload.size());
  remote::Piece whole = {bytes.data(), bytes.size()};
  header.checksum = remote::checksumOf({&whole, 1});
  memcpy(bytes.data(), &header, sizeof header);
  return bytes;
}

/// Writes the files. How many frames are as they should be, one behind the other, from the first;
/// `isWhole`: there is nothing else.
static uint64_t writeFiles(Input &input, bool &isWhole) {
  uint64_t next = 0, good = 0;
  FILE *file = nullptr;
  auto begin = [&](uint64_t first) {
    if (file)
      fclose(file);
    file = fopen(segmentFile(pathOfLog(), first).c_str(), "w");
    demand(file, "the log cannot be written");
  };
  begin(0);
  isWhole = true;
  for (int parts = 0; !input.isOver() && parts < 64; ++parts) {
    uint8_t kind = input.byte();
    std::string payload = input.bytes(input.byte());
    if (kind % 8 == 0 && good) // another file
      begin(next);
    bool isFrame = kind % 16 != 1 && kind % 16 != 2, isNext = kind % 16 != 3;
    std::string bytes = isFrame ? frame(isNext ? next : next + kind, payload) : payload;
    if (kind % 16 == 4 && !bytes.empty()) // a bit of it was changed
      bytes[kind * 7u % bytes.size()] ^= char(1 << kind / 32);
    fwrite(bytes.data(), 1, bytes.size(), file);
    isWhole &= isFrame && isNext && kind % 16 != 4;
    good += isWhole;
    next += isFrame;
  }
  fclose(file);
  return good;
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  for (uint64_t first : findSegments(pathOfLog()))
    unlink(segmentFile(pathOfLog(), first).c_str());
  Input input(data, size);
  uint8_t how = input.byte();
  bool lostPower = how & 1, isWhole = false;
  uint64_t good = writeFiles(input, isWhole), from = how / 2 % 4;
  LogReader reader(pathOfLog(), from, /*room=*/how, lostPower);
  uint64_t expected = from;
  LogReader::Status status;
  while ((status = reader.next()) == LogReader::Status::Frame) {
    demand(reader.number() == ++expected, "frames are left out");
    demand(reader.size() >= kBatchHeader && reader.room() >= reader.size() + how, "no room");
    memset(reader.data(), 0, reader.room()); // it may be changed
  }
  demand(status != LogReader::Status::Damaged || !reader.problem().empty(), "nothing is said");
  demand(good < from || expected >= good, "good frames are lost");
  demand(!isWhole || good < from || status == LogReader::Status::End, "a whole log is refused");
  LogSummary summary = summarise(pathOfLog(), lostPower);
  demand(summary.end >= good, "the summary has fewer");
  return 0;
}
