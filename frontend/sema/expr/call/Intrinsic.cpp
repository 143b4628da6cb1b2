//===- Intrinsic.cpp - names known to the compiler ------*- C++ -*-===//

#include "frontend/sema/expr/call/Intrinsics.h"
#include "frontend/sema/expr/hints/ConversionHints.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace sluice;
using namespace sluice::sema;

//===--- small helpers ----------------------------------------------------===//

std::optional<std::string> Intrinsics::constantString(const ast::Expr *e, llvm::StringRef what) {
  ExprPtr v = checker.value(e);
  if (!v)
    return std::nullopt;
  auto *text = llvm::dyn_cast<typed::ConstExpr>(v.get());
  if (!text || v->type->kind != SplType::RString) {
    error(e->range, Diag::err_constant_string, what);
    return std::nullopt;
  }
  return text->text().str();
}

static std::string absolutePath(llvm::StringRef path) {
  llvm::SmallString<128> absolute(path);
  llvm::sys::fs::make_absolute(absolute);
  llvm::sys::path::remove_dots(absolute, true);
  return absolute.str().str();
}

static const typed::Composite *enclosingComposite(const Scope &scope) {
  for (const Scope *s = &scope; s; s = s->parent)
    if (s->composite)
      return s->composite;
  return nullptr;
}

/// The scope of the operator invocation, or null.
static const Scope *enclosingOperator(const Scope &scope) {
  const Scope *s = &scope;
  while (s && s->operatorName.empty())
    s = s->parent;
  return s;
}

static llvm::StringRef unqualified(llvm::StringRef name) {
  size_t at = name.rfind("::");
  return at == llvm::StringRef::npos ? name : name.substr(at + 2);
}

//===--- dispatch ---------------------------------------------------------===//

enum class sema::Intrinsic {
  None,
  SubmissionValue,
  SubmissionList,
  CompileTimeValue,
  CompileTimeList,
  FileName,
  FileDir,
  FilePath,
  Line,
  MainComposite,
  CompositeInstance,
  OperatorName,
  LogicalName,
  CurrentPunct,
  Submit,
  InputPort,
  OutputPort
};

static constexpr std::pair<llvm::StringLiteral, Intrinsic> intrinsics[] = {
    {"getSubmissionTimeValue", Intrinsic::SubmissionValue},
    {"getSubmissionTimeListValue", Intrinsic::SubmissionList},
    {"getCompileTimeValue", Intrinsic::CompileTimeValue},
    {"getCompileTimeListValue", Intrinsic::CompileTimeList},
    {"getThisFileName", Intrinsic::FileName},
    {"getThisFileDir", Intrinsic::FileDir},
    {"getThisFilePath", Intrinsic::FilePath},
    {"getThisLine", Intrinsic::Line},
    {"getMainCompositeName", Intrinsic::MainComposite},
    {"getThisCompositeInstanceName", Intrinsic::CompositeInstance},
    {"getThisOperatorName", Intrinsic::OperatorName},
    {"getThisOperatorLogicalName", Intrinsic::LogicalName},
    {"currentPunct", Intrinsic::CurrentPunct},
    {"submit", Intrinsic::Submit},
    {"inputPort", Intrinsic::InputPort},
    {"outputPort", Intrinsic::OutputPort},
};

static Intrinsic intrinsicOf(llvm::StringRef name) {
  auto *found = llvm::find_if(intrinsics, [&](auto &entry) { return entry.first == name; });
  return found == std::end(intrinsics) ? Intrinsic::None : found->second;
}

bool sema::isIntrinsic(llvm::StringRef name) { return intrinsicOf(name) != Intrinsic::None; }

bool sema::takesNothing(llvm::StringRef intrinsic) {
  Intrinsic which = intrinsicOf(intrinsic);
  return which >= Intrinsic::FileName && which <= Intrinsic::CurrentPunct;
}

void Intrinsics::offerIntrinsics(NearNames &near) {
  for (auto &[name, which] : intrinsics)
    near.offer(name);
}

bool Intrinsics::intrinsic(llvm::StringRef name, const ast::CallExpr *e, ExprPtr &result) {
  Intrinsic which = intrinsicOf(name);
  switch (which) {
  case Intrinsic::None:
    return false;
  case Intrinsic::SubmissionValue:
  case Intrinsic::SubmissionList:
    result = submissionValue(e, which == Intrinsic::SubmissionList);
    return true;
  case Intrinsic::CompileTimeValue:
  case Intrinsic::CompileTimeList:
    result = compileTimeValue(e, which == Intrinsic::CompileTimeList);
    return true;
  case Intrinsic::InputPort:
  case Intrinsic::OutputPort:
    result = portIndex(e, which == Intrinsic::OutputPort);
    return true;
  case Intrinsic::Submit:
    result = submit(e);
    return true;
  case Intrinsic::FileName:
  case Intrinsic::FileDir:
  case Intrinsic::FilePath:
  case Intrinsic::Line:
  case Intrinsic::MainComposite:
  case Intrinsic::CompositeInstance:
  case Intrinsic::OperatorName:
  case Intrinsic::LogicalName:
  case Intrinsic::CurrentPunct:
    if (!e->args.empty())
      error(e->args.front()->range, Diag::err_argument_count, name, "no arguments");
    else
      result = placeName(which, name, e->range);
    return true;
  }
  llvm_unreachable("all intrinsics are covered");
}

/// The intrinsics without arguments.
ExprPtr Intrinsics::placeName(Intrinsic which, llvm::StringRef name, Range range) {
  std::string path = absolutePath(sema.diags.path(range.file));
  const typed::Composite *composite = enclosingComposite(scope);
  switch (which) {
  case Intrinsic::FileName:
    return makeText(llvm::sys::path::filename(path).str(), range);
  case Intrinsic::FileDir:
    return makeText(llvm::sys::path::parent_path(path).str(), range);
  case Intrinsic::FilePath:
    return makeText(path, range);
  case Intrinsic::Line:
    return makeInt(sema.diags.lineAndColumn(range).first, types.get(SplType::Int32), range);
  case Intrinsic::MainComposite:
    return makeText(sema.program ? sema.program->mainName : "", range);
  case Intrinsic::CompositeInstance:
    if (!composite)
      return error(range, Diag::err_intrinsic_place, name, "in the graph of a composite");
    return makeText(composite->path.empty() ? unqualified(composite->definition).str()
                                            : composite->path,
                    range);
  case Intrinsic::OperatorName:
  case Intrinsic::LogicalName:
    return operatorName(which, name, range);
  case Intrinsic::CurrentPunct:
    if (!scope.where().inOnPunct)
      return error(range, Diag::err_intrinsic_place, name, "in onPunct");
    return std::make_unique<typed::PunctExpr>(types.markers(), range);
  case Intrinsic::None:
  case Intrinsic::SubmissionValue:
  case Intrinsic::SubmissionList:
  case Intrinsic::CompileTimeValue:
  case Intrinsic::CompileTimeList:
  case Intrinsic::Submit:
  case Intrinsic::InputPort:
  case Intrinsic::OutputPort:
    break;
  }
  llvm_unreachable("this intrinsic has arguments");
}

/// getThisOperatorName() and getThisOperatorLogicalName(), which differ in a @parallel region.
ExprPtr Intrinsics::operatorName(Intrinsic which, llvm::StringRef name, Range range) {
  const Scope *op = enclosingOperator(scope);
  // Operators share the functions that they call.
  if (!op && scope.where().kind == Place::FunctionBody)
    return unsupported(range, "`" + name.str() + "` in a function (pass the name to it)");
  if (!op)
    return error(range, Diag::err_intrinsic_place, name, "in an operator invocation");
  return op->isReplicated && which == Intrinsic::OperatorName
             ? replicaName(name, op->operatorName, range)
             : makeText(op->operatorName, range);
}

/// The name of an operator in a @parallel region: the toolkit's function of the same name
/// puts in the channels at run time.
ExprPtr Intrinsics::replicaName(llvm::StringRef function, const std::string &name, Range range) {
  std::vector<Modules::FunctionDef> found =
      sema.modules->findFunctions(scope.file(), "spl.utility", function);
  if (found.empty())
    return error(range, Diag::err_unknown_function, function);
  const typed::Prototype *proto = sema.prototype(found[0].function, found[0].unit, found[0].ns);
  std::vector<ExprPtr> args;
  args.push_back(makeText(name, range));
  return finish(std::make_unique<typed::NativeCallExpr>(proto->result, range, *proto,
                                                        std::vector<Type>(), std::move(args)));
}

//===--- values from outside ----------------------------------------------===//

/// The text of a constant, or the texts of a constant list.
static std::vector<std::string> textsOf(const typed::Expr &e) {
  if (auto *text = llvm::dyn_cast<typed::ConstExpr>(&e))
    return text->type->isCollection() ? std::vector<std::string>()
                                      : std::vector<std::string>{text->text().str()};
  std::vector<std::string> texts;
  for (const ExprPtr &element : llvm::cast<typed::AggregateExpr>(e).elements)
    texts.push_back(llvm::cast<typed::ConstExpr>(*element).text().str());
  return texts;
}

/// A constant text, or a constant list of texts as a literal of SPL.
static std::string defaultText(const typed::Expr &e) {
  if (auto *text = llvm::dyn_cast<typed::ConstExpr>(&e))
    return text->text().str();
  std::string literal;
  for (const ExprPtr &element : llvm::cast<typed::AggregateExpr>(e).elements) {
    literal += literal.empty() ? "[\"" : ", \"";
    for (char c : defaultText(*element)) {
      if (c == '"' || c == '\\')
        literal += '\\';
      literal += c;
    }
    literal += '"';
  }
  return literal.empty() ? "[]" : literal + "]";
}

ExprPtr Intrinsics::submissionValue(const ast::CallExpr *e, bool isList) {
  llvm::StringRef name = isList ? "getSubmissionTimeListValue" : "getSubmissionTimeValue";
  if (e->args.empty() || e->args.size() > 2)
    return error(e->range, Diag::err_argument_count, name, "a name and perhaps a default");
  if (!scope.where().submissionAllowed || !enclosingComposite(scope))
    return error(e->range, Diag::err_intrinsic_place, name,
                 "inside a composite, not in functions or types");
  std::optional<std::string> key = constantString(e->args[0], "the name"), fallback;
  std::vector<std::string> defaults;
  Type type = types.get(SplType::RString);
  if (isList)
    type = types.list(type);
  if (e->args.size() == 2) {
    ExprPtr v = checker.converted(e->args[1], type, Sema::Exact, Diag::err_expected_type);
    if (v && !isConstant(*v))
      error(e->args[1]->range, Diag::err_not_constant);
    if (!v || !isConstant(*v))
      return nullptr;
    fallback = defaultText(*v);
    defaults = textsOf(*v);
  }
  if (!key)
    return nullptr;
  unsigned index = sema.submission(*key, isList, fallback, scope, e->range);
  return std::make_unique<typed::SubmissionValueExpr>(type, e->range, index, std::move(defaults));
}

ExprPtr Intrinsics::compileTimeValue(const ast::CallExpr *e, bool isList) {
  llvm::StringRef name = isList ? "getCompileTimeListValue" : "getCompileTimeValue";
  if (e->args.empty() || e->args.size() > 2)
    return error(e->range, Diag::err_argument_count, name, "a name and perhaps a default");
  std::optional<std::string> key = constantString(e->args[0], "the name");
  if (!key)
    return nullptr;
  sema.askedValues.insert(*key);
  Type text = types.get(SplType::RString);
  const auto &given = sema.options.compileTimeValues;
  auto it = llvm::find_if(given, [&](auto &pair) { return pair.first == *key; });
  if (it == given.end()) {
    if (e->args.size() < 2)
      return error(e->range, Diag::err_no_compile_time_value, *key);
    return checker.converted(e->args[1], isList ? types.list(text) : text, Sema::Exact,
                             Diag::err_expected_type);
  }
  if (!isList)
    return makeText(it->second, e->range);
  std::vector<ExprPtr> elements;
  llvm::SmallVector<llvm::StringRef> parts;
  llvm::StringRef(it->second).split(parts, ',');
  for (llvm::StringRef part : parts)
    elements.push_back(makeText(part.str(), e->range));
  return std::make_unique<typed::AggregateExpr>(types.list(text), e->range, std::move(elements));
}

//===--- ports ------------------------------------------------------------===//

ExprPtr Intrinsics::portIndex(const ast::CallExpr *e, bool output) {
  llvm::StringRef function = output ? "outputPort" : "inputPort";
  auto *n = e->args.size() == 1 ? llvm::dyn_cast<ast::NameExpr>(stripParens(e->args[0])) : nullptr;
  if (!n)
    return error(e->range, Diag::err_argument_count, function, "the name of a port");
  // Names of output ports may be hidden by those of input ports in a loop.
  for (Scope *s = &scope; s; s = s->parent) {
    auto it = s->values.find(n->name.text);
    if (it == s->values.end())
      continue;
    auto kind = it->second.kind;
    bool isInput = kind == Entity::PortTuple || kind == Entity::InPort;
    if (output ? kind == Entity::OutPort : isInput)
      return makeInt(it->second.port, types.get(SplType::Int32), e->range);
  }
  return unknownPort(*n, output);
}

std::nullptr_t Intrinsics::unknownPort(const ast::NameExpr &e, bool output) {
  llvm::StringRef name = e.name.text;
  auto d = sema.suspicions.report({{Doubt::NoPort, Subject::of(scope.where().outputs, name)}},
                                  e.range, Diag::err_no_port, output ? "output" : "input", name);
  NearNames near(name);
  scope.offerValues(near, [&](const Entity &entity) {
    bool isInput = entity.kind == Entity::PortTuple || entity.kind == Entity::InPort;
    return output ? entity.kind == Entity::OutPort : isInput;
  });
  sema.diags.noteNear(d, e.range, near);
  return nullptr;
}

std::optional<unsigned> Intrinsics::submitPort(const ast::Expr *e) {
  const std::vector<typed::OutputPort> &outputs = *scope.where().outputs;
  if (auto *n = llvm::dyn_cast<ast::NameExpr>(stripParens(e)); n && n->path.parts.empty()) {
    for (Scope *s = &scope; s; s = s->parent)
      if (auto it = s->values.find(n->name.text);
          it != s->values.end() && it->second.kind == Entity::OutPort)
        return it->second.port;
    for (unsigned i = 0; i < outputs.size(); ++i)
      if (outputs[i].name == n->name.text)
        return i;
    const Entity *found = lookup(n->name.text);
    if (!found || found->kind != Entity::Variable) {
      unknownPort(*n, /*output=*/true);
      return std::nullopt;
    }
  }
  ExprPtr v = checker.value(e);
  if (!v)
    return std::nullopt;
  if (!v->type->isInteger()) {
    error(e->range, Diag::err_submit_port, v->type->str());
    return std::nullopt;
  }
  auto *number = llvm::dyn_cast<typed::ConstExpr>(v.get());
  if (!number) {
    unsupported(e->range, "submit to a port whose number is not constant");
    return std::nullopt;
  }
  int64_t port = number->integer();
  if (port < 0 || uint64_t(port) >= outputs.size()) {
    error(e->range, Diag::err_port_number, port, outputs.size());
    return std::nullopt;
  }
  return unsigned(port);
}

ExprPtr Intrinsics::submit(const ast::CallExpr *e) {
  const Place &place = scope.where();
  if (!place.maySubmit || !place.outputs)
    return error(e->range, Diag::err_intrinsic_place, "submit", "in the logic of Custom operators");
  if (e->args.size() != 2) {
    auto d = sema.diags.report(e->range, Diag::err_argument_count, "submit",
                               "a tuple or a marker, and a port");
    if (e->args.size() == 1 && place.outputs->size() == 1)
      sema.diags.note(d, e->range, Diag::note_did_you_mean,
                      "submit(" + sema.diags.text(e->args[0]->range).str() + ", " +
                          place.outputs->front().name + ")");
    return nullptr;
  }
  std::optional<unsigned> port = submitPort(e->args[1]);
  Type want = port ? (*place.outputs)[*port].stream->type : nullptr;
  if (!port)
    return nullptr; // what is to be submitted may be in its place
  ExprPtr v = checker.value(e->args[0], isError(want) ? nullptr : want);
  if (!v || isError(want))
    return nullptr;
  bool isMarker = v->type == types.markers();
  if (!isMarker && v->type != want) {
    auto d =
        sema.diags.report(e->args[0]->range, Diag::err_submit_type, v->type->str(), want->str());
    if (want->attributes.size() == 1 && want->attributes[0].second == v->type)
      sema.diags.note(d, e->args[0]->range, Diag::note_literal_form, "tuple",
                      "{" + want->attributes[0].first + " = " +
                          sema.diags.text(e->args[0]->range).str() + "}");
    else
      ConversionHints(checker).noteConversion(d, *v, want);
    return nullptr;
  }
  return std::make_unique<typed::SubmitExpr>(types.get(SplType::Void), e->range, std::move(v),
                                             *port);
}
