//===- Hello.cpp - what a process says when it connects to another --------===//
#include "runtime/remote/peer/Hello.h"
#include <cstring>

namespace sluice::remote {

static constexpr uint32_t kHelloMagic = 0x4f4c4853;  // "SHLO"
static constexpr uint32_t kAnswerMagic = 0x4f4e4153; // "SANO"
static constexpr uint32_t kVersion = 6;

namespace {

struct HelloHead {
  uint32_t magic, version;
  std::byte token[32];
  uint64_t program, values, domain;
  uint32_t link, pe;
  uint32_t addressBytes;
  Hello::Kind kind;
  Carrier carrier;
};
static_assert(sizeof(HelloHead) == kHelloHead);

struct AnswerHead {
  uint32_t magic, version;
  Reply reply;
  uint32_t bytes; // of the address, or of the refusal
};
static_assert(sizeof(AnswerHead) == kAnswerHead);

template <class Head> Head headOf(std::span<const std::byte> message) {
  Head head;
  memcpy(&head, message.data(), sizeof head);
  return head;
}

template <class Head> Bytes joined(const Head &head, std::span<const std::byte> rest) {
  Bytes message(sizeof head + rest.size());
  memcpy(message.data(), &head, sizeof head);
  if (!rest.empty())
    memcpy(message.data() + sizeof head, rest.data(), rest.size());
  return message;
}

std::optional<std::string> wrongStart(uint32_t magic, uint32_t expected, uint32_t version) {
  if (magic != expected)
    return "it does not speak the protocol of a PE";
  if (version != kVersion)
    return "it speaks version " + std::to_string(version) + " of the protocol, this is version " +
           std::to_string(kVersion) + "; run all PEs with one version of Sluice";
  return std::nullopt;
}

} // namespace

Bytes encode(const Hello &hello) {
  HelloHead head = {kHelloMagic,
                    kVersion,
                    {},
                    0,
                    0,
                    hello.domain,
                    hello.link,
                    hello.pe,
                    uint32_t(hello.address.size()),
                    hello.kind,
                    hello.carrier};
  memcpy(head.token, hello.identity.token.data(), sizeof head.token);
  head.program = hello.identity.program;
  head.values = hello.identity.values;
  return joined(head, hello.address);
}

Bytes encode(const Answer &answer) {
  std::string_view words = std::string_view(answer.refusal).substr(0, kLongestRefusal);
  std::span<const std::byte> rest = std::as_bytes(std::span(words));
  if (answer.reply != Reply::Refused)
    rest = answer.address;
  return joined(AnswerHead{kAnswerMagic, kVersion, answer.reply, uint32_t(rest.size())}, rest);
}

std::variant<size_t, std::string> helloRest(std::span<const std::byte, kHelloHead> bytes) {
  auto head = headOf<HelloHead>(bytes);
  if (auto wrong = wrongStart(head.magic, kHelloMagic, head.version))
    return *wrong;
  if (head.kind > Hello::Kind::End || uint16_t(head.carrier) >= kCarriers)
    return "its hello is of no kind that is known";
  if (head.addressBytes > kLongestAddress)
    return "its hello has an address of " + std::to_string(head.addressBytes) + " bytes";
  return size_t(head.addressBytes);
}

std::variant<size_t, std::string> answerRest(std::span<const std::byte, kAnswerHead> bytes) {
  auto head = headOf<AnswerHead>(bytes);
  if (auto wrong = wrongStart(head.magic, kAnswerMagic, head.version))
    return *wrong;
  bool refused = head.reply == Reply::Refused;
  if (head.reply > Reply::Anew || head.bytes > (refused ? kLongestRefusal : kLongestAddress))
    return "its answer has " + std::to_string(head.bytes) + " bytes";
  return size_t(head.bytes);
}

Hello decodeHello(std::span<const std::byte> message) {
  auto head = headOf<HelloHead>(message);
  Hello hello;
  memcpy(hello.identity.token.data(), head.token, sizeof head.token);
  hello.identity.program = head.program;
  hello.identity.values = head.values;
  hello.kind = head.kind;
  hello.carrier = head.carrier;
  hello.domain = head.domain;
  hello.link = head.link;
  hello.pe = head.pe;
  hello.address.assign(message.begin() + kHelloHead, message.end());
  return hello;
}

Answer decodeAnswer(std::span<const std::byte> message) {
  auto rest = message.subspan(kAnswerHead);
  Answer answer;
  answer.reply = headOf<AnswerHead>(message).reply;
  if (answer.reply != Reply::Refused)
    answer.address.assign(rest.begin(), rest.end());
  else
    answer.refusal.assign(reinterpret_cast<const char *>(rest.data()), rest.size());
  return answer;
}

std::optional<std::string> refuse(const Identity &own, const Identity &other) {
  unsigned different = 0;
  for (size_t i = 0; i < own.token.size(); ++i)
    different |= unsigned(own.token[i] ^ other.token[i]);
  if (different)
    return "it does not have the token of this job";
  if (own.program != other.program)
    return "it runs another program; start all PEs from the same executable";
  if (own.values != other.values)
    return "it has other submission-time values or options of the transport; start all PEs with "
           "the same ones";
  return std::nullopt;
}

} // namespace sluice::remote
