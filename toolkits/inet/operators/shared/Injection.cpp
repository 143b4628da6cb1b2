//===- Injection.cpp - tuples that clients post ---------------------------===//
#include "toolkits/inet/operators/shared/Injection.h"

namespace sluice::inet {

bool hasType(const Asked &asked, std::string_view type) {
  std::string_view given = asked.contentType;
  return given.starts_with(type) &&
         (given.size() == type.size() || given[type.size()] == ';' || given[type.size()] == ' ');
}

int32_t Injection::open() {
  if (inbox.open(ctx) || serving.open(*this))
    return 1;
  auto mostBytes = size_t(number("maxContentSize", most)) * 1000;
  for (uint32_t port = 0; port < desc->outputs; ++port) {
    auto reply = [this, port](const Asked &asked) { return answer(port, asked); };
    if (layOut(port) || serveMore(port) ||
        serving.serveInfo(*this, "output", port, *desc->outTypes[port]) ||
        serving.serve(*this, serving.pathOf("output", port, "inject"), mostBytes, reply))
      return 1;
  }
  return 0;
}

Reply Injection::answer(uint32_t port, const Asked &asked) {
  if (asked.method != "POST")
    return {405, "text/plain", "tuples come by POST\n", {{"Allow", "POST"}}};
  Reply reply = check(port, asked);
  if (reply.status == kTaken && !inbox.put({port, "", "", std::make_shared<Asked>(asked)}))
    return {503, "text/plain", "the program has no room for it now\n", {{"Retry-After", "1"}}};
  return reply;
}

int32_t Injection::submitLetter(const Letter &letter) {
  std::vector<uint64_t> bytes(desc->outTypes[letter.port]->size / 8 + 1);
  ArenaCheckpoint before = arenaCheckpoint(ctx->scratch);
  fill(letter.port, *letter.asked, reinterpret_cast<char *>(bytes.data()), *ctx->scratch);
  int32_t result = submit(letter.port, bytes.data());
  arenaRelease(ctx->scratch, before);
  return result ? result : sl_save_point(ctx);
}

int32_t Injection::process() {
  return inbox.submitAll(
      ctx, [this](const Letter &letter) { return submitLetter(letter); },
      [this] { serving.close(); });
}

int32_t Injection::close() {
  serving.close();
  return 0;
}

} // namespace sluice::inet
