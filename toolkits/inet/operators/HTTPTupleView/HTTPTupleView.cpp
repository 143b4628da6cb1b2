//===- HTTPTupleView.cpp - com.ibm.streamsx.inet.rest::HTTPTupleView ------===//
//
// The tuples of a window come when it fires, and a window marker behind them (Expand.cpp).
//
//===----------------------------------------------------------------------===//
#include "toolkits/inet/native/Attributes.h"
#include "toolkits/inet/native/Settings.h"
#include "toolkits/inet/operators/shared/Serving.h"
#include "toolkits/inet/server/Paths.h"
#include "toolkits/json/native/Writer.h"
#include <algorithm>
#include <map>
#include <memory>
#include <mutex>

namespace sluice::inet {
namespace {

/// The tuples of a window, with what they point to.
struct Shown {
  Shown() = default;
  Shown(const Shown &) = delete;
  ~Shown() { arenaFree(&arena); }
  Arena arena = {};
  std::vector<const void *> tuples;
};

using Key = std::vector<std::string>; // the texts of the attributes that partition the window

class HTTPTupleView : public ParamOp {
public:
  ~HTTPTupleView() { serving.close(); }
  // What is shown comes again when the window fires.
  Saves saves() const override { return Saves::Stateless; }
  int32_t open() override;
  int32_t tuple(uint32_t, const void *) override;
  int32_t punct(uint32_t, PunctuationKind) override;
  int32_t close() override;

private:
  int32_t layOut();
  Reply answer(const Asked &) const;
  std::vector<const Field *> columnsOf(const FormValues &) const;
  void write(TextOut &, const Shown &, const std::vector<const Field *> &) const;
  void writeValue(TextOut &, const Field &, const void *tuple) const;

  Serving serving;
  std::vector<const Field *> keyFields;
  std::vector<std::pair<std::string, std::string>> headers;
  std::unique_ptr<Shown> next = std::make_unique<Shown>(); // what the window has submitted so far
  mutable std::mutex lock;                                 // guards `shown`
  std::map<Key, std::unique_ptr<Shown>> shown;
};

int32_t HTTPTupleView::layOut() {
  for (std::string_view names : textsOf(*this, "partitionKey"))
    while (!names.empty()) {
      size_t end = names.find(',');
      std::string_view name = names.substr(0, end);
      names.remove_prefix(end == std::string_view::npos ? names.size() : end + 1);
      name.remove_prefix(std::min(name.find_first_not_of(' '), name.size()));
      name = name.substr(0, name.find_last_not_of(' ') + 1);
      if (const Field *field = fieldOf(*desc->inTypes[0], name))
        keyFields.push_back(field);
    }
  for (const std::string &header : textsOf(*this, "headers")) {
    size_t colon = header.find(':');
    if (!isHeader(header))
      return sl_error(ctx, "headers: a header is \"Name: value\", in one line");
    if (header.size() > Server::kMostHeader)
      return sl_error(ctx, "headers: a header has %zu bytes at most", Server::kMostHeader);
    size_t begin = std::min(header.find_first_not_of(' ', colon + 1), header.size());
    headers.emplace_back(header.substr(0, colon), header.substr(begin));
  }
  return 0;
}

int32_t HTTPTupleView::open() {
  auto reply = [this](const Asked &asked) { return answer(asked); };
  return layOut() || serving.open(*this) ||
         serving.serveInfo(*this, "input", 0, *desc->inTypes[0]) ||
         serving.serve(*this, serving.pathOf("input", 0, "tuples"), 0, reply);
}

int32_t HTTPTupleView::tuple(uint32_t, const void *tuple) {
  const TypeDesc *type = desc->inTypes[0];
  void *copy = arenaAlloc(&next->arena, type->size, 16);
  sl_copy_to(&next->arena, type, copy, tuple);
  next->tuples.push_back(copy);
  return 0;
}

int32_t HTTPTupleView::punct(uint32_t, PunctuationKind kind) {
  if (isFinal(kind))
    return 0;
  Key key;
  for (const Field *field : keyFields)
    if (!next->tuples.empty())
      key.push_back(textOf(*field, next->tuples.front()));
  auto now = std::exchange(next, std::make_unique<Shown>());
  if (key.size() < keyFields.size()) // a partition without tuples: nothing says which
    return 0;
  std::lock_guard guard(lock);
  shown[key] = std::move(now);
  return 0;
}

int32_t HTTPTupleView::close() {
  serving.close();
  return 0;
}

//===--- what clients see, by the thread of the server ------------------------===//

std::vector<const Field *> HTTPTupleView::columnsOf(const FormValues &query) const {
  const TypeDesc &type = *desc->inTypes[0];
  std::vector<const Field *> result;
  auto [from, to] = query.equal_range(std::string_view("attribute"));
  for (auto each = from; each != to; ++each)
    if (const Field *field = fieldOf(type, each->second))
      result.push_back(field);
  for (uint32_t i = 0; from == to && i < type.count; ++i)
    result.push_back(&type.fields[i]);
  std::erase_if(result, [&](const Field *field) {
    auto [first, end] = query.equal_range(std::string_view("suppress"));
    return std::any_of(first, end, [&](const auto &pair) { return pair.second == field->name; });
  });
  return result;
}

static bool isJson(const Field &field) {
  return std::string_view(field.name) == "jsonString" && field.type->kind == Kind::RString;
}

void HTTPTupleView::writeValue(TextOut &out, const Field &field, const void *tuple) const {
  const char *value = static_cast<const char *>(tuple) + field.offset;
  if (isJson(field))
    out.put(viewOf(*reinterpret_cast<const Str *>(value)));
  else
    json::Writer(ctx, out, json::Times::Seconds, {}).value(field.type, value);
}

void HTTPTupleView::write(TextOut &out, const Shown &window,
                          const std::vector<const Field *> &columns) const {
  bool isPure = desc->inTypes[0]->count == 1 && isJson(desc->inTypes[0]->fields[0]);
  for (const void *tuple : window.tuples) {
    if (out.size > 1)
      out.put(',');
    if (isPure) {
      writeValue(out, desc->inTypes[0]->fields[0], tuple);
      continue;
    }
    char before = '{';
    for (const Field *field : columns) {
      out.put(std::exchange(before, ','));
      json::Writer(ctx, out, json::Times::Seconds, {}).string(field->name);
      out.put(':');
      writeValue(out, *field, tuple);
    }
    out.put(columns.empty() ? "{}" : "}");
  }
}

Reply HTTPTupleView::answer(const Asked &asked) const {
  if (asked.method != "GET" && asked.method != "HEAD")
    return {405, "text/plain", "tuples are read by GET\n", {{"Allow", "GET"}}};
  FormValues query = formValues(asked.query);
  if (query.contains("callback"))
    return {400, "text/plain", "callback is not in this release\n"};
  Key wanted;
  auto [from, to] = query.equal_range(std::string_view("partition"));
  for (auto each = from; each != to; ++each)
    wanted.push_back(each->second);
  if (!wanted.empty() && wanted.size() != keyFields.size())
    return {400, "text/plain", "partition has a value for each attribute of partitionKey\n"};
  std::vector<const Field *> columns = columnsOf(query);
  TextOut out;
  out.put('[');
  {
    std::lock_guard guard(lock);
    for (const auto &[key, window] : shown)
      if (wanted.empty() || key == wanted)
        write(out, *window, columns);
  }
  out.put("]\n");
  return {200, "application/json", std::string(out.view()), headers};
}

RegisterNative registered("com.ibm.streamsx.inet.rest::HTTPTupleView",
                          [] { return static_cast<NativeOp *>(new HTTPTupleView); });

} // namespace
} // namespace sluice::inet
