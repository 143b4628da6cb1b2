//===- Hello.h - what a process says when it connects to another ----------*- C++ -*-===//
//
// Pure: bytes from and to structs. Lengths are checked before anything is allocated.
//
//===----------------------------------------------------------------------===//
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

namespace sluice::remote {

using Bytes = std::vector<std::byte>;

/// What all processes of a job have in common.
struct Identity {
  std::array<std::byte, 32> token{}; // secret of the job
  uint64_t program = 0;              // hash of the program
  uint64_t values = 0;               // hash of its submission-time values and options of links
};

/// What carries the frames of a link.
enum class Carrier : uint16_t { Memory, Socket, Ucx };
constexpr uint16_t kCarriers = 3;

/// What a process says to another one.
struct Hello {
  enum class Kind : uint16_t {
    Sender,     // the sender of a link, to the process of the receiver
    Connection, // the same, before: it asks for what is to carry the frames
    Receiver,   // a receiver that was started again: the sender is to introduce itself
    End         // the job is to end (shutdownPE). It names no link
  };
  Identity identity;
  Kind kind = Kind::Sender;
  Carrier carrier = Carrier::Memory; // of the sender's frames
  uint32_t link = 0;
  uint32_t pe = 0;     // of who says it
  Bytes address;       // what the carrier needs of the sender
  uint64_t domain = 0; // of Carrier::Memory: os::memoryDomain()
};

enum class Reply : uint32_t {
  Refused,
  Accepted,
  Later, // ask again: what is there of a sender that has gone is not cleared away yet
  Ended, // the stream has: nothing more is taken, or sent
  Apart, // there is no such carrier between the two: it is to come with another one
  Anew   // what was to carry the frames is not there any more: it is to ask for that again
};

/// What the sender needs, or why it is refused.
struct Answer {
  Reply reply = Reply::Refused;
  Bytes address = {};       // if it is accepted
  std::string refusal = {}; // if it is refused
};

constexpr size_t kHelloHead = 80, kAnswerHead = 16;
constexpr size_t kLongestAddress = 16384, kLongestRefusal = 1024;

Bytes encode(const Hello &);
Bytes encode(const Answer &);

/// Of the first kHelloHead (kAnswerHead) bytes: how many bytes come behind them, or what is wrong.
std::variant<size_t, std::string> helloRest(std::span<const std::byte, kHelloHead> head);
std::variant<size_t, std::string> answerRest(std::span<const std::byte, kAnswerHead> head);
/// Of a whole message whose head was checked.
Hello decodeHello(std::span<const std::byte> message);
Answer decodeAnswer(std::span<const std::byte> message);

/// Why a process of job `own` refuses one of job `other`. Tokens are compared in constant time.
std::optional<std::string> refuse(const Identity &own, const Identity &other);

} // namespace sluice::remote
