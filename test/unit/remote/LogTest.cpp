// The log of a source: files of frames, what a crash leaves of them, and what has changed in them.
#include "runtime/exec/files/Log.h"
#include "runtime/exec/files/LogReader.h"
#include "runtime/remote/frame/Frame.h"
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <unistd.h>

using namespace sluice;
using namespace sluice::checkpoint;

namespace fs = std::filesystem;

namespace {

/// A directory of its own.
struct Place {
  std::string folder = std::string(testing::TempDir()) + "/log-" + std::to_string(getpid());
  std::string path = folder + "/Source";
  Place() {
    fs::remove_all(folder);
    fs::create_directories(folder);
  }
  ~Place() { fs::remove_all(folder); }
};

/// Frames without rows; their punctuation says which they are.
class Frames {
public:
  std::span<const remote::Piece> make(uint64_t number, size_t marks = 1) {
    writer.continueAt(number);
    puncts.assign(marks, {0, PunctuationKind::Window, -1 - int64_t(number)});
    return writer.write(Batch(), puncts);
  }

private:
  remote::Schema schema{std::span<const ColumnDesc>(), 1024};
  remote::FrameWriter writer{schema, 0, 0, /*checksum=*/true};
  std::vector<Punctuation> puncts;
};

constexpr size_t kMany = 1 << 17; // punctuation, of 16 bytes: more than a file has

void append(Log &log, Frames &frames, uint64_t count, size_t marks = 1) {
  for (uint64_t i = 0; i < count; ++i)
    ASSERT_EQ(log.append(frames.make(log.end(), marks)), "");
}

/// Reads to the end; the numbers of the frames.
std::vector<uint64_t> read(const std::string &path, uint64_t from,
                           LogReader::Status wanted = LogReader::Status::End) {
  std::vector<uint64_t> numbers;
  LogReader reader(path, from);
  LogReader::Status status;
  while ((status = reader.next()) == LogReader::Status::Frame)
    numbers.push_back(reader.header().sequence);
  EXPECT_EQ(status, wanted) << reader.problem();
  return numbers;
}

std::vector<uint64_t> upTo(uint64_t from, uint64_t end) {
  std::vector<uint64_t> numbers;
  for (; from < end; ++from)
    numbers.push_back(from);
  return numbers;
}

/// Opens a log; what is noted, or what is wrong.
std::string openText(Log &log, uint64_t from, bool lostPower = false) {
  std::string note, wrong = log.open(from, lostPower, note);
  return wrong.empty() ? note : wrong;
}

/// A checkpoint behind that frame.
void checkpointAt(Log &log, uint64_t position, uint64_t keep) {
  log.cut(position);
  ASSERT_EQ(log.sync(), "");
  log.committed(keep);
}

TEST(Log, IsReadAgainFromAnyFrame) {
  Place place;
  Frames frames;
  Log log(place.path);
  append(log, frames, 5);
  for (uint64_t from = 0; from <= 5; ++from)
    EXPECT_EQ(read(place.path, from), upTo(from, 5));
  read(place.path, 6, LogReader::Status::Damaged);
}

TEST(Log, GoesOnInAnotherRun) {
  Place place;
  Frames frames;
  for (uint64_t run = 0; run < 4; ++run) {
    Log log(place.path);
    EXPECT_EQ(openText(log, 2 * run), "");
    EXPECT_EQ(log.end(), 3 * run);
    append(log, frames, 3);
  }
  EXPECT_EQ(read(place.path, 6), upTo(6, 12));
  EXPECT_EQ(findSegments(place.path), (std::vector<uint64_t>{0, 3, 6, 9}));
  EXPECT_EQ(Log(place.path).clear(), "");
  EXPECT_TRUE(fs::is_empty(place.folder));
}

// A crash may leave any part of the last frame, or, with the power lost, zeros in its place.
TEST(Log, TornTailIsCutOff) {
  for (bool zeros : {false, true}) {
    Place place;
    Frames frames;
    std::string file = segmentFile(place.path, 0);
    uint64_t whole;
    {
      Log log(place.path);
      append(log, frames, 2);
      whole = fs::file_size(file);
      append(log, frames, 1, 3);
    }
    uint64_t bytes = fs::file_size(file);
    for (uint64_t kept = bytes - 1; kept >= whole; --kept) {
      fs::resize_file(file, kept);
      if (zeros)
        fs::resize_file(file, bytes);
      Log log(place.path);
      std::string note = openText(log, 0);
      EXPECT_EQ(note.empty(), kept == whole && !zeros) << kept << ": " << note;
      EXPECT_EQ(log.end(), 2u);
      EXPECT_EQ(fs::file_size(file), whole);
      if (kept == whole)
        break;
      fs::resize_file(file, whole);
      std::ofstream out(file, std::ios::binary | std::ios::app);
      for (const remote::Piece &piece : frames.make(2, 3))
        out.write(static_cast<const char *>(piece.data), std::streamsize(piece.bytes));
    }
    Log log(place.path);
    EXPECT_EQ(openText(log, 1), "");
    append(log, frames, 2);
    EXPECT_EQ(read(place.path, 1), upTo(1, 4));
  }
}

// No changed byte is taken for what was written, nor for the work of a crash, but in the last
// frame.
TEST(Log, EachChangedByteIsNoticed) {
  Place place;
  Frames frames;
  std::string file = segmentFile(place.path, 0);
  {
    Log log(place.path);
    append(log, frames, 2);
  }
  uint64_t whole = fs::file_size(file);
  {
    Log log(place.path);
    EXPECT_EQ(openText(log, 0), "");
    append(log, frames, 1); // another file
  }
  std::fstream stream(file, std::ios::binary | std::ios::in | std::ios::out);
  for (uint64_t at = 0; at < whole; ++at) {
    stream.seekg(std::streamoff(at));
    char byte = char(stream.get());
    auto put = [&](char value) {
      stream.seekp(std::streamoff(at));
      stream.put(value);
      stream.flush();
    };
    put(char(byte ^ 16));
    Log log(place.path);
    EXPECT_NE(openText(log, 0).find(file), std::string::npos) << at;
    if (at < whole / 2)
      EXPECT_EQ(read(place.path, 0, LogReader::Status::Damaged), upTo(0, 0)) << at;
    put(byte);
  }
  EXPECT_EQ(read(place.path, 0), upTo(0, 3));
}

TEST(Log, DamageBeforeWholeFramesIsNoTornTail) {
  Place place;
  Frames frames;
  std::string file = segmentFile(place.path, 0);
  {
    Log log(place.path);
    append(log, frames, 3);
  }
  std::fstream stream(file, std::ios::binary | std::ios::in | std::ios::out);
  uint64_t each = fs::file_size(file) / 3;
  stream.seekp(std::streamoff(each + 20));
  stream.put('x');
  stream.flush();
  Log log(place.path);
  EXPECT_NE(openText(log, 0).find("frame 1, at byte " + std::to_string(each) +
                                  ", is damaged: whole ones follow it"),
            std::string::npos);
  EXPECT_EQ(fs::file_size(file), 3 * each);
}

// Pages of a file are written in any order, so a loss of power may take one in the middle.
TEST(Log, WhatFollowsALostPageIsCutOff) {
  Place place;
  Frames frames;
  std::string file = segmentFile(place.path, 0);
  {
    Log log(place.path);
    append(log, frames, 4);
  }
  uint64_t each = fs::file_size(file) / 4;
  {
    std::fstream stream(file, std::ios::binary | std::ios::in | std::ios::out);
    stream.seekp(std::streamoff(each));
    stream << std::string(each, '\0');
  }
  EXPECT_TRUE(summarise(place.path, /*lostPower=*/true).isTorn);
  EXPECT_NE(summarise(place.path, /*lostPower=*/false).wrong, "");
  {
    Log log(place.path); // a checkpoint covers what is lost
    EXPECT_NE(openText(log, 2, /*lostPower=*/true).find("which the checkpoint covers"),
              std::string::npos);
  }
  Log log(place.path);
  EXPECT_NE(openText(log, 1, /*lostPower=*/true).find("as are 2 whole batches behind it"),
            std::string::npos);
  EXPECT_EQ(fs::file_size(file), each);
  append(log, frames, 1);
  EXPECT_EQ(read(place.path, 0), upTo(0, 2));
}

TEST(Log, AFileThatIsGoneIsMissed) {
  Place place;
  Frames frames;
  for (uint64_t run = 0; run < 3; ++run) {
    Log log(place.path);
    EXPECT_EQ(openText(log, 0), "");
    append(log, frames, 2);
  }
  fs::remove(segmentFile(place.path, 2));
  Log log(place.path);
  EXPECT_NE(openText(log, 0).find("it begins with frame 4, and frame 2 is missing"),
            std::string::npos);
  fs::remove(segmentFile(place.path, 0));
  fs::remove(segmentFile(place.path, 4));
  EXPECT_NE(openText(log, 4).find("the log is gone"), std::string::npos);
}

// Files go when no kept checkpoint needs them.
TEST(Log, KeepsWhatCheckpointsDoNotCover) {
  Place place;
  Frames frames;
  Log log(place.path);
  for (uint64_t number = 1; number <= 4; ++number) {
    append(log, frames, 1, kMany);
    checkpointAt(log, log.end(), /*keep=*/2);
  }
  // Those at 3 and 4 are kept: the file of frame 3 is needed to go on from there.
  EXPECT_EQ(findSegments(place.path), (std::vector<uint64_t>{3}));
  EXPECT_EQ(read(place.path, 3), upTo(3, 4));
  checkpointAt(log, log.end(), 2);
  EXPECT_EQ(findSegments(place.path), (std::vector<uint64_t>{3})); // the last one stays
  append(log, frames, 1);
  checkpointAt(log, log.end(), 2);
  EXPECT_EQ(findSegments(place.path), (std::vector<uint64_t>{4}));
  EXPECT_EQ(findLogs(place.folder), (std::vector<std::string>{place.path}));
}

// The checkpoint from which a run goes on is one of those that are kept.
TEST(Log, FilesOfAnEarlierRunGo) {
  Place place;
  Frames frames;
  {
    Log log(place.path);
    for (uint64_t number = 1; number <= 3; ++number) {
      append(log, frames, 1, kMany);
      log.cut(log.end());
    }
  }
  Log log(place.path);
  EXPECT_EQ(openText(log, 2), "");
  append(log, frames, 1);
  EXPECT_EQ(findSegments(place.path), (std::vector<uint64_t>{0, 1, 2, 3}));
  checkpointAt(log, log.end(), /*keep=*/2);
  EXPECT_EQ(findSegments(place.path), (std::vector<uint64_t>{2, 3}));
}

TEST(Log, IsFoundHoweverItsDirectoryIsWritten) {
  Place place;
  Frames frames;
  Log log(place.path);
  append(log, frames, 2);
  for (const char *between : {"//", "/./", "///"}) {
    const std::string path = place.folder + between + "Source";
    EXPECT_EQ(findSegments(path), (std::vector<uint64_t>{0}));
    EXPECT_EQ(read(path, 0), upTo(0, 2));
  }
  EXPECT_TRUE(findSegments(place.folder + "//Sourc").empty());
}

// The system says once that it has failed to sync a file.
TEST(Log, AFailedSyncIsNotForgotten) {
  Place place;
  Frames frames;
  const std::string file = segmentFile(place.path, 0), wrong = "cannot sync the log " + file;
  fs::create_symlink("/dev/null", file); // it can be written
  Log log(place.path);
  append(log, frames, 1, kMany);
  log.cut(log.end());
  EXPECT_FALSE(log.isBroken());
  // No other file is begun.
  EXPECT_NE(log.append(frames.make(1)).find(wrong), std::string::npos);
  EXPECT_EQ(findSegments(place.path), (std::vector<uint64_t>{0}));
  for (int i = 0; i < 2; ++i)
    EXPECT_NE(log.sync().find(wrong), std::string::npos);
  EXPECT_TRUE(log.isBroken());
}

TEST(Log, AFailedWriteLeavesNothing) {
  Log log("/dev/full/none/Source");
  Frames frames;
  EXPECT_NE(log.append(frames.make(0)), "");
  EXPECT_EQ(log.end(), 0u);
}

} // namespace
