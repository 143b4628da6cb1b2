//===- LinkAllocationsTest.cpp - a frame allocates nothing ----------------===//
#include "test/unit/remote/Allocations.h"
#include "test/unit/remote/LinkFixture.h"

#if SLUICE_COUNTS_ALLOCATIONS

namespace sluice::remote {
namespace {

using RemoteLinkAllocations = LinkOfAnyWay;

/// After `kWarm` frames that fill the pools of UCX, frames allocate nothing at either end.
TEST_P(RemoteLinkAllocations, AreNoneForAFrame) {
  constexpr uint64_t kWarm = 2000, kFrames = 3000;
  constexpr uint64_t kPools = 10; // pools of UCX may still grow when more is under way than before
  Pattern pattern{9, 16384};
  Wires wires;
  Child sender([&]() -> std::string {
    std::string error;
    auto link = openSender(options(), wires.sender(0), error);
    if (!link)
      return error;
    error = sendAll(*link, pattern, kWarm);
    uint64_t before = test::allocations();
    std::vector<std::byte> memory(pattern.most); // one
    Piece pieces[2] = {{memory.data(), 100}, {memory.data() + 100, memory.size() - 100}};
    for (uint64_t i = 0; i < kFrames; ++i)
      if (link->send(pieces) != Sent::Sent)
        return "not sent";
    uint64_t made = test::allocations() - before - 1;
    if (link->finish() != Sent::Sent)
      return "not finished";
    return made > kPools ? "the sender allocated " + std::to_string(made) + " times" : "";
  });
  Child receiver([&]() -> std::string {
    std::string error;
    auto link = openReceiver(options(), wires, error);
    if (!link)
      return error;
    Buffers buffers(*link, 0, options());
    ReceiveLink::Frame frame;
    uint64_t before = 0, made = 0;
    for (uint64_t i = 0; i < kWarm + kFrames; ++i) {
      if (i == kWarm)
        before = test::allocations();
      if (link->next(frame) != Got::Frame)
        return "no frame";
      link->post(0, frame.memory);
    }
    made = test::allocations() - before;
    while (link->next(frame) != Got::AllGone)
      ;
    return made > kPools ? "the receiver allocated " + std::to_string(made) + " times" : "";
  });
  wires.close();
  EXPECT_EQ(receiver.join(), 0);
  EXPECT_EQ(sender.join(), 0);
}

INSTANTIATE_TEST_SUITE_P(Allocations, RemoteLinkAllocations, SLUICE_LINK_WAYS, nameOf);

} // namespace
} // namespace sluice::remote

#endif
