//===- MemoryStream.cpp - a stream in shared memory -----------------------===//
#include "runtime/remote/carrier/MemoryStream.h"
#include "runtime/base/files.h"
#include "runtime/base/os.h"
#include "runtime/base/process.h"
#include <algorithm>
#include <bit>
#include <cerrno>
#include <cstring>
#include <poll.h>
#include <unistd.h>

namespace sluice::remote {

/// Pages have up to this size.
static constexpr size_t kPage = 65536;
/// Bytes of the ring to the sender, to which little comes; and of the other one at most.
static constexpr size_t kToSender = kPage, kMostToReceiver = size_t(1) << 30;

/// The start of the memory.
struct MemoryStream::Head {
  uint64_t nonce;      // that of the address
  uint64_t toReceiver; // bytes of the ring
  RingHead receiver;   // of the ring to the receiver
  RingHead sender;
};

namespace {

constexpr const char *kWithout = "; --transport=socket does without";

struct MemoryAddress {
  uint64_t nonce;
  int64_t process;
  int32_t file, receiver, sender; // descriptors: the memory, the bells of both ends
  int32_t zero;
};

std::string problem(const char *what, int error) {
  return std::string(what) + ": " + os::errorText(-error);
}

} // namespace

MemoryStream::Head &MemoryStream::Memory::common() const {
  return *reinterpret_cast<Head *>(head.data());
}

RingBytes MemoryStream::Memory::bytes(bool ofReceiver) const {
  return ofReceiver ? RingBytes{toReceiver.data(), capacity}
                    : RingBytes{toSender.data(), kToSender};
}

RingHead &MemoryStream::Memory::ring(bool ofReceiver) const {
  return ofReceiver ? common().receiver : common().sender;
}

/// `bytes`: of the ring to the receiver; 0: as the head says. 0, or a negative errno.
int MemoryStream::Memory::map(const Socket &file, size_t bytes) {
  if (int error = Mapping::map(file, 0, kPage, 1, head))
    return error;
  capacity = bytes ? bytes : common().toReceiver;
  if (!std::has_single_bit(capacity) || capacity < kPage || capacity > kMostToReceiver ||
      os::sizeOfFile(file.descriptor()) != int64_t(kPage + capacity + kToSender))
    return -EPROTO;
  if (int error = Mapping::map(file, kPage, capacity, 2, toReceiver))
    return error;
  return Mapping::map(file, kPage + capacity, kToSender, 2, toSender);
}

MemoryStream::MemoryStream(Socket file, Memory mapped, Bells bells, bool receives)
    : file(std::move(file)), memory(std::move(mapped)), bells(std::move(bells)),
      reader(memory.ring(receives), memory.bytes(receives)),
      writer(memory.ring(!receives), memory.bytes(!receives)) {}

std::unique_ptr<MemoryStream> MemoryStream::make(size_t bytes, std::string &error) {
  const size_t capacity = std::bit_ceil(std::clamp(bytes, kPage, kMostToReceiver));
  Socket file;
  Memory memory;
  Bells bells;
  int failed = makeMemory(kPage + capacity + kToSender, file);
  if (!failed)
    failed = memory.map(file, capacity);
  if (!failed)
    failed = makeBell(bells.own);
  if (!failed)
    failed = makeBell(bells.other);
  if (failed) {
    error =
        problem("cannot make memory for a stream between processes, and open it by /proc", failed) +
        kWithout;
    return nullptr;
  }
  memory.common().nonce = os::secretBits();
  memory.common().toReceiver = capacity;
  return std::unique_ptr<MemoryStream>(
      new MemoryStream(std::move(file), std::move(memory), std::move(bells), /*receives=*/true));
}

Bytes MemoryStream::address() const {
  MemoryAddress address = {memory.common().nonce,    getpid(),
                           file.descriptor(),        bells.own.descriptor(),
                           bells.other.descriptor(), 0};
  auto bytes = std::as_bytes(std::span(&address, 1));
  return {bytes.begin(), bytes.end()};
}

uint64_t MemoryStream::nonce() const { return memory.common().nonce; }

std::unique_ptr<MemoryStream> MemoryStream::open(std::span<const std::byte> given,
                                                 std::string &error) {
  MemoryAddress address;
  Socket file;
  Memory memory;
  Bells bells;
  int failed = given.size() == sizeof address ? 0 : -EPROTO;
  if (!failed) {
    memcpy(&address, given.data(), sizeof address);
    failed = openMemory(address.process, address.file, file);
  }
  if (!failed)
    failed = memory.map(file, 0);
  if (!failed && memory.common().nonce != address.nonce)
    failed = -EPROTO;
  if (!failed)
    failed = openBell(address.process, address.receiver, bells.other);
  if (!failed)
    failed = openBell(address.process, address.sender, bells.own);
  if (failed) {
    error = problem("cannot open its memory by /proc", failed) + kWithout;
    return nullptr;
  }
  file.close();
  return std::unique_ptr<MemoryStream>(
      new MemoryStream({}, std::move(memory), std::move(bells), /*receives=*/false));
}

short MemoryStream::events(bool) const { return POLLIN; }

size_t MemoryStream::write(std::span<const Piece> pieces) {
  bool wake = false;
  size_t written = writer.write(pieces, wake);
  if (wake)
    ring(bells.other);
  return written;
}

size_t MemoryStream::read(void *to, size_t bytes) {
  bool wake = false;
  size_t n = reader.read(to, bytes, wake);
  if (wake)
    ring(bells.other);
  return n;
}

bool MemoryStream::arm(bool reading, bool writing) {
  if (std::exchange(armed, true))
    silence(bells.own);
  return (!reading || reader.arm()) && (!writing || writer.arm());
}

} // namespace sluice::remote
