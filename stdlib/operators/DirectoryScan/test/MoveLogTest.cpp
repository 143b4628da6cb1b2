// The log of moved files, as a crash, a loss of power or a damaged disk leaves it.
#include "stdlib/operators/DirectoryScan/MoveLog.h"
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>

using namespace sluice;

namespace {
struct Place {
  std::string path = std::string(testing::TempDir()) + "/moves-" + std::to_string(getpid());
  Place() { std::filesystem::create_directories(path); }
  ~Place() { std::filesystem::remove_all(path); }
  std::string log() const { return path + "/Scan.moved.0"; }
};

/// A log of three files, as bytes.
std::string logOf(const Place &place) {
  MoveLog log;
  EXPECT_EQ(log.open(place.path + "/Scan", false), "");
  for (int64_t i = 1; i <= 3; ++i)
    EXPECT_EQ(log.note({"file" + std::to_string(i), i, 10 * i, 20 * i, 30 * i}), "");
  std::ifstream file(place.log());
  return {std::istreambuf_iterator(file), {}};
}

/// How many files are to be submitted again; below 0: the log is damaged.
int readAgain(const Place &place, const std::string &bytes) {
  std::ofstream(place.log()) << bytes;
  MoveLog log;
  if (!log.open(place.path + "/Scan", true).empty())
    return -1;
  for (size_t i = 0; i < log.again.size(); ++i)
    EXPECT_EQ(log.again[i].name, "file" + std::to_string(i + 1));
  return int(log.again.size());
}

TEST(MoveLog, EachChangedBitIsNoticed) {
  Place place;
  const std::string bytes = logOf(place);
  EXPECT_EQ(readAgain(place, bytes), 3);
  for (size_t bit = 0; bit < 8 * bytes.size(); ++bit) {
    std::string changed = bytes;
    changed[bit / 8] = char(changed[bit / 8] ^ (1 << bit % 8));
    EXPECT_EQ(readAgain(place, changed), -1) << bit;
  }
}

TEST(MoveLog, WhatWasNotWrittenToItsEndIsNotThere) {
  Place place;
  const std::string bytes = logOf(place);
  const size_t one = bytes.size() / 3;
  for (size_t size = 0; size < bytes.size(); ++size) {
    EXPECT_EQ(readAgain(place, bytes.substr(0, size)), int(size / one)) << size;
    std::string zeros = bytes.substr(0, size) + std::string(3 * one - size, '\0');
    int files = readAgain(place, zeros);
    EXPECT_TRUE(files == int(size / one) || (files == -1 && size % one)) << size << " " << files;
  }
}
} // namespace
