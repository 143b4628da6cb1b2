//===- Foreign.cpp - what an unknown name may mean --------------------------===//
//
// Names of other languages and what SPL has instead, and names that are spelt nearly so.
//
// Hints behind errors about unknown names. Words that are syntax errors are in
// syntax/antlr/ForeignWords.cpp.
//
//===----------------------------------------------------------------------===//
#include "frontend/sema/expr/Checker.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"

using namespace sluice;
using namespace sluice::sema;
using llvm::StringRef;
using Words = llvm::StringSwitch<StringRef>;

StringRef sema::foreignFunction(StringRef name) {
  return Words(name)
      .Cases({"format", "toFixed", "number_format"},
             "`formatNumber(x, 1u, 2u, false)` for two digits behind the point")
      .Cases({"printf", "Printf", "sprintf", "String.format"},
             "`printStringLn(\"x is \" + (rstring) x)`")
      .Cases({"puts", "echo", "log_info", "Println", "writeln", "log"}, "`println(value)`")
      .Cases({"emit", "collect", "send", "publish", "output"}, "`submit(tuple, Port)`")
      .Cases({"len", "count", "sizeof"}, "`length(text)` and `size(collection)`")
      .Cases({"not"}, "`!`")
      .Cases({"isPresent", "hasValue", "has_value", "isNull", "isSome"},
             "`x??`, whether an optional has a value")
      .Cases({"str", "to_string", "toString", "String", "string"}, "a cast: `(rstring) value`")
      .Cases({"int", "toInt", "parseInt", "Integer", "atoi"}, "a cast: `(int32) value`")
      .Cases({"float", "double", "toFloat", "parseFloat", "atof"}, "a cast: `(float64) value`")
      .Cases({"erase", "unset", "removeKey", "pop"},
             "`removeM(list, index)` or `removeM(map, key)`")
      .Cases({"regexp_extract", "regexp_matches", "regex_search", "preg_match", "re_match"},
             "`regexMatch(text, pattern)`, a list of the match and its groups")
      .Cases({"regexp_replace", "regex_replace", "preg_replace", "gsub", "sub"},
             "`regexReplace(text, pattern, replacement, global)`")
      .Cases({"diffInSeconds", "datediff", "DATEDIFF", "timediff", "timestampdiff"},
             "`diffAsSecs(later, earlier)`")
      .Cases({"parseDate", "to_timestamp", "to_date", "parseTimestamp"},
             "`toTimestamp(Sys.YYYY_MM_DD_hh_mm_ss, \"2024-02-29 12:13:14\")`, or "
             "`sluice.time::parseIso8601(\"2024-02-29T12:13:14Z\")`")
      .Cases({"date_format", "strfmt", "formatDate", "to_char"},
             "`sluice.time::formatTime(time, format, zone)`")
      .Cases({"coalesce", "COALESCE", "ifnull", "IFNULL", "nvl"}, "`value ?: otherwise`")
      .Cases({"iff", "IIF", "ifelse"}, "`condition ? value : otherwise`")
      .Cases({"append", "push", "push_back", "add", "emplace_back"}, "`appendM(list, value)`")
      .Cases({"substr", "slice", "mid"}, "`substring(text, start, length)` or `text[low:high]`")
      .Cases({"indexOf", "index", "find", "strpos", "instr"}, "`findFirst(text, part)`")
      .Cases({"contains", "includes"}, "`item in collection`, or `findFirst(text, part) >= 0`")
      .Cases({"split", "explode"}, "`tokenize(text, delimiters, keepEmpty)`")
      .Cases({"now", "time", "today", "current_timestamp", "getTime"}, "`getTimestamp()`")
      .Cases({"rand", "randint"}, "`random()`")
      .Cases({"strip", "chomp"}, "`trim(text, \" \")`")
      .Cases({"toUpper", "toUpperCase", "ucase"}, "`upper(text)`")
      .Cases({"toLower", "toLowerCase", "lcase"}, "`lower(text)`")
      .Cases({"exit", "quit", "shutdown", "stop", "terminate"},
             "`shutdownPE()` to end the program, and `abort()` to make it fail at once")
      .Cases({"sleep", "usleep", "msleep", "delay", "wait"}, "`block(seconds)`")
      .Cases({"panic", "die", "fail", "error"}, "`abort()`, or `assert(condition, \"message\")`")
      .Default("");
}

StringRef sema::foreignArguments(StringRef name, Type result, llvm::ArrayRef<std::string> types) {
  auto isText = [](StringRef type) { return type.starts_with("rstring"); };
  bool isTime = result->kind == SplType::Timestamp;
  if (isTime && llvm::any_of(types, isText))
    return "`toTimestamp(Sys.YYYY_MM_DD_hh_mm_ss, text)` for texts like 2024-02-29 12:13:14, and "
           "`timeStringToTimestamp(date, time, false)` for texts like 29-FEB-2024 and 12:13:14.0";
  if (isTime && types.size() == 1)
    return "`createTimestamp(seconds, nanoseconds)`, or `(timestamp) seconds` of a float64";
  if (name == "round" && types.size() == 2)
    return "`round(x * 100.0) / 100.0` for two digits behind the point";
  return "";
}

StringRef sema::foreignName(StringRef name, StringRef ns) {
  if (ns == "std" || name == "cout" || name == "cerr")
    return "`println(value)`, one for each line";
  return Words(name)
      .Cases({"stdin"}, "the file `\"/dev/stdin\"`")
      .Cases({"stdout"}, "the file `\"/dev/stdout\"`")
      .Cases({"stderr"}, "the file `\"/dev/stderr\"`")
      .Cases({"True", "TRUE", "yes"}, "`true`")
      .Cases({"False", "FALSE", "no"}, "`false`")
      .Cases({"desc", "DESC"}, "`order : descending`")
      .Cases({"asc", "ASC"}, "`order : ascending`")
      .Cases({"this", "self", "it"}, "the name of the input stream for its current tuple")
      .Cases({"None", "NULL", "Null", "none", "nil", "nullptr", "undefined"},
             "`null`, which only an `optional` type has")
      .Cases({"latin1", "Latin1", "LATIN1", "latin", "ISO"},
             "the name of an encoding as a text: `\"ISO-8859-1\"`")
      .Cases({"utf8", "UTF8", "utf", "UTF"}, "the name of an encoding as a text: `\"UTF-8\"`")
      .Cases({"ascii", "ASCII", "US"}, "the name of an encoding as a text: `\"US-ASCII\"`")
      .Default("");
}

StringRef sema::foreignOutputFunction(StringRef name) {
  return Words(name.lower())
      .Cases({"avg", "mean", "average"}, "`Average(value)`")
      .Cases({"sum", "total"}, "`Sum(value)`")
      .Cases({"min", "minimum"}, "`Min(value)`")
      .Cases({"max", "maximum"}, "`Max(value)`")
      .Cases({"count", "rowcount"}, "`Count()`")
      .Cases({"stddev", "stdev", "std", "stddev_samp"}, "`SampleStdDev(value)`")
      .Cases({"stddev_pop"}, "`PopulationStdDev(value)`")
      .Cases({"first", "first_value"}, "`First(value)`")
      .Cases({"last", "last_value"}, "`Last(value)`")
      .Cases({"collect", "collect_list", "array_agg"}, "`Collect(value)`")
      .Cases({"median", "percentile", "quantile", "approx_quantile", "percentile_cont"},
             "`Collect(value)`; a `Functor` behind it has `median(list)` and `kthelem(list, k)`")
      .Cases({"mode"}, "`CollectDistinct(value)` and `CountByDistinct(value)`")
      .Cases({"countdistinct", "distinct", "distinctcount"}, "`CountDistinct(value)`")
      .Default("");
}

StringRef sema::foreignOperator(StringRef name) {
  if (name.starts_with("Kafka") || name.starts_with("MQTT") || name.starts_with("JMS") ||
      name.starts_with("JDBC") || name.starts_with("HTTP") || name.starts_with("HDFS"))
    return "no such connector yet: data comes and goes by `FileSource` and `FileSink`";
  return Words(name)
      .Cases({"Map", "Select", "Project", "Transform", "MapTuple"}, "`Functor`")
      .Cases({"FlatMap", "ForEach", "Foreach", "Process"}, "`Custom`, with `submit` in `onTuple`")
      .Cases({"Print", "Sink", "Console", "Log", "Output"}, "`Custom`, with `println` in `onTuple`")
      .Cases({"GroupBy", "Reduce", "Window"}, "`Aggregate`")
      .Cases({"Where", "filter", "FilterBy"}, "`Filter`")
      .Cases({"Merge", "UnionAll", "Concat"}, "`Union`, or several streams on one port: `(A, B)`")
      .Cases({"Distinct", "Dedup", "Deduplicate", "Unique"}, "`DeDuplicate`")
      .Cases({"OrderBy", "SortBy"}, "`Sort`")
      .Cases({"Source", "Generator", "Generate", "Timer"}, "`Beacon`")
      .Cases({"CSVSource", "CsvSource", "ReadFile", "TextFile"}, "`FileSource`")
      .Cases({"CSVSink", "CsvSink", "WriteFile"}, "`FileSink`")
      .Default("");
}

StringRef sema::foreignParam(StringRef name, llvm::function_ref<bool(StringRef)> has) {
  static const std::pair<StringRef, StringRef> words[] = {
      {"delimiter", "separator"},
      {"delim", "separator"},
      {"sep", "separator"},
      {"where", "filter"},
      {"condition", "filter"},
      {"predicate", "filter"},
      {"path", "file"},
      {"filename", "file"},
      {"files", "file"},
      {"count", "iterations"},
      {"limit", "iterations"},
      {"times", "iterations"},
      {"interval", "period"},
      {"delay", "initDelay"},
      {"header", "hasHeaderLine"},
      {"orderBy", "sortBy"},
      {"by", "sortBy"},
      {"headers", "hasHeaderLine"},
      {"keys", "key"},
      {"on", "match"},
      {"hasHeader", "hasHeaderLine"},
      {"condition", "match"},
      {"type", "format"},
      {"compress", "compression"},
  };
  for (auto [foreign, ours] : words)
    if (name.equals_insensitive(foreign) && has(ours))
      return ours;
  return "";
}

//===--- near names -------------------------------------------------------===//

NearNames sema::nearAttributes(Type tuple, llvm::StringRef name) {
  NearNames near(name);
  for (const SplType::Attribute &attribute : tuple->attributes)
    near.offer(attribute.first);
  return near;
}

/// `Sys.YYYY-MM-DD_hh_mm_ss` and `my-name`: true after the report that a name with `_` is meant.
bool Checker::isDashedName(const ast::BinaryExpr *e) {
  std::string written = sema.diags.text(e->range).str(), meant = written;
  if (written.find_first_of(" \t\n()[]{}\"'+*/") != written.npos)
    return false;
  llvm::replace(meant, '-', '_');
  auto isKnown = [&](StringRef name) {
    auto [base, member] = name.split('.');
    return member.empty()
               ? lookup(base) != nullptr
               : !lookup(base) &&
                     sema.modules->findEnumMember(scope.file(), base, member).has_value();
  };
  if (!isKnown(meant) || isKnown(StringRef(written).split('-').first))
    return false;
  auto d = sema.diags.report(e->range, Diag::err_unknown_name, written);
  sema.diags.note(d, e->range, Diag::note_did_you_mean, meant);
  return true;
}

bool Checker::isReported(const ast::NameExpr &e, StringRef instead) {
  std::string ns = e.path.str();
  bool isForeign = !ns.empty() && !instead.empty(); // `std::cout`
  if (!isForeign && sema.modules->isExplained(e.range, scope.file(), ns, e.name.text))
    return true;
  bool isOld = sema.impl->isOldNews(e.name.text, e.range);
  if (isOld)
    sema.diags.withhold();
  return isOld;
}

bool Checker::anyCurrentTuple(const ast::NameExpr &e, llvm::function_ref<bool(Type)> is) {
  for (Scope *s = e.path.parts.empty() ? &scope : nullptr; s; s = s->parent)
    for (auto &value : s->values)
      if (value.second.kind == Entity::PortTuple && is(value.second.type))
        return true;
  return false;
}

bool Checker::isMisspeltAttribute(const ast::NameExpr &e) {
  bool isKnown =
      anyCurrentTuple(e, [&](Type tuple) { return sema.isMisspelt(tuple, e.name.text); });
  if (isKnown)
    sema.diags.withhold();
  return isKnown;
}

bool Checker::noteElsewhere(mlir::InFlightDiagnostic &d, const ast::NameExpr &e,
                            llvm::StringRef instead) {
  if (instead.empty())
    return sema.modules->noteUnreadable(d, scope.file(), e.path.str(), e.name.text);
  sema.diags.note(d, e.name.range, Diag::note_foreign, instead);
  return true;
}

bool Checker::noteNamespaces(mlir::InFlightDiagnostic &d, Range range, llvm::StringRef name,
                             llvm::function_ref<bool(llvm::StringRef ns)> isThere) {
  std::vector<std::string> others = sema.modules->elsewhere(name);
  llvm::erase_if(others, [&](llvm::StringRef other) { return !isThere(other.rsplit("::").first); });
  sema.modules->noteElsewhere(d, range, scope.file(), others);
  return !others.empty();
}

/// Whether the name is that of an enumeration, whose members stand behind a dot.
bool Checker::isEnumeration(StringRef ns, StringRef name) {
  for (Scope *s = ns.empty() ? &scope : nullptr; s; s = s->parent) {
    if (auto alias = s->aliases.find(name); alias != s->aliases.end())
      return alias->second->type->kind == ast::TypeKind::Enum;
    if (Type type = s->types.lookup(name))
      return type->kind == SplType::Enum;
  }
  auto def = sema.modules->findType(scope.file(), ns, "", name);
  return def && def->alias->type->kind == ast::TypeKind::Enum;
}

/// A misspelt stream of the graph that this operator does not read. False if there is none.
bool Checker::noteNearStream(mlir::InFlightDiagnostic &d, const ast::NameExpr &e) {
  NearNames near(e.name.text);
  if (e.path.parts.empty())
    scope.offerTypes(near);
  std::vector<std::string> best = near.best();
  auto stream = llvm::find_if(best, [&](const std::string &name) { return scope.isStream(name); });
  if (stream == best.end())
    return false;
  std::string inputs = inputNames(/*current=*/false);
  sema.diags.note(d, e.range, Diag::note_no_input, *stream, inputs.empty() ? "none" : inputs);
  return true;
}

bool Checker::noteNearNames(mlir::InFlightDiagnostic &d, const ast::NameExpr &e, bool asBase) {
  NearNames near(e.name.text);
  std::string ns = e.path.str();
  if (ns.empty()) {
    // Of an output port `submit` knows.
    scope.offerValues(near, [](const Entity &entity) { return entity.kind != Entity::OutPort; });
    near.offerAll(std::initializer_list<llvm::StringRef>{"true", "false"});
    sema.modules->offerEnumMembers(near, scope.file());
    for (const std::string &marker : types.markers()->members)
      near.offer(marker, "Sys." + marker);
  }
  if (asBase) {
    NearNames types(e.name.text);
    if (ns.empty())
      scope.offerTypes(types);
    sema.modules->offer(types, scope.file(), ns, Modules::Kind::Type);
    for (const std::string &type : types.best())
      if (isEnumeration(ns, type))
        near.offer(type);
  }
  return sema.diags.noteNear(d, e.name.range, near);
}

/// The input ports of this operator; with `current`, those whose tuple is here.
std::string Checker::inputNames(bool current) {
  std::set<std::string> names;
  for (Scope *s = &scope; s; s = s->parent)
    for (auto &value : s->values)
      if (value.second.kind == Entity::PortTuple ||
          (!current && value.second.kind == Entity::InPort))
        names.insert("`" + value.first().str() + "`");
  return llvm::join(names, ", ");
}

/// An attribute of several input ports, or a member of several enumerations.
std::nullptr_t Checker::ambiguousName(const ast::NameExpr &e) {
  StringRef name = e.name.text;
  auto d = sema.diags.report(e.range, Diag::err_ambiguous_name, name);
  std::map<unsigned, std::string> ports;
  for (Scope *s = &scope; s; s = s->parent)
    for (auto &value : s->values)
      if (const Entity &entity = value.second;
          entity.kind == Entity::PortTuple && entity.type->attribute(name))
        ports.try_emplace(entity.port, (value.first() + "." + name).str());
  for (auto &[port, qualified] : ports)
    sema.diags.note(d, e.range, Diag::note_did_you_mean, qualified);
  return nullptr;
}

/// In onPunct, the first use of a tuple is reported. True after that.
bool Checker::isMissedAgain() {
  const Place &place = scope.where();
  bool isAgain = place.inOnPunct && !sema.impl->tupleMissed.insert(&place).second;
  if (isAgain)
    sema.diags.withhold();
  return isAgain;
}

/// The first input port without a current tuple whose type has the attribute; empty if none has.
StringRef Checker::portWithAttribute(StringRef name) {
  StringRef label;
  unsigned best = 0;
  for (Scope *s = &scope; s; s = s->parent)
    for (auto &value : s->values) {
      StringRef text = value.first();
      const Entity &entity = value.second;
      bool hasIt = entity.kind == Entity::InPort && entity.type->attribute(name);
      if (!hasIt || (!label.empty() && std::tie(best, label) <= std::tie(entity.port, text)))
        continue;
      best = entity.port;
      label = text;
    }
  return label;
}

/// True after the report that there is no tuple in onPunct whose attribute the name could be.
bool Checker::isAttributeInPunct(const ast::NameExpr &e) {
  StringRef name = e.name.text;
  bool isCandidate = scope.where().inOnPunct && e.path.parts.empty();
  StringRef port = isCandidate ? portWithAttribute(name) : "";
  if (port.empty())
    return false;
  if (isMissedAgain())
    return true;
  auto d = sema.diags.report(e.range, Diag::err_unknown_name, name);
  sema.diags.note(d, e.range, Diag::note_punct_has_no_tuple, name, port);
  sema.diags.note(d, e.range, Diag::note_keep_in_state);
  return true;
}

std::nullptr_t Checker::noCurrentTuple(const ast::NameExpr &e) {
  if (isMissedAgain())
    return nullptr;
  auto d = sema.diags.report(e.range, Diag::err_no_current_tuple, e.name.text);
  std::string current = inputNames(/*current=*/true);
  if (scope.where().kind == Place::Logic)
    sema.diags.note(d, e.range, Diag::note_keep_in_state);
  else if (!current.empty())
    sema.diags.note(d, e.range, Diag::note_current_tuple, current);
  return nullptr;
}

/// A stream that this operator reads with a dot and has not, whose type has the attribute.
const AbsentStream *Checker::absentWith(StringRef attribute) {
  return scope.findAbsent([&](const AbsentStream &stream) {
    return stream.type->attribute(attribute) && !lookup(stream.use->name.text);
  });
}

/// A stream of the graph that this operator does not read.
std::nullptr_t Checker::noInput(const ast::NameExpr &e) {
  auto *absent = scope.findAbsent(
      [&](const AbsentStream &stream) { return stream.use->name.text == e.name.text; });
  if (absent && std::exchange(absent->isReported, true)) {
    sema.diags.withhold();
    return nullptr;
  }
  auto d = sema.diags.report(e.range, Diag::err_stream_value, e.name.text);
  if (std::string inputs = inputNames(/*current=*/false); !inputs.empty())
    sema.diags.note(d, e.range, Diag::note_inputs, inputs);
  return nullptr;
}

/// The name means something that is no value. `$name` may be one, or `meant`.
std::nullptr_t Checker::noValue(const ast::NameExpr *e, llvm::StringRef what,
                                llvm::StringRef meant) {
  auto d = sema.diags.report(e->range, Diag::err_not_a_value, e->name.text, what);
  std::string formal = ("$" + e->name.text).str();
  if (e->path.parts.empty() && lookup(formal))
    sema.diags.note(d, e->range, Diag::note_did_you_mean, formal);
  else if (!meant.empty())
    sema.diags.note(d, e->range, Diag::note_did_you_mean, meant);
  return nullptr;
}

/// Whether an attribute of a current tuple is near to the name.
bool Checker::isNearAttribute(const ast::NameExpr &e) {
  return anyCurrentTuple(e, [&](Type tuple) {
    return llvm::any_of(tuple->attributes,
                        [&](const auto &each) { return isNear(e.name.text, each.first); });
  });
}

ExprPtr Checker::unknownName(const ast::NameExpr *e, bool isTarget, Type hint) {
  llvm::StringRef text = e->name.text;
  std::string ns = e->path.str();
  const ast::Unit *file = scope.file();
  if (const AbsentStream *stream = ns.empty() ? absentWith(text) : nullptr)
    return noInput(*stream->use);
  std::vector<Modules::FunctionDef> functions = sema.modules->findFunctions(file, ns, text);
  bool isBuiltIn = ns.empty() && isIntrinsic(text); // no file declares it
  const auto *outputs = ns.empty() ? scope.where().outputFunctions : nullptr;
  bool isOutput = outputs && llvm::any_of(*outputs, [&](const typed::Prototype *each) {
                    return each->name == text && each->params.empty();
                  });
  if ((!functions.empty() || isBuiltIn || isOutput) && !isNearAttribute(*e)) {
    bool isCall = isOutput || (isBuiltIn && takesNothing(text)) ||
                  llvm::any_of(functions, [](const Modules::FunctionDef &def) {
                    return def.function->params.empty();
                  });
    return noValue(e, "a function", isCall ? sema.diags.text(e->range).str() + "()" : "");
  }
  if (ns.empty() && scope.isStream(text))
    return noInput(*e);
  if (sema.modules->findType(file, ns, "", text) || (ns.empty() && sema.findType(text, scope)))
    return isTarget ? error(e->range, Diag::err_variable_name,
                            ("`" + sema.diags.text(e->range) + " NAME`").str())
                    : noValue(e, "a type");
  auto foreign = foreignName(text, ns);
  if (isAttributeInPunct(*e) || isMisspeltAttribute(*e) || isReported(*e, foreign))
    return nullptr;
  auto d = sema.diags.report(e->range, Diag::err_unknown_name, sema.diags.text(e->range));
  bool isNoted = noteElsewhere(d, *e, foreign) || noteNearNames(d, *e, /*asBase=*/false);
  if (isTarget && !isNoted)
    sema.diags.note(d, e->range, Diag::note_declare_first, text);
  else if (hint && hint->kind == SplType::Enum && !isNoted)
    noteMembers(d, e->range, hint);
  return nullptr;
}

/// What `base.member` may mean, of which nothing is known.
void Checker::noteMember(mlir::InFlightDiagnostic &d, const ast::NameExpr &base,
                         const ast::MemberExpr &e) {
  StringRef name = e.name.text;
  NearNames members(name);
  sema.modules->offerStaticMembers(members, scope.file(), base.path.str(), base.name.text);
  if (sema.diags.noteNear(d, e.range, members))
    return;
  bool isSelf = base.name.text == "this" || base.name.text == "self";
  bool isFile = llvm::is_contained({"csv", "txt", "log", "json", "dat", "gz", "tsv"}, name);
  if (isSelf)
    sema.diags.note(d, e.range, Diag::note_foreign, "`" + name.str() + "` alone");
  else if (isFile)
    sema.diags.note(d, e.range, Diag::note_quotes, sema.diags.text(e.range));
  else if (!noteNearNames(d, base, /*asBase=*/true))
    noteNearStream(d, base);
}
