//===- Message.cpp - orders and answers over a socket -----------------------===//
#include "runtime/exec/member/Message.h"
#include <cerrno>
#include <cstring>
#include <string_view>
#include <type_traits>

namespace sluice::member {

using checkpoint::Answer;
using checkpoint::Order;

namespace {
/// An answer without its text and its files, which follow.
struct Fixed {
  uint8_t wantsEnd, wantsCheckpoint, failed, isStill, isOver, isEnd, unused[2];
  uint64_t received, sent, digest;
  int64_t stopped, cost;
  uint32_t files, textBytes;
};
/// The same of each of its files, behind that.
struct FixedFile {
  uint64_t bytes, digest;
  uint32_t nameBytes, isLinked;
};
static_assert(std::is_trivially_copyable_v<FixedFile>);
static_assert(std::is_trivially_copyable_v<Fixed> && sizeof(Fixed) == 56);
static_assert(std::is_trivially_copyable_v<Order>);
} // namespace

static bool write(const remote::Socket &to, const void *bytes, size_t count) {
  constexpr int64_t kLong = 1'000'000'000'000; // ns
  return !remote::writeAll(to, {static_cast<const std::byte *>(bytes), count}, kLong);
}

static bool read(const remote::Socket &from, void *to, size_t count) {
  const int descriptor = from.descriptor();
  for (size_t at = 0; at < count;) {
    int64_t n = remote::readSome(from, static_cast<char *>(to) + at, count - at);
    if (n > 0)
      at += size_t(n);
    else if (n == -EAGAIN)
      remote::awaitReadable({&descriptor, 1}, -1);
    else
      return false;
  }
  return true;
}

static bool readText(const remote::Socket &from, std::string &text, uint32_t bytes) {
  text.resize(bytes);
  return read(from, text.data(), bytes);
}

bool send(const remote::Socket &to, const Order &order) { return write(to, &order, sizeof order); }

bool receive(const remote::Socket &from, Order &order) { return read(from, &order, sizeof order); }

bool send(const remote::Socket &to, const Reply &reply) {
  const Answer &a = reply.answer;
  Fixed fixed = {.wantsEnd = reply.wantsEnd,
                 .wantsCheckpoint = reply.wantsCheckpoint,
                 .failed = a.failed,
                 .isStill = a.isStill,
                 .isOver = a.isOver,
                 .isEnd = a.isEnd,
                 .unused = {},
                 .received = a.received,
                 .sent = a.sent,
                 .digest = a.digest,
                 .stopped = a.stopped,
                 .cost = a.cost,
                 .files = uint32_t(a.files.size()),
                 .textBytes = uint32_t(a.text.size())};
  bool sent = write(to, &fixed, sizeof fixed) && write(to, a.text.data(), a.text.size());
  for (const checkpoint::Manifest::File &file : a.files) {
    FixedFile each{file.bytes, file.digest, uint32_t(file.name.size()), file.isLinked};
    sent = sent && write(to, &each, sizeof each) && write(to, file.name.data(), file.name.size());
  }
  return sent;
}

bool receive(const remote::Socket &from, Reply &reply) {
  Fixed fixed;
  Answer &a = reply.answer;
  if (!read(from, &fixed, sizeof fixed) || !readText(from, a.text, fixed.textBytes))
    return false;
  a.files.clear();
  for (uint32_t i = 0; i < fixed.files; ++i) {
    FixedFile each;
    checkpoint::Manifest::File &file = a.files.emplace_back();
    if (!read(from, &each, sizeof each) || !readText(from, file.name, each.nameBytes))
      return false;
    file.bytes = each.bytes;
    file.digest = each.digest;
    file.isLinked = each.isLinked;
  }
  reply.wantsEnd = fixed.wantsEnd;
  reply.wantsCheckpoint = fixed.wantsCheckpoint;
  a.failed = fixed.failed;
  a.isStill = fixed.isStill;
  a.isOver = fixed.isOver;
  a.isEnd = fixed.isEnd;
  a.received = fixed.received;
  a.sent = fixed.sent;
  a.digest = fixed.digest;
  a.stopped = fixed.stopped;
  a.cost = fixed.cost;
  return true;
}

} // namespace sluice::member
