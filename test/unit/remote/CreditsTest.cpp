//===- CreditsTest.cpp - credits and the ways to wait, without processes --===//
#include "runtime/remote/link/Credits.h"
#include "runtime/base/os.h"
#include "runtime/remote/link/Waiting.h"
#include <gtest/gtest.h>
#include <random>

namespace sluice::remote {
namespace {

TEST(RemoteCredits, CountAsThePaperDoes) {
  CreditOptions options; // 100, 10, 10, 5
  SenderCredits sender(options);
  ReceiverCredits receiver(options);
  EXPECT_EQ(sender.refill(), 10u); // receives for credits
  EXPECT_EQ(sender.refill(), 0u);
  EXPECT_FALSE(sender.maySend());
  for (int i = 0; i < 99; ++i)
    receiver.posted();
  EXPECT_EQ(receiver.due(), 0u);
  receiver.posted();
  EXPECT_EQ(receiver.due(), 100u);
  receiver.say(100);
  EXPECT_EQ(receiver.due(), 0u);
  EXPECT_TRUE(sender.granted(100));
  for (int i = 0; i < 10; ++i) {
    ASSERT_TRUE(sender.maySend());
    sender.begin();
  }
  EXPECT_FALSE(sender.maySend()) << "the window is full";
  for (int i = 0; i < 90; ++i) {
    sender.complete();
    ASSERT_TRUE(sender.maySend());
    sender.begin();
  }
  sender.complete();
  EXPECT_FALSE(sender.maySend()) << "there are no credits";
  EXPECT_EQ(sender.credits(), 0u);
  // The receiver consumes; each tenth buffer makes a message. Receives are posted again when five
  // are left: of ten, one was used by the first message.
  for (int message = 1; message <= 4; ++message) {
    for (int i = 0; i < 9; ++i) {
      receiver.posted();
      ASSERT_EQ(receiver.due(), 0u);
    }
    receiver.posted();
    ASSERT_EQ(receiver.due(), 10u);
    receiver.say(10);
    ASSERT_TRUE(sender.granted(10));
    EXPECT_EQ(sender.refill(), message == 4 ? 5u : 0u);
  }
  EXPECT_EQ(sender.credits(), 40u);
}

TEST(RemoteCredits, RefuseMoreThanTheRing) {
  SenderCredits sender({});
  EXPECT_FALSE(sender.granted(0));
  EXPECT_FALSE(sender.granted(101));
  EXPECT_TRUE(sender.granted(100));
  EXPECT_FALSE(sender.granted(1));
  sender.begin();
  EXPECT_FALSE(sender.granted(UINT32_MAX));
  EXPECT_TRUE(sender.granted(1));
}

TEST(RemoteCredits, AnyNumbersAreMadeSound) {
  for (uint32_t ring : {0u, 1u, 2u, 3u, 100u})
    for (uint32_t grant : {0u, 1u, 5u, 1000u})
      for (uint32_t window : {0u, 1u, 1000u})
        for (uint32_t low : {0u, 1u, 1000u}) {
          CreditOptions o = CreditOptions{ring, grant, window, low}.sound();
          EXPECT_TRUE(o.ring >= 1 && o.grant >= 1 && o.grant <= o.ring);
          EXPECT_TRUE(o.window >= 1 && o.window <= o.ring && o.low < o.window);
        }
}

/// Random runs of both sides: no frame beyond the buffers that are posted, and no end before all is
/// sent.
TEST(RemoteCredits, NeverGoBeyondTheRing) {
  std::mt19937 random(7);
  for (int run = 0; run < 300; ++run) {
    auto any = [&] { return 1 + uint32_t(random() % 20); };
    CreditOptions options{any(), any(), any(), any()};
    SenderCredits sender(options);
    ReceiverCredits receiver(options);
    uint32_t free = 0, onTheWay = 0, arrived = 0, frames = 0, steps = 0, receives = 0;
    std::vector<uint32_t> messages; // of credits
    for (uint32_t i = 0; i < options.sound().ring; ++i)
      receiver.posted(), ++free;
    for (; frames < 500 && steps < 100000; ++steps) {
      switch (random() % 4) {
      case 0:
        if (sender.maySend())
          sender.begin(), ++onTheWay;
        break;
      case 1:
        if (onTheWay && sender.sending()) {
          sender.complete();
          --onTheWay, ++arrived;
          ASSERT_GT(free, 0u) << "a frame without a buffer";
          --free;
        }
        break;
      case 2:
        if (arrived)
          --arrived, ++frames, receiver.posted(), ++free;
        if (uint32_t due = receiver.due())
          receiver.say(due), messages.push_back(due);
        break;
      case 3:
        receives += sender.refill();
        if (!messages.empty() && receives) {
          ASSERT_TRUE(sender.granted(messages.front()));
          messages.erase(messages.begin());
          --receives;
        }
      }
    }
    EXPECT_EQ(frames, 500u) << "stuck: ring " << options.ring << " grant " << options.grant;
  }
}

//===--- waiting -------------------------------------------------------------===//

using Kind = Step::Kind;

TEST(RemoteWaiting, FixedWays) {
  for (int64_t now : {int64_t(0), int64_t(5), int64_t(1) << 60}) {
    EXPECT_EQ(Waiting({Wait::Poll}).idle(now), Step{Kind::Spin});
    EXPECT_EQ(Waiting({Wait::Interrupt}).idle(now), Step{Kind::Block});
    EXPECT_EQ(Waiting({Wait::Sleep, 42}).idle(now), (Step{Kind::Sleep, 42}));
  }
}

/// A stream of one frame each `interval` ns and a transport that holds `capacity` frames, for
/// `nanos` ns.
struct Simulated {
  uint64_t frames = 0, wakes = 0, largest = 0;
  int64_t longest = 0, blocked = 0;

  Simulated(WaitOptions options, int64_t interval, uint64_t capacity, int64_t nanos) {
    Waiting waiting(options);
    int64_t now = 0, next = interval; // when the next frame comes
    while (now < nanos) {
      uint64_t found = 0;
      for (; next <= now && found < capacity; ++found, next += interval)
        waiting.found();
      if (next <= now) // the sender was kept waiting
        next = now + interval;
      frames += found;
      largest = std::max(largest, found);
      Step step = waiting.idle(now);
      ++wakes;
      if (step.kind == Kind::Block) {
        now = std::max(now, next);
        ++blocked;
      } else {
        now += step.nanos;
        longest = std::max(longest, step.nanos);
      }
    }
  }
};

TEST(RemoteWaiting, AutoWakesWhenHalfOfTheRingIsFull) {
  for (int64_t interval : {12'000, 50'000, 150'000}) {
    Simulated run({Wait::Auto}, interval, 100, os::kNanos);
    EXPECT_LE(run.longest, 10'000'000);
    EXPECT_LE(run.largest, 60u) << interval;
    EXPECT_GE(run.largest, 40u) << interval;
    EXPECT_GE(run.frames, uint64_t(os::kNanos / interval) * 98 / 100) << interval;
    EXPECT_LE(run.wakes * 15, run.frames) << interval; // three wake-ups for 50 frames
  }
}

TEST(RemoteWaiting, AutoObeysTheBoundOnLatency) {
  for (int64_t latency : {600'000, 1'000'000, 20'000'000}) {
    Simulated run({Wait::Auto, 0, latency}, 20'000, 100, os::kNanos);
    EXPECT_LE(run.longest, latency);
    EXPECT_GT(run.longest, latency / 50);
  }
}

TEST(RemoteWaiting, AutoBlocksWhenLittleComesOrMuch) {
  for (int64_t interval : {1'000, 8'000, 5'000'000, 50'000'000, 1'000'000'000}) {
    Simulated run({Wait::Auto}, interval, 100, 100 * interval);
    EXPECT_EQ(run.longest, 0) << interval;
    EXPECT_EQ(run.blocked, run.wakes);
  }
}

TEST(RemoteWaiting, AutoNoticesATransportThatHoldsLittle) {
  for (uint64_t capacity : {1, 4, 12, 30}) {
    Simulated run({Wait::Auto}, 20'000, capacity, os::kNanos);
    EXPECT_GE(run.frames, uint64_t(os::kNanos / 20'000) * 80 / 100) << capacity;
  }
}

/// A frame every 100 us, as they are found while the thread blocks. The last step.
static Step seeFrames(Waiting &waiting, int64_t &now, int count, int empty = 0) {
  Step step{Kind::Block};
  for (int i = 0; i < count && step.kind == Kind::Block; ++i) {
    for (int k = 0; k < empty; ++k)
      EXPECT_EQ(waiting.idle(now + 1000 * k), Step{Kind::Block});
    waiting.found();
    step = waiting.idle(now += 100'000);
  }
  return step;
}

/// A thread that is woken by a part of a frame, or for nothing, has not seen a pause.
TEST(RemoteWaiting, AutoGoesOnBlockingWhenAWakeUpFoundNothing) {
  for (int empty : {0, 1, 5}) {
    Waiting waiting({Wait::Auto});
    int64_t now = 0;
    EXPECT_EQ(waiting.idle(now), Step{Kind::Block});
    EXPECT_EQ(seeFrames(waiting, now, 40, empty), (Step{Kind::Sleep, 5'000'000})) << empty;
  }
}

/// Frames at any moment: a sleep begins and ends between them.
TEST(RemoteWaiting, AutoSleepsThroughAStreamThatIsNotRegular) {
  std::mt19937 random(7);
  std::exponential_distribution<double> gap(1.0 / 200'000);
  Waiting waiting({Wait::Auto});
  double now = 0, next = gap(random);
  uint64_t frames = 0, wakes = 0;
  for (; now < 2e9; ++wakes) {
    for (; next <= now; next += gap(random), ++frames)
      waiting.found();
    Step step = waiting.idle(int64_t(now));
    now = step.kind == Kind::Sleep ? now + double(step.nanos) : std::max(now, next);
  }
  EXPECT_LE(wakes * 3, frames * 2);
}

/// Sleeps that found little because the stream paused are not the last ones.
TEST(RemoteWaiting, AutoSleepsAgainAfterPauses) {
  Waiting waiting({Wait::Auto});
  constexpr int64_t kInterval = 100'000;
  int64_t now = 0;
  auto run = [&](int frames) {
    int sleeps = 0;
    for (int64_t next = now + kInterval, end = now + frames * kInterval; now < end;) {
      for (; next <= now; next += kInterval)
        waiting.found();
      Step step = waiting.idle(now);
      sleeps += step.kind == Kind::Sleep;
      now = step.kind == Kind::Sleep ? now + step.nanos : std::max(now, next);
    }
    return sleeps;
  };
  for (int pause = 0; pause < 20; ++pause) {
    run(60);
    now += os::kNanos / 10;
  }
  run(500);
  EXPECT_GE(run(1000), 10);
}

TEST(RemoteWaiting, AutoBlocksAfterASleepThatFoundNothing) {
  Waiting waiting({Wait::Auto});
  int64_t now = 0;
  EXPECT_EQ(waiting.idle(now), Step{Kind::Block});
  EXPECT_EQ(seeFrames(waiting, now, 40), (Step{Kind::Sleep, 5'000'000}));
  EXPECT_EQ(waiting.idle(now += 5'000'000), Step{Kind::Block}); // found nothing
  for (int i = 0; i < 20; ++i) {
    waiting.found();
    EXPECT_EQ(waiting.idle(now += os::kNanos), Step{Kind::Block}) << "one frame a second";
  }
}

} // namespace
} // namespace sluice::remote
