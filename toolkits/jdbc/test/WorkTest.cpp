//===- WorkTest.cpp - rows in transactions --------------------------------===//
#include "toolkits/jdbc/operators/JDBCRun/Work.h"
#include <gtest/gtest.h>

using namespace sluice;
using namespace sluice::jdbc;

namespace {
struct Nobody : Work::Owner {
  void fill(const Rows::Row &, Parameters &) override {}
  std::string sqlOf(const Rows::Row &) override { return ""; }
  bool take(Rows::Row &, Result &, size_t &, Problem &, int32_t &) override { return true; }
  void refused(Rows::Row &) override {}
};
} // namespace

TEST(WorkTest, NumbersOfCheckpoints) {
  for (auto [saved, number, ran] : {std::tuple{"17", "17", size_t(2)},
                                    {"17 0/15D68F0", "17", size_t(2)}, // of an earlier release
                                    {"", "", size_t(0)}}) {
    Nobody nobody;
    Work work(nobody);
    work.restore(saved, 2);
    EXPECT_EQ(work.transaction(), number);
    EXPECT_EQ(work.rows.ran, ran);
  }
}
