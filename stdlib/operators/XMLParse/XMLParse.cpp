//===- XMLParse.cpp - spl.XML::XMLParse -----------------------------------===//
//
// The compiler gives the rules as values of the parameter `$rules` (PlanExpand.h). What it computes
// itself is behind this operator.
//
// After a document that is not well-formed all input is passed up to the next punctuation.
//
// A checkpoint has the bytes of the document that has begun: they are read again when the program
// goes on from there, and what comes of them is not submitted again.
//
//===----------------------------------------------------------------------===//
#include "sluice/leftout.h"
#include "sluice/metrics.h"
#include "stdlib/native/Params.h"
#include "stdlib/native/xml/Reader.h"
#include "stdlib/operators/XMLParse/Matcher.h"
#include <utility>

namespace sluice {
namespace {

class XMLParse : public ParamOp, public xml::Events {
public:
  int32_t open() override;
  int32_t tuple(uint32_t port, const void *) override;
  int32_t punct(uint32_t port, PunctuationKind) override;
  Saves saves() const override { return Saves::State; }
  void save(Saver &) override;
  int32_t restore(const Loader &) override;

private:
  /// An attribute of the input that goes to the output as it is.
  struct Copy {
    uint32_t from, to, size; // offsets
  };

  void begin(const char *name, const char *const *attributes) override {
    matcher->begin(name, attributes);
  }
  void text(std::string_view piece) override { matcher->text(piece); }
  bool end() override { return matcher->end(); }
  bool document() override;

  void addRules();
  void addCopy(const xml::Rule &);
  bool complete(uint32_t port);
  void badValue(uint32_t port, const xml::Slot &, std::string_view);
  int32_t broken();

  using ParamOp::text;

  std::unique_ptr<xml::Reader> reader;
  std::unique_ptr<xml::Matcher> matcher;
  const Field *source = nullptr;           // the attribute with the document
  std::vector<std::vector<Copy>> copies;   // by output port
  std::vector<std::vector<uint64_t>> rows; // the tuples, by output port
  std::vector<bool> isBad;                 // by output port: a value of its tuple is
  bool strict = true, isBroken = false, hasWarned = false;
  bool isCut = false; // a document without an end was warned of
  Metric *invalid = nullptr;
  const char *input = nullptr; // the tuple at hand
  int32_t result = 0;          // of the last submission
};

//===--- the start ----------------------------------------------------------===//

std::string_view stringIn(const void *tuple, const Field &field) {
  return viewOf(*reinterpret_cast<const Str *>(static_cast<const char *>(tuple) + field.offset));
}

uint32_t numberIn(const void *tuple, const Field &field) {
  return load<uint32_t>(static_cast<const char *>(tuple) + field.offset);
}

const Seq &listIn(const void *tuple, const Field &field) {
  return *reinterpret_cast<const Seq *>(static_cast<const char *>(tuple) + field.offset);
}

/// A value of `$rules`: {port, at, steps, take, name}.
xml::Rule ruleOf(const ParamValue &value) {
  const Field *f = value.type->fields;
  xml::Rule rule = {numberIn(value.value, f[0]),
                    {},
                    {},
                    xml::Take(numberIn(value.value, f[3])),
                    std::string(stringIn(value.value, f[4]))};
  const Seq &at = listIn(value.value, f[1]), &steps = listIn(value.value, f[2]);
  for (uint32_t i = 0; i < at.len; ++i)
    rule.at.push_back(load<uint32_t>(elementAt(f[1].type, &at, i)));
  for (uint32_t i = 0; i < steps.len; ++i)
    rule.steps.emplace_back(
        viewOf(*reinterpret_cast<const Str *>(elementAt(f[2].type, &steps, i))));
  return rule;
}

int32_t XMLParse::open() {
  if (reader) // it was restored
    return 0;
  if (!xml::Reader::isThere())
    return sl_error(ctx, "the operator needs libexpat.so.1, which this system does not have "
                         "(install Debian's package libexpat1)");
  std::vector<uint32_t> given = attributes("xmlInput");
  source = &desc->inTypes[0]->fields[given.empty() ? 0 : given[0]];
  bool isText = source->type->kind == Kind::UString || source->type->kind == Kind::Xml;
  reader = std::make_unique<xml::Reader>(*this, isText);
  if (sl_makes_checkpoints(ctx))
    reader->keep();
  strict = text("parsing", "strict") == "strict";
  invalid = sl_make_metric(ctx, desc, "nInvalidTuples",
                           "tuples that were left out, as a value could not be converted",
                           MetricKind::Counter, 0);
  addRules();
  return 0;
}

void XMLParse::addRules() {
  std::span<const TypeDesc *const> types(desc->outTypes, desc->outputs);
  xml::Matcher::Options options = {flag("ignorecase", false), flag("ignoreNamespaces", false),
                                   flag("nullify", false)};
  matcher = std::make_unique<xml::Matcher>(types, options);
  matcher->complete = [this](uint32_t port) { return complete(port); };
  matcher->bad = [this](uint32_t port, const xml::Slot &slot, std::string_view value) {
    badValue(port, slot, value);
  };
  copies.resize(types.size());
  isBad.resize(types.size());
  for (const TypeDesc *type : types)
    rows.emplace_back(type->size / 8 + 1);
  const Param *rules = param("$rules");
  for (size_t i = 0; rules && i < rules->values.size(); ++i) {
    xml::Rule rule = ruleOf(rules->values[i]);
    if (rule.take == xml::Take::Input)
      addCopy(rule);
    else
      matcher->add(rule);
  }
}

void XMLParse::addCopy(const xml::Rule &rule) {
  const TypeDesc *type = desc->inTypes[0];
  const Field &to = desc->outTypes[rule.port]->fields[rule.at[0]];
  for (uint32_t i = 0; i < type->count; ++i)
    if (rule.name == type->fields[i].name)
      copies[rule.port].push_back({type->fields[i].offset, to.offset, to.type->size});
}

//===--- documents ----------------------------------------------------------===//

int32_t XMLParse::tuple(uint32_t, const void *tuple) {
  input = static_cast<const char *>(tuple);
  result = 0;
  if (isBroken || reader->read(stringIn(tuple, *source)))
    return 0;
  isBroken = true;
  return reader->problem().empty() ? result : broken();
}

bool XMLParse::complete(uint32_t port) {
  if (reader->isAgain()) {
    isBad[port] = false;
    return true;
  }
  if (isBad[port]) {
    isBad[port] = false;
    invalid->value.fetch_add(1, std::memory_order_relaxed);
    sl_leaves_out(ctx, desc, LeftOut::Invalid, 1);
    return true;
  }
  std::vector<uint64_t> &row = rows[port];
  std::fill(row.begin(), row.end(), 0);
  auto *bytes = reinterpret_cast<char *>(row.data());
  matcher->put(port, bytes);
  for (const Copy &copy : copies[port])
    memcpy(bytes + copy.to, input + copy.from, copy.size);
  result = submit(port, bytes);
  return !result;
}

void XMLParse::badValue(uint32_t port, const xml::Slot &slot, std::string_view value) {
  isBad[port] = !strict;
  if (hasWarned)
    return;
  hasWarned = true;
  TextOut quoted;
  printQuoted(quoted, value.substr(0, 60));
  sl_warn(ctx, desc, "`%s` cannot be made of %.*s%s: %s", slot.name.c_str(), int(quoted.size),
          quoted.data, value.size() > 60 ? "..." : "",
          strict ? "it keeps its default value (further ones are not told)"
                 : "the tuple is left out (nInvalidTuples counts them)");
}

bool XMLParse::document() {
  matcher->reset();
  for (uint32_t port = 0; port < desc->outputs && !result; ++port)
    result = submitPunct(port, PunctuationKind::Window);
  return !result;
}

int32_t XMLParse::broken() {
  if (strict)
    return sl_error(ctx, "the document is not well-formed XML: %s", reader->problem().c_str());
  sl_warn(ctx, desc,
          "the document is not well-formed XML: %s; all is passed up to the next window marker",
          reader->problem().c_str());
  if (reader->isInside())
    document();
  return result;
}

/// A document that has begun is over.
int32_t XMLParse::punct(uint32_t, PunctuationKind kind) {
  bool isInside = reader->isInside();
  if (isInside && !isBroken && !std::exchange(isCut, true))
    sl_warn(ctx, desc,
            isFinal(kind) ? "the last document has no end"
                          : "a document has no end before the window marker, which begins anew");
  reader->reset();
  isBroken = false;
  result = 0;
  if (isInside)
    document();
  return result;
}

//===--- checkpoints ----------------------------------------------------------===//

void XMLParse::save(Saver &saver) {
  reader->save(saver);
  saver.number("isBroken", isBroken);
  saver.number("hasWarned", hasWarned);
  saver.number("isCut", isCut);
}

int32_t XMLParse::restore(const Loader &loader) {
  auto saved = [&](const char *name) { return loader.number(name).value_or(0) != 0; };
  if (open())
    return 1;
  isBroken = saved("isBroken");
  isCut = saved("isCut");
  hasWarned = true; // of what is read again
  reader->restore(loader);
  hasWarned = saved("hasWarned");
  return 0;
}

RegisterNative registered("spl.XML::XMLParse",
                          [] { return static_cast<NativeOp *>(new XMLParse); });

} // namespace
} // namespace sluice
