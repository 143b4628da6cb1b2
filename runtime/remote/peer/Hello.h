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

/// The sender of a link says this to the process of the receiver.
struct Hello {
  Identity identity;
  uint32_t link = 0;
  uint32_t pe = 0; // the sender's
  Bytes address;   // of the sender's UCX worker
};

/// The receiver's UCX worker, or why the sender is refused.
struct Answer {
  bool accepted = false;
  Bytes address;       // if it is accepted
  std::string refusal; // if not
};

constexpr size_t kHelloHead = 72, kAnswerHead = 16;
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
