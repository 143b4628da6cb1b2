//===- PipeLinksTest.cpp - links over the pipes of a host -----------------===//
//
// The test is the host; the child is a PE that sends on what it gets over two links of one sender
// each, in one link of its own.
//
//===----------------------------------------------------------------------===//
#include "runtime/remote/host/PipeLinks.h"
#include "test/unit/remote/LinkFixture.h"
#include <map>

namespace sluice::remote {
namespace {

constexpr uint32_t kReceiver = 7, kSenders[] = {3, 5}, kNext = 9, kPe = 1;
constexpr uint64_t kProgram = 42, kFrames = 400;

LinkOptions optionsOf(uint32_t ring) {
  LinkOptions options;
  options.credits.ring = ring;
  options.credits.grant = 3;
  options.room = 4096; // some frames of the patterns are larger
  return options;
}

Pattern patternOf(uint32_t sender) { return {.seed = sender, .most = 20000}; }

/// In the child. What is wrong.
std::string runPe(HostPipe &pipe, const LinkOptions &options) {
  os::Event stop;
  PipeReceiveLink from(pipe, kReceiver, {kSenders[0], kSenders[1]}, options, stop);
  PipeSendLink to(pipe, {kNext, kPe}, stop.descriptor());
  pipe.enter(kReceiver, from);
  pipe.listen([&] { stop.raise(); });
  Buffers first(from, 0, options), second(from, 1, options);
  uint64_t counts[2] = {};
  for (;;) {
    ReceiveLink::Frame frame;
    switch (from.next(frame)) {
    case Got::Frame: {
      auto *bytes = static_cast<const std::byte *>(frame.memory);
      Pattern pattern = patternOf(kSenders[frame.peer]);
      if (auto wrong = pattern.check(counts[frame.peer]++, bytes, frame.bytes); !wrong.empty())
        return wrong;
      if (bool(frame.spare) != (frame.bytes > options.room))
        return "memory of its own for a frame of " + std::to_string(frame.bytes) + " bytes";
      Piece pieces[] = {{bytes, 10}, {bytes + 10, frame.bytes - 10}};
      if (to.send(pieces) != Sent::Sent)
        return "it was not sent on";
      if (frame.spare)
        ReceiveLink::freeLarge(frame.memory);
      from.post(frame.peer, frame.spare ? frame.spare : frame.memory);
      break;
    }
    case Got::Ended:
      if (counts[frame.peer] != kFrames)
        return "a stream ended behind " + std::to_string(counts[frame.peer]) + " frames";
      break;
    case Got::AllGone:
      pipe.silence();
      return to.finish() == Sent::Sent ? "" : "the end was not sent";
    case Got::PeerGone:
    case Got::Broken:
    case Got::Renewed:
    case Got::Stopped:
      return "an end that nobody asked for";
    }
  }
}

/// The other ends of the pipes to a PE.
class Host {
public:
  explicit Host(const LinkOptions &options) {
    int to[2], from[2];
    EXPECT_EQ(pipe(to), 0);
    EXPECT_EQ(pipe(from), 0);
    child = std::make_unique<Child>([&]() -> std::string {
      dup2(to[0], 0), dup2(from[1], 1);
      for (int each : {to[0], to[1], from[0], from[1]})
        ::close(each);
      std::string problem;
      auto pipe = HostPipe::open(kProgram, kPe + 1, problem);
      return pipe ? runPe(*pipe, options) : problem;
    });
    ::close(to[0]), ::close(from[1]);
    in = from[0], out = to[1];
    HostHello hello{kHostVersion, kPe, 1, kProgram, 0, 0};
    uint64_t anew = 0;
    say(HostFrame::Hello, {{&hello, sizeof hello}});
    say(HostFrame::Begin, {{&anew, sizeof anew}});
  }
  ~Host() { ::close(in), ::close(out); }

  void say(HostFrame type, std::initializer_list<Piece> pieces) {
    size_t bytes = 0;
    for (const Piece &piece : pieces)
      bytes += piece.bytes;
    HostHead head = hostHead(uint32_t(bytes), type);
    put(head.data(), head.size());
    for (const Piece &piece : pieces)
      put(piece.data, piece.bytes);
  }
  /// The next frame of the PE; false: it has none any more.
  bool hear(HostFrame &type, std::vector<std::byte> &content) {
    HostHead head;
    if (!get(head.data(), head.size()))
      return false;
    uint32_t bytes;
    memcpy(&bytes, head.data(), sizeof bytes);
    type = HostFrame(head[4]);
    content.resize(bytes);
    return get(content.data(), bytes);
  }

  std::unique_ptr<Child> child;

private:
  void put(const void *data, size_t bytes) { ASSERT_EQ(::write(out, data, bytes), ssize_t(bytes)); }
  bool get(void *data, size_t bytes) {
    for (auto *at = static_cast<char *>(data); bytes;) {
      ssize_t n = ::read(in, at, bytes);
      if (n <= 0)
        return false;
      at += n, bytes -= size_t(n);
    }
    return true;
  }

  int in = -1, out = -1;
};

class RemotePipeLinks : public testing::TestWithParam<uint32_t> {};

TEST_P(RemotePipeLinks, MoveFramesInOrder) {
  const LinkOptions options = optionsOf(GetParam());
  Host host(options);
  std::vector<std::byte> content, memory(20000);
  std::map<uint32_t, uint64_t> sent, granted, back;
  HostFrame type;
  uint64_t most = 0; // on their way to the PE, of one sender
  bool ended = false;
  auto send = [&](uint32_t sender) {
    Pattern pattern = patternOf(sender);
    HostLink link{kReceiver, sender};
    for (; sent[sender] < std::min(granted[sender], kFrames); ++sent[sender]) {
      pattern.fill(sent[sender], memory.data());
      host.say(HostFrame::Data,
               {{&link, sizeof link}, {memory.data(), pattern.bytes(sent[sender])}});
      if (sent[sender] + 1 == kFrames)
        host.say(HostFrame::End, {{&link, sizeof link}});
    }
    most = std::max(most, sent[sender] - back[sender]);
  };
  // A frame that comes back is of either: the patterns of both differ in every number but 0.
  while (!ended && host.hear(type, content)) {
    HostLink link;
    memcpy(&link, content.data(), std::min(sizeof link, content.size()));
    if (type == HostFrame::Grant) {
      uint32_t count;
      memcpy(&count, content.data() + sizeof link, sizeof count);
      granted[link.sender] += count;
      send(link.sender);
    } else if (type == HostFrame::Data) {
      EXPECT_EQ(link.receiver, kNext);
      EXPECT_EQ(link.sender, kPe);
      const std::byte *frame = content.data() + sizeof link;
      size_t bytes = content.size() - sizeof link;
      uint32_t from = patternOf(kSenders[0]).check(back[kSenders[0]], frame, bytes).empty()
                          ? kSenders[0]
                          : kSenders[1];
      EXPECT_EQ(patternOf(from).check(back[from]++, frame, bytes), "");
    } else if (type == HostFrame::End) {
      ended = true;
    } else {
      EXPECT_EQ(type, HostFrame::Hello);
    }
  }
  EXPECT_TRUE(ended);
  EXPECT_EQ(host.child->join(), 0);
  EXPECT_EQ(back[kSenders[0]], kFrames);
  EXPECT_EQ(back[kSenders[1]], kFrames);
  EXPECT_LE(most, GetParam());
}

INSTANTIATE_TEST_SUITE_P(Rings, RemotePipeLinks, testing::Values(3, 10, 32));

} // namespace
} // namespace sluice::remote
