//===- Documents.cpp - texts that are read once and asked often -----------===//
//
// parseJSON() keeps what it has read, for each operator and each JsonIndex, and queryJSON() asks
// that. It is not saved with checkpoints.
//
//===----------------------------------------------------------------------===//
#include "simdjson/singleheader/simdjson.h"
#include "sluice/metrics.h"
#include "stdlib/native/Library.h"
#include "toolkits/json/native/Query.h"
#include "toolkits/json/native/Syntax.h"
#include "value/Text.h"
#include <map>
#include <memory>
#include <mutex>

using namespace sluice;
using namespace sluice::json;

namespace {
struct Document {
  simdjson::dom::parser parser;
  std::vector<char> padded;                   // the text; simdjson reads some bytes beyond it
  std::optional<simdjson::dom::element> root; // of the last text, if that is JSON
  bool isRead = false;                        // some text was
};

/// The operator that asks, and the name of the index.
using Key = std::pair<const OperatorDesc *, std::string>;
} // namespace

/// One operator uses a document at a time: it may not call from two threads at once.
static Document &documentOf(Ctx *ctx, Type index, const void *value) {
  static std::mutex mutex; // of `all`
  static std::map<Key, std::unique_ptr<Document>> all;
  std::string_view name = index->names[load<uint32_t>(value)];
  const OperatorDesc *op = ctx->program ? sl_running(ctx) : nullptr;
  static thread_local std::pair<Key, Document *> last;
  if (last.second && last.first.first == op && last.first.second == name)
    return *last.second;
  Key key(op, name);
  std::lock_guard lock(mutex);
  std::unique_ptr<Document> &document = all[key];
  if (!document)
    document = std::make_unique<Document>();
  last = {key, document.get()};
  return *document;
}

static Fault parse(Document &document, std::string_view text) {
  document.isRead = true;
  document.root.reset();
  size_t room = text.size() + simdjson::SIMDJSON_PADDING;
  if (document.padded.size() < room)
    document.padded.resize(2 * room);
  if (document.parser.max_depth() != kDepth && document.parser.allocate(room, kDepth))
    return {ParseStatus::SyntaxError, 0};
  if (!text.empty())
    memcpy(document.padded.data(), text.data(), text.size());
  simdjson::dom::element root;
  auto error = document.parser.parse(document.padded.data(), text.size(), false).get(root);
  // simdjson takes half of a surrogate pair.
  if (!error && text.find("\\u") == text.npos) {
    document.root = root;
    return {};
  }
  Fault fault = findFault(text);
  if (fault.status == ParseStatus::Parsed && error)
    fault.status =
        error == simdjson::NUMBER_ERROR ? ParseStatus::NumberTooBig : ParseStatus::SyntaxError;
  if (fault.status == ParseStatus::Parsed)
    document.root = root;
  return fault;
}

SL(parseJSON, rg)(Ctx *ctx, Type index, uint32_t *result, const Str *text, const void *value) {
  *result = uint32_t(parse(documentOf(ctx, index, value), viewOf(*text)).status);
  return 0;
}

SL(parseJSON, rUjg)(Ctx *ctx, Type index, uint8_t *result, const Str *text, uint32_t *status,
                    uint32_t *offset, const void *value) {
  Fault fault = parse(documentOf(ctx, index, value), viewOf(*text));
  *status = uint32_t(fault.status);
  *offset = uint32_t(fault.offset);
  *result = fault.status == ParseStatus::Parsed;
  return 0;
}

SL(getParseError, U)(Ctx *ctx, Str *result, uint32_t status) {
  std::string_view text = textOf(ParseStatus(status));
  *result = keepText(ctx, text.data(), text.size());
  return 0;
}

SL(queryJSON, rgUg)(Ctx *ctx, Type type, Type index, void *result, const Str *path,
                    const void *otherwise, uint32_t *status, const void *value) {
  Document &document = documentOf(ctx, index, value);
  if (!document.isRead)
    return sl_error(ctx, "queryJSON() has nothing to ask: parseJSON() has to read a text before");
  memset(result, 0, type->size);
  QueryResult found = {QueryStatus::NotFound, false};
  if (document.root)
    found = query(*document.root, viewOf(*path), type, *ctx->scratch, result);
  if (!found.hasValue)
    memcpy(result, otherwise, type->size);
  *status = uint32_t(found.status);
  return 0;
}

SL(queryJSON, rgg)(Ctx *ctx, Type type, Type index, void *result, const Str *path,
                   const void *otherwise, const void *value) {
  uint32_t status;
  return sl_queryJSON_rgUg(ctx, type, index, result, path, otherwise, &status, value);
}
