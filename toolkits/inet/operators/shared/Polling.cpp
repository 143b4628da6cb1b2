//===- Polling.cpp - a text that is asked for again and again -------------===//
#include "toolkits/inet/operators/shared/Polling.h"
#include "toolkits/inet/native/Address.h"

namespace sluice::inet {

int32_t Polling::open() {
  Settings settings;
  if (settings.read(*this) || client.open(ctx, settings))
    return 1;
  const TypeDesc &type = *desc->outTypes[0];
  std::string name = text("contentAttribute", type.fields[0].name);
  to = fieldOf(type, name);
  if (!to)
    return sl_error(ctx, "contentAttribute: the output has no attribute %s", name.c_str());
  bool fits = isText(*to->type) || (content == Content::Xml && to->type->kind == Kind::Xml);
  if (!fits)
    return sl_error(ctx, "the attribute %s must be %s", name.c_str(),
                    content == Content::Xml ? "an xml, an rstring or a ustring"
                                            : "an rstring or a ustring");
  request.url = text("url", "");
  request.headers.push_back(std::string("Accept: ") + accepted);
  shown = shownUrl(request.url);
  failures = sl_make_metric(ctx, desc, "nFailedRequests", "requests that got no status 200",
                            MetricKind::Counter, 0);
  return 0;
}

int32_t Polling::fetch(bool &isThere) {
  Answer answer = client.run(ctx, request);
  if (answer.isStopped)
    return 0;
  std::string problem = answer.problem;
  if (problem.empty() && answer.status != 200)
    problem = "the server answers " + answer.statusLine;
  std::vector<uint64_t> tuple(desc->outTypes[0]->size / 8 + 1);
  ArenaCheckpoint before = arenaCheckpoint(ctx->scratch);
  Str value = strView(answer.body.data(), answer.body.size());
  if (problem.empty() && textValue(to->type, &value, *ctx->scratch))
    problem = "the answer is no XML document";
  int32_t result = 0;
  isThere = problem.empty();
  if (isThere) {
    memcpy(reinterpret_cast<char *>(tuple.data()) + to->offset, &value, sizeof value);
    result = submit(0, tuple.data());
  } else {
    failures->value.fetch_add(1, std::memory_order_relaxed); // no order between metrics
    warnings.warn(ctx, desc, shown + ": " + problem + "; it tries again");
  }
  arenaRelease(ctx->scratch, before);
  return result;
}

int32_t Polling::process() {
  auto most = int64_t(number("iterations", 0));
  if (sl_wait(ctx, number("initDelay", 0)))
    return 0;
  for (int64_t tuples = 0;;) {
    bool isThere = false;
    if (int32_t result = fetch(isThere))
      return result;
    if ((most && (tuples += isThere) >= most) || sl_wait(ctx, number("period", 5)))
      return 0;
  }
}

} // namespace sluice::inet
