// Which of the variants of an executable runs.
#include "runtime/base/cpu.h"
#include "Graph.h"
#include <bit>

using namespace sluice;
using namespace sluice::test;

namespace {
struct CpuVariants : testing::Test {
  Graph g;
  const uint64_t have = cpu::features(), all = ~uint64_t(0);
  std::vector<ProgramDesc> programs;
  std::vector<CpuVariant> variants;
  std::string out, err;

  /// Variants with these features; what is printed by the help of the one that runs has its number.
  int run(std::vector<uint64_t> features) {
    static const char *const names[] = {"First", "Second", "Third"};
    programs.assign(features.size(), *g.build());
    variants.clear();
    for (size_t i = 0; i < features.size(); ++i) {
      programs[i].mainName = names[i];
      variants.push_back({names[i], features[i], &programs[i]});
    }
    const char *args[] = {"app", "--help"};
    testing::internal::CaptureStdout();
    testing::internal::CaptureStderr();
    int code =
        sl_main_by_cpu(variants.data(), uint32_t(variants.size()), 2, const_cast<char **>(args));
    out = testing::internal::GetCapturedStdout();
    err = testing::internal::GetCapturedStderr();
    return code;
  }
  bool ran(const char *name) const { return out.find(name) != std::string::npos; }
};
} // namespace

TEST_F(CpuVariants, TheLastThatTheProcessorCanRun) {
  EXPECT_EQ(run({0, have, all}), 0);
  EXPECT_TRUE(ran("Second")) << out << err;
  EXPECT_EQ(run({0, have, have}), 0);
  EXPECT_TRUE(ran("Third")) << out << err;
  EXPECT_EQ(run({0, all, all}), 0);
  EXPECT_TRUE(ran("First")) << out << err;
  EXPECT_EQ(run({have}), 0);
  EXPECT_TRUE(ran("First")) << out << err;
}

TEST_F(CpuVariants, OneMissingExtensionIsEnough) {
  const uint64_t missing = uint64_t(1) << std::countr_one(have);
  EXPECT_EQ(run({0, have | missing}), 0);
  EXPECT_TRUE(ran("First")) << out << err;
}

TEST_F(CpuVariants, NoneIsAnError) {
  EXPECT_EQ(run({all, all}), 1);
  EXPECT_EQ(out, "");
  EXPECT_NE(err.find("First: error: the program was built for the processor First, and this one "
                     "lacks: " +
                     cpu::names(~have)),
            std::string::npos)
      << err;
}

TEST(Cpu, Names) {
  EXPECT_EQ(cpu::names(0), "");
#if defined(__x86_64__)
  EXPECT_EQ(cpu::names(5), "sse3, sse4.1");
#elif defined(__powerpc64__)
  EXPECT_EQ(cpu::names(3), "arch_3_00, arch_3_1");
#endif
}
