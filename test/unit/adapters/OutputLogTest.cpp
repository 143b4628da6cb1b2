//===- OutputLogTest.cpp - what a sink writes exactly once ----------------===//
#include "stdlib/native/output/OutputLog.h"
#include <gtest/gtest.h>
#include <thread>

using namespace sluice;

namespace {

using Rows = std::vector<std::string>;

Rows rowsOf(const OutputRows &rows) {
  Rows result;
  std::string_view left = rows.bytes(), row;
  while (OutputRows::take(left, row))
    result.emplace_back(row);
  return result;
}

/// A system that fails now and then. What it has outlives the log.
struct System {
  std::optional<uint64_t> last;
  Rows rows;
  int begun = 0;
};

class Target : public OutputTarget {
public:
  explicit Target(System &system) : system(system) {}
  OutputResult begin(std::optional<uint64_t> &last, const os::Event &) override {
    ++system.begun;
    last = system.last;
    return {};
  }
  OutputResult commit(uint64_t number, const OutputRows &rows, const os::Event &) override {
    system.last = number;
    for (const std::string &row : rowsOf(rows))
      system.rows.push_back(row);
    return {};
  }

private:
  System &system;
};

/// A checkpoint with parts: of one row each, with their numbers.
std::vector<char> checkpoint(std::initializer_list<uint64_t> parts, uint64_t number) {
  std::vector<char> bytes;
  Saver saver(bytes);
  saver.number("number", int64_t(number));
  for (uint64_t part : parts) {
    OutputRows rows;
    rows.add("row " + std::to_string(part));
    saver.number("count " + std::to_string(part), 1);
    saver.text("rows " + std::to_string(part), rows.bytes());
  }
  return bytes;
}

/// Goes on from a checkpoint, and ends.
void resume(System &system, const std::vector<char> &bytes) {
  Target target(system);
  OutputLog log(target);
  Ctx ctx{};
  OperatorDesc desc{};
  log.restore(Loader({bytes.data(), bytes.size()}));
  log.open(&ctx, &desc);
  EXPECT_EQ(log.close(&ctx), 0);
}

} // namespace

TEST(OutputLogTest, RowsComeBackFromTheirBytes) {
  OutputRows rows;
  for (const char *row : {"one", "", "three"})
    rows.add(row);
  EXPECT_EQ(rowsOf(OutputRows(3, rows.bytes())), (Rows{"one", "", "three"}));
  EXPECT_EQ(rows.count(), 3u);
}

TEST(OutputLogTest, WhatIsThereIsNotWrittenAgain) {
  System system{.last = 7};
  resume(system, checkpoint({7}, 7));
  EXPECT_EQ(system.rows, Rows{});
  EXPECT_EQ(system.last, 7u);
  EXPECT_EQ(system.begun, 1);
}

TEST(OutputLogTest, WhatIsNotThereIsWrittenInItsOrder) {
  System system{.last = 6};
  resume(system, checkpoint({10, 9, 8, 7}, 10)); // as texts, 10 is before 7
  EXPECT_EQ(system.rows, (Rows{"row 7", "row 8", "row 9", "row 10"}));
  EXPECT_EQ(system.last, 10u);
  resume(system, checkpoint({7, 8, 9, 10}, 10));
  EXPECT_EQ(system.rows.size(), 4u);
}

TEST(OutputLogTest, PartOfItIsThere) {
  System system{.last = 8};
  resume(system, checkpoint({7, 8, 9}, 9));
  EXPECT_EQ(system.rows, Rows{"row 9"});
}

TEST(OutputLogTest, ALogWithoutRowsAsksNobody) {
  System system;
  resume(system, checkpoint({}, 4));
  EXPECT_EQ(system.begun, 0);
}

TEST(OutputLogTest, ACheckpointOfARestoredLogIsTheSame) {
  System system;
  Target target(system);
  OutputLog log(target);
  std::vector<char> before = checkpoint({3, 4}, 4), behind;
  log.restore(Loader({before.data(), before.size()}));
  Saver saver(behind);
  log.save(saver);
  EXPECT_EQ(before, behind);
}
