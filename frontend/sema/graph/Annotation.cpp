//===- Annotation.cpp - annotations and their keys ----------------------===//
//
// language.md 9.1. All annotations are checked. An annotation that this release does not
// implement is a warning if the program does the same without it, else an error.
//
//===----------------------------------------------------------------------===//
#include "frontend/diagnostics/Spelling.h"
#include "frontend/sema/graph/GraphChecks.h"
#include "frontend/sema/graph/GraphSema.h"

using namespace sluice;
using namespace sluice::sema;
using llvm::StringRef;

namespace {
struct Key {
  StringRef name;
  /// int, bool, string, float, any, or the words that may stand there.
  StringRef value;
  bool required = false;
  bool isPlanned = false; // what is not `false` has no effect yet
};
struct Known {
  StringRef name;
  bool onDefinition, onInvocation, repeatable;
  std::vector<Key> keys;
};
} // namespace

static const std::vector<Known> &knownAnnotations() {
  static const std::vector<Known> table = {
      {"parallel",
       false,
       true,
       false,
       {{"width", "int", true},
        {"partitionBy", "any"},
        {"broadcast", "any"},
        {"replicateHostTags", "any"}}},
      {"threading",
       true,
       true,
       false,
       {{"model", "manual automatic dynamic dedicated", true},
        {"threads", "int"},
        {"elastic", "bool"}}},
      {"consistent",
       false,
       true,
       false,
       {{"trigger", "periodic operatorDriven", true},
        {"period", "float"},
        {"drainTimeout", "float"},
        {"resetTimeout", "float"},
        {"maxConsecutiveResetAttempts", "int"}}},
      {"autonomous", false, true, false, {}},
      {"catch",
       false,
       true,
       false,
       {{"exception", "streams std all none", true},
        {"tupleTrace", "bool", false, true},
        {"stackTrace", "bool"}}},
      {"view",
       false,
       true,
       true,
       {{"name", "string", true},
        {"port", "any", true},
        {"sampleSize", "int", true},
        {"bufferSize", "int"},
        {"bufferTime", "float"},
        {"description", "string"},
        {"attributes", "any"},
        {"filter", "any"},
        {"activateOption", "automatic firstAccess"}}},
      {"eventTime",
       false,
       true,
       false,
       {{"eventTimeAttribute", "any", true},
        {"resolution", "Milliseconds Microseconds Nanoseconds"},
        {"minimumGap", "float"},
        {"lag", "float"}}},
      {"spl_note", true, true, true, {{"id", "string", true}, {"text", "string", true}}},
      {"spl_category", true, true, false, {{"name", "string", true}}},
      {"spl_tag", true, true, false, {{"name", "string", true}}}};
  return table;
}

/// Reports a literal that is not of the key's kind. Other expressions are not checked.
static bool fits(const ast::Expr *value, StringRef kind) {
  while (auto *unary = llvm::dyn_cast<ast::UnaryExpr>(value))
    value = unary->operand;
  using Kind = ast::ExprKind;
  Kind k = value->kind;
  bool literal = llvm::isa<ast::LiteralExpr>(value);
  if (kind == "any" || (!literal && llvm::is_contained({"int", "bool", "string", "float"}, kind)))
    return true;
  if (kind == "int")
    return k == Kind::Int || k == Kind::Hex;
  if (kind == "float")
    return k == Kind::Float;
  if (kind == "bool")
    return k == Kind::True || k == Kind::False;
  if (kind == "string")
    return k == Kind::String;
  llvm::SmallVector<StringRef> words;
  kind.split(words, ' ');
  const ast::NameExpr *name = plainName(value);
  return name && llvm::is_contained(words, name->name.text);
}

/// What is known of the annotation; null after the warning that it is unknown.
static const Known *known(Diagnostics &diags, const ast::Annotation &annotation) {
  StringRef name = annotation.name.text;
  for (const Known &entry : knownAnnotations())
    if (entry.name == name)
      return &entry;
  if (name.starts_with("spl__"))
    return nullptr;
  auto warning = diags.report(annotation.name.range, Diag::warn_unknown_annotation, name);
  NearNames near(name);
  for (const Known &entry : knownAnnotations())
    near.offer(entry.name);
  diags.noteNear(warning, annotation.name.range, near);
  return nullptr;
}

/// An unknown key, with the one that was meant or all that there are.
static void reportKey(Diagnostics &diags, const ast::Ident &key, const Known &entry) {
  auto error = diags.report(key.range, Diag::err_annotation_key, key.text, entry.name);
  std::vector<std::string> all;
  for (const Key &known : entry.keys) {
    all.push_back("`" + known.name.str() + "`");
    bool isPart = key.text.size() > 3 && known.name.contains_insensitive(key.text);
    if (isPart || isNear(key.text, known.name))
      return diags.note(error, key.range, Diag::note_did_you_mean, known.name);
  }
  if (!all.empty())
    diags.note(error, key.range, Diag::note_keys, llvm::join(all, ", "));
}

/// A value that is not of the key's kind, with what was meant by one in quotes, or without.
static void reportValue(Diagnostics &diags, const ast::Annotation::Entry &item, const Known &entry,
                        StringRef kind) {
  auto error =
      diags.report(item.value->range, Diag::err_annotation_value, item.key.text, entry.name, kind);
  StringRef text = diags.text(item.value->range), inner = text.trim("\"'");
  auto isDigit = [](char c) { return llvm::isDigit(c); };
  bool isNumber = !inner.empty() && llvm::all_of(inner, isDigit);
  std::string meant;
  if (kind == "string" && plainName(item.value))
    meant = "\"" + text.str() + "\"";
  else if (kind == "int" && isNumber)
    meant = inner.str();
  else if (kind == "float" && isNumber)
    meant = inner.str() + ".0";
  else if (inner != text &&
           llvm::is_contained(llvm::split(kind == "bool" ? "true false" : kind, ' '), inner))
    meant = inner.str();
  if (!meant.empty())
    diags.note(error, item.value->range, Diag::note_did_you_mean, item.key.text + " = " + meant);
}

static void checkKeys(Diagnostics &diags, const ast::Annotation &annotation, const Known &entry) {
  llvm::StringMap<Range> seen;
  bool anyUnknown = false;
  for (const ast::Annotation::Entry &item : annotation.entries) {
    auto key = llvm::find_if(entry.keys, [&](const Key &k) { return k.name == item.key.text; });
    anyUnknown |= key == entry.keys.end();
    auto [slot, isNew] = seen.try_emplace(item.key.text, item.key.range);
    if (!isNew)
      diags.report(item.key.range, Diag::err_annotation_key_twice, item.key.text);
    else if (key == entry.keys.end())
      reportKey(diags, item.key, entry);
    else if (!fits(item.value, key->value))
      reportValue(diags, item, entry, key->value);
    else if (key->isPlanned && item.value->kind != ast::ExprKind::False)
      diags.report(item.key.range, Diag::warn_no_effect_yet,
                   ("`" + key->name + "` of @" + entry.name).str());
  }
  for (const Key &key : entry.keys)
    if (key.required && !seen.contains(key.name) && !anyUnknown) // it may be the missing one
      diags.report(annotation.range, Diag::err_annotation_key_missing, key.name, entry.name);
}

const ast::Expr *sema::valueOf(const ast::Annotation &annotation, StringRef key) {
  for (const ast::Annotation::Entry &item : annotation.entries)
    if (item.key.text == key)
      return item.value;
  return nullptr;
}

static void notTwice(Diagnostics &diags, llvm::ArrayRef<ast::Annotation> annotations) {
  llvm::StringMap<Range> seen;
  for (const ast::Annotation &annotation : annotations) {
    auto entry = llvm::find_if(knownAnnotations(),
                               [&](const Known &k) { return k.name == annotation.name.text; });
    auto [slot, isNew] = seen.try_emplace(annotation.name.text, annotation.name.range);
    if (isNew || entry == knownAnnotations().end() || entry->repeatable)
      continue;
    auto error =
        diags.report(annotation.name.range, Diag::err_annotation_twice, annotation.name.text);
    diags.note(error, slot->second, Diag::note_previous_here);
  }
}

//===--- rules of single annotations ----------------------------------------===//

/// Whether this `@catch` catches exceptions: `exception = none` does not.
static bool catches(const ast::Annotation &annotation) {
  const ast::Expr *value = valueOf(annotation, "exception");
  const ast::NameExpr *kind = value ? plainName(value) : nullptr;
  return kind && kind->name.text != "none";
}

Annotations GraphSema::checkAnnotations(Instance &inst, const ast::Invocation &invocation,
                                        bool isComposite, bool isComplete,
                                        llvm::ArrayRef<PortView> ports) {
  Annotations result;
  result.isCatch = inst.isCatch;
  result.region = inst.region;
  result.threading = inst.threading;
  unsigned before = diags.errors();
  notTwice(diags, invocation.annotations);
  const ast::Annotation *parallel = nullptr, *eventTime = nullptr;
  for (const ast::Annotation &annotation : invocation.annotations) {
    const Known *entry = known(diags, annotation);
    if (!entry)
      continue;
    StringRef name = entry->name;
    if (name == "threading" && !isComposite) {
      diags.report(annotation.range, Diag::err_threading_primitive);
      continue;
    }
    checkKeys(diags, annotation, *entry);
    if (name == "catch") {
      result.isCatch = catches(annotation);
      if (result.isCatch && !isComposite && ports.empty())
        diags.report(annotation.range, Diag::err_catch_source);
    } else if (name == "parallel") {
      parallel = &annotation;
    } else if (name == "eventTime") {
      eventTime = &annotation;
      if (isComposite)
        diags.report(annotation.range, Diag::err_annotation_composite, name);
    } else if (name == "threading") {
      checkThreadingKeys(diags, annotation);
      result.threading = threadingOf(*this, inst, annotation);
      result.ownThreading = true;
    } else if (name == "consistent") {
      result.consistent = checkConsistent(*this, inst, annotation);
    } else if (name == "autonomous") {
      result.autonomous = annotation.range;
    } else if (name == "view") {
      diags.report(annotation.range, Diag::warn_no_effect_yet, "@" + name.str());
    }
  }
  if (result.consistent && result.autonomous)
    diags.report(*result.autonomous, Diag::err_consistent_autonomous);
  if (parallel && isComplete)
    checkParallel(*this, inst, invocation, *parallel, ports, result);
  if (eventTime && diags.errors() == before)
    result.eventTime = checkEventTime(*this, inst, *eventTime);
  result.valid = diags.errors() == before;
  return result;
}

void GraphSema::checkDefinitionAnnotations(const ast::Composite *def) {
  notTwice(diags, def->annotations);
  for (const ast::Annotation &annotation : def->annotations) {
    const Known *entry = known(diags, annotation);
    if (!entry)
      continue;
    if (!entry->onDefinition) {
      diags.report(annotation.range, Diag::err_annotation_place, entry->name);
      continue;
    }
    checkKeys(diags, annotation, *entry);
    if (entry->name == "threading")
      checkThreadingKeys(diags, annotation);
  }
}
