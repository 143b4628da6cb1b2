//===- HostReaderTest.cpp - what a PE reads of its host -------------------===//
#include "runtime/remote/host/HostReader.h"
#include <gtest/gtest.h>
#include <vector>

namespace sluice::remote {
namespace {

class Text : public Input {
public:
  explicit Text(std::string text) : text(std::move(text)) {}
  bool read(void *to, size_t bytes) override {
    most = std::max(most, bytes);
    if (bytes > text.size() - at)
      return false;
    memcpy(to, text.data() + at, bytes);
    at += bytes;
    return true;
  }
  size_t most = 0; // that was asked for at once

private:
  std::string text;
  size_t at = 0;
};

/// Keeps what it is told as words.
class Told : public HostListener {
public:
  std::string hello(const HostHello &said) override {
    return said.pe == 9 ? "no PE 9" : add("hello " + std::to_string(said.pe));
  }
  std::string begin(uint64_t number, std::string state) override {
    return add("begin " + std::to_string(number) + " '" + state + "'");
  }
  void *place(const HostLink &link, size_t bytes, std::string &wrong) override {
    coming = link;
    frame.resize(bytes);
    if (bytes <= 100)
      return frame.data();
    wrong = "too large";
    return nullptr;
  }
  void arrived() override { add("data " + std::to_string(coming.receiver) + " '" + frame + "'"); }
  std::string ended(const HostLink &link) override {
    return add("end " + std::to_string(link.receiver) + " " + std::to_string(link.sender));
  }
  std::string gone(const HostLink &link) override {
    return add("gone " + std::to_string(link.receiver) + " " + std::to_string(link.sender));
  }
  void ordered(HostFrame type, uint64_t number) override {
    add(std::string(1, char(type)) + " " + std::to_string(number));
  }

  std::vector<std::string> words;

private:
  std::string add(std::string word) { return words.push_back(std::move(word)), ""; }

  HostLink coming = {};
  std::string frame;
};

std::string frame(HostFrame type, std::string content) {
  HostHead head = hostHead(uint32_t(content.size()), type);
  return std::string(reinterpret_cast<const char *>(head.data()), head.size()) + content;
}
template <class T> std::string bytesOf(const T &value) {
  return std::string(reinterpret_cast<const char *>(&value), sizeof value);
}
std::string number(uint64_t n) { return bytesOf(n); }
std::string link(uint32_t receiver, uint32_t sender) { return bytesOf(HostLink{receiver, sender}); }
std::string greeting(uint32_t pe = 2) {
  return frame(HostFrame::Hello, bytesOf(HostHello{kHostVersion, pe, 1, 2, 1, 0}));
}
const std::string kBegin = greeting() + frame(HostFrame::Begin, number(0));

/// What is wrong with it; empty: it was read to its end.
std::string read(const std::string &text, Told &told) {
  Text input(text);
  HostReader reader(input, told);
  std::string problem;
  while (reader.next(problem) == HostReader::Result::Read)
    ;
  EXPECT_LE(input.most, 1u << 20);
  return problem;
}
std::string wrongWith(const std::string &text) {
  Told told;
  return read(text, told);
}

TEST(RemoteHostReader, TellsEachFrame) {
  Told told;
  EXPECT_EQ(read(greeting() + frame(HostFrame::Restore, "ab") + frame(HostFrame::Restore, "c") +
                     frame(HostFrame::Begin, number(7)) +
                     frame(HostFrame::Data, link(3, 1) + "xyz") + frame(HostFrame::Cut, number(8)) +
                     frame(HostFrame::Committed, number(8)) + frame(HostFrame::End, link(3, 1)) +
                     frame(HostFrame::Gone, link(4, 2)) + frame(HostFrame::Stop, "") +
                     frame(HostFrame::Close, ""),
                 told),
            "");
  EXPECT_EQ(told.words, (std::vector<std::string>{"hello 2", "begin 7 'abc'", "data 3 'xyz'", "C 8",
                                                  "K 8", "end 3 1", "gone 4 2", "S 0", "X 0"}));
}

TEST(RemoteHostReader, RefusesFramesAtAWrongTime) {
  for (const std::string &text :
       {frame(HostFrame::Begin, number(0)), frame(HostFrame::Data, link(1, 1)),
        greeting() + greeting(), greeting() + frame(HostFrame::Cut, number(1)),
        kBegin + frame(HostFrame::Restore, "a"), kBegin + frame(HostFrame::Begin, number(1))})
    EXPECT_NE(wrongWith(text).find("comes at a wrong time"), std::string::npos) << wrongWith(text);
  EXPECT_NE(wrongWith(kBegin + frame(HostFrame(0), "")).find("no frame of type 0"),
            std::string::npos);
  EXPECT_EQ(wrongWith(greeting(9)), "no PE 9");
}

TEST(RemoteHostReader, RefusesWrongLengths) {
  EXPECT_EQ(wrongWith(kBegin + frame(HostFrame::Cut, "1234")), "a frame has 4 bytes instead of 8");
  EXPECT_EQ(wrongWith(kBegin + frame(HostFrame::Stop, "1")),
            "a frame that has nothing in it has bytes");
  EXPECT_EQ(wrongWith(kBegin + frame(HostFrame::Data, "1234567")), "a frame of a link has 7 bytes");
  EXPECT_EQ(wrongWith(kBegin + frame(HostFrame::Data, link(1, 1) + std::string(101, 'x'))),
            "too large");
}

TEST(RemoteHostReader, SeesWhereItIsCutOff) {
  const std::string whole = greeting() + frame(HostFrame::Restore, "abc") +
                            frame(HostFrame::Begin, number(7)) +
                            frame(HostFrame::Data, link(3, 1) + "xyz");
  std::vector<size_t> ends{0};
  for (size_t at = 0; at < whole.size();) {
    uint32_t bytes;
    memcpy(&bytes, whole.data() + at, sizeof bytes);
    ends.push_back(at += kHostHead + bytes);
  }
  for (size_t size = 0; size < whole.size(); ++size) {
    bool isWhole = std::find(ends.begin(), ends.end(), size) != ends.end();
    EXPECT_EQ(wrongWith(whole.substr(0, size)).empty(), isWhole) << size;
  }
}

/// A length that lies takes no memory.
TEST(RemoteHostReader, TakesMemoryForWhatComes) {
  HostHead head = hostHead(UINT32_MAX, HostFrame::Restore);
  EXPECT_EQ(wrongWith(greeting() +
                      std::string(reinterpret_cast<const char *>(head.data()), head.size()) + "x"),
            "it ends within what was saved");
}

} // namespace
} // namespace sluice::remote
