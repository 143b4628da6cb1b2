//===- OutputTest.cpp - messages beside a table that is drawn again -------===//
#include "runtime/base/text/Output.h"
#include <atomic>
#include <gtest/gtest.h>
#include <thread>
#include <vector>

using namespace sluice;

/// What a terminal shows of a text that moves its cursor only to erase lines.
static std::vector<std::string> screen(const std::string &text) {
  std::vector<std::string> lines{""};
  for (size_t at = 0; at < text.size(); ++at) {
    if (text.compare(at, 3, "\r\x1b[") == 0) {
      size_t end = text.find("\x1b[J", at);
      lines.resize(lines.size() - std::stoul(text.substr(at + 3)));
      lines.back().clear();
      at = end + 2;
    } else if (text[at] == '\n') {
      lines.emplace_back();
    } else {
      lines.back() += text[at];
    }
  }
  return lines;
}

TEST(Output, AMessageStandsInPlaceOfTheTable) {
  testing::internal::CaptureStderr();
  Output out(2);
  out.showBelow("a\nb\n");
  out.message("one\n");
  out.message("two\n");
  out.showBelow("a\nb\nc\n");
  out.showBelow("a\n");
  out.message("");
  EXPECT_EQ(testing::internal::GetCapturedStderr(),
            "a\nb\n\r\x1b[2A\x1b[Jone\ntwo\na\nb\nc\n\r\x1b[3A\x1b[Ja\n\r\x1b[1A\x1b[J");
}

TEST(Output, AMessageComesBehindWhatWasPrinted) {
  testing::internal::CaptureStderr();
  Output out(2);
  out.write("printed ", 8);
  EXPECT_EQ(out.message("message\n"), 0);
  out.write("later\n", 6);
  EXPECT_EQ(out.flush(), 0);
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "printed message\nlater\n");
}

TEST(Output, AMessageIsWrittenAlsoWhenStandardOutputFails) {
  testing::internal::CaptureStderr();
  Output out(-1);
  out.write("lost\n", 5);
  EXPECT_LT(out.message("message\n"), 0);
  EXPECT_EQ(out.message("again\n"), 0) << "it failed once";
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "message\nagain\n");
}

TEST(Output, NoMessageGoesAwayWhileTheTableIsDrawn) {
  constexpr int kThreads = 3, kMessages = 2000;
  testing::internal::CaptureStderr();
  Output out(2);
  std::atomic<bool> end{false};
  std::thread live([&] {
    while (!end.load(std::memory_order_relaxed))
      out.showBelow("table\ntable\n");
  });
  std::vector<std::thread> writers;
  for (int t = 0; t < kThreads; ++t)
    writers.emplace_back([&] {
      for (int i = 0; i < kMessages; ++i)
        out.message("message\nits second line\n");
    });
  for (std::thread &writer : writers)
    writer.join();
  end.store(true, std::memory_order_relaxed);
  live.join();
  out.message("");
  std::vector<std::string> lines = screen(testing::internal::GetCapturedStderr());
  ASSERT_EQ(lines.size(), size_t(2 * kThreads * kMessages + 1));
  for (size_t i = 0; i + 1 < lines.size(); ++i)
    ASSERT_EQ(lines[i], i % 2 ? "its second line" : "message") << i;
}
