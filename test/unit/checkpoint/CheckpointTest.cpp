// Checkpoints as files.
#include "runtime/exec/checkpoint/RestoreProgress.h"
#include "runtime/exec/files/Directory.h"
#include "runtime/exec/saved/TypeImage.h"
#include "sluice/saved.h"
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <pty.h>
#include <unistd.h>

using namespace sluice;
using namespace sluice::checkpoint;

namespace {
std::vector<char> bytesOf(std::string_view text) { return {text.begin(), text.end()}; }

const std::vector<Section> kSections{{"A", bytesOf("one")}, {"B.C (part x)", bytesOf("")}};

/// A directory of its own.
struct Place {
  std::string path;
  Place() : path(std::string(testing::TempDir()) + "/checkpoint-" + std::to_string(getpid())) {
    std::filesystem::remove_all(path);
  }
  ~Place() { std::filesystem::remove_all(path); }
};

Manifest manifestOf(uint64_t number) {
  Manifest m;
  m.number = number;
  m.program = "a\\b\nc";
  m.values = {{"n", "1\n2"}, {"width of R", "3"}};
  return m;
}

void publish(Directory &directory, uint64_t number) {
  Manifest m = manifestOf(number);
  m.files = {{"state"}};
  ASSERT_EQ(directory.begin(number), "");
  ASSERT_EQ(directory.write(number, kSections, m.files.front()), "");
  ASSERT_EQ(directory.complete(m), "");
}

std::vector<uint64_t> numbersIn(const Directory &directory) {
  std::vector<uint64_t> numbers;
  EXPECT_EQ(directory.list(numbers), "");
  return numbers;
}

TEST(StateFile, IsReadAgain) {
  std::vector<Section> read;
  ASSERT_EQ(readState(writeState(kSections), read), "");
  ASSERT_EQ(read.size(), 2u);
  EXPECT_EQ(read[1].text, "B.C (part x)");
  EXPECT_EQ(read[0].bytes, bytesOf("one"));
}

TEST(StateFile, EachChangedByteIsNoticed) {
  std::string file = writeState(kSections);
  for (size_t size = 0; size < file.size(); ++size) {
    std::vector<Section> read;
    EXPECT_NE(readState(file.substr(0, size), read), "") << size;
  }
  for (size_t at = 0; at < file.size(); ++at) {
    std::string changed = file;
    changed[at] = char(changed[at] ^ 1);
    std::vector<Section> read;
    EXPECT_NE(readState(changed, read), "") << at;
  }
}

TEST(Manifest, IsReadAgain) {
  Manifest m = manifestOf(7), read;
  m.files = {{"state", 12, 0xabcdef}};
  ASSERT_EQ(readManifest(writeManifest(m), read), "");
  EXPECT_EQ(read.number, 7u);
  EXPECT_EQ(read.program, m.program);
  EXPECT_EQ(read.values, m.values);
  EXPECT_EQ(read.files[0].digest, 0xabcdefu);
}

TEST(Manifest, EachChangedByteIsNoticed) {
  std::string text = writeManifest(manifestOf(7));
  for (size_t at = 0; at < text.size(); ++at) {
    std::string changed = text;
    changed[at] = char(changed[at] ^ 1);
    Manifest read;
    EXPECT_NE(readManifest(changed, read), "") << at;
  }
}

TEST(Directory, KeepsTheLastOnesAndOneRunAtATime) {
  Place place;
  Directory directory(place.path), other(place.path);
  ASSERT_EQ(directory.lock(), "");
  EXPECT_NE(other.lock(), "");
  for (uint64_t number = 1; number <= 4; ++number)
    publish(directory, number);
  ASSERT_EQ(directory.keep(2), "");
  EXPECT_EQ(numbersIn(directory), (std::vector<uint64_t>{3, 4}));
  Manifest read;
  std::vector<Section> sections;
  ASSERT_EQ(directory.read(4, read, sections), "");
  EXPECT_EQ(sections.size(), 2u);
}

TEST(Directory, WhatIsNotCompleteIsNoCheckpoint) {
  Place place;
  {
    Directory directory(place.path);
    ASSERT_EQ(directory.lock(), "");
    publish(directory, 1);
  }
  std::filesystem::create_directory(place.path + "/000002");
  std::ofstream(place.path + "/000002/state") << "half";
  Directory directory(place.path);
  ASSERT_EQ(directory.lock(), "");
  EXPECT_EQ(numbersIn(directory), std::vector<uint64_t>{1});
  EXPECT_FALSE(std::filesystem::exists(place.path + "/000002"));
}

TEST(Directory, AChangedFileIsRefused) {
  Place place;
  Directory directory(place.path);
  ASSERT_EQ(directory.lock(), "");
  publish(directory, 1);
  std::ofstream(place.path + "/000001/state", std::ios::app) << "x";
  Manifest m;
  std::vector<Section> sections;
  EXPECT_NE(directory.read(1, m, sections), "");
}

TEST(Directory, ThatHoldsSomethingElseIsLeftAlone) {
  Place place;
  std::filesystem::create_directories(place.path + "/000001");
  Directory directory(place.path);
  EXPECT_NE(directory.lock(), "");
  EXPECT_TRUE(std::filesystem::exists(place.path + "/000001"));
}

/// What can be read until it ends so.
std::string readUntil(int fd, std::string_view end) {
  std::string text;
  for (char c; !text.ends_with(end) && read(fd, &c, 1) == 1;)
    text += c;
  return text;
}

TEST(RestoreProgress, IsALineOnATerminalThatGoesAway) {
  int master, terminal;
  ASSERT_EQ(openpty(&master, &terminal, nullptr, nullptr, nullptr), 0);
  {
    RestoreProgress progress("Main: goes on", terminal, 1'000'000);
    EXPECT_TRUE(readUntil(master, " s").starts_with("\r\x1b[KMain: goes on, "));
  }
  EXPECT_TRUE(readUntil(master, "\x1b[K").ends_with("\r\x1b[K"));
  close(master);
  close(terminal);
}

TEST(RestoreProgress, IsNotInAFile) {
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  {
    RestoreProgress progress("Main: goes on", ends[1], 0);
  }
  close(ends[1]);
  EXPECT_EQ(readUntil(ends[0], "\n"), "");
  close(ends[0]);
}

TEST(Directory, NobodyIsAskedWhereNothingRuns) {
  Place place;
  Directory directory(place.path);
  uint64_t number = 0;
  EXPECT_EQ(directory.ask(1, number), "no run makes checkpoints in " + place.path);
  {
    Directory other(place.path);
    ASSERT_EQ(other.lock(), "");
    publish(other, 1);
    EXPECT_NE(directory.ask(1, number), ""); // this process makes none
  }
  EXPECT_EQ(directory.ask(1, number), "no run makes checkpoints in " + place.path);
  EXPECT_EQ(number, 0u);
}

TEST(Saver, ValuesAreFoundByNameAndKind) {
  std::vector<char> bytes;
  Saver saver(bytes);
  saver.number("n", -5);
  saver.text("n", "text");
  Loader loader({bytes.data(), bytes.size()});
  EXPECT_EQ(loader.number("n"), -5);
  EXPECT_EQ(loader.text("n"), "text");
  EXPECT_FALSE(loader.number("m"));
  EXPECT_FALSE(loader.typeOf("n"));
}
} // namespace
