//===- CallHints.cpp - hints behind errors about calls ----------------------===//
//
// What SPL writes for methods and functions of other languages, and which functions there are.
//
// A method is known by the kind of the value before the dot, its name and the number of arguments;
// a function that is called like one by its first argument.
//
//===----------------------------------------------------------------------===//
#include "frontend/sema/expr/hints/CallHints.h"
#include "frontend/sema/expr/Statements.h"
#include "frontend/sema/expr/call/Calls.h"
#include "frontend/sema/expr/call/Intrinsics.h"
#include "frontend/sema/expr/hints/ConversionHints.h"
#include "frontend/sema/expr/hints/Names.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace sluice;
using namespace sluice::sema;
using llvm::StringRef;

namespace {
/// What the language has for a method of others.
struct Method {
  std::vector<SplType::Kind> kinds; // none: of any value
  std::vector<StringRef> names;
  unsigned args;
  const char *instead; // {0} is the value, {1}... the arguments
};
} // namespace

static const std::vector<Method> &methods() {
  using T = SplType;
  static const std::vector<Method> table = {
      {{T::List, T::Map}, {"put", "set", "insert"}, 2, "{0}[{1}] = {2}"},
      {{T::List, T::Map, T::Blob}, {"get", "at"}, 1, "{0}[{1}]"},
      {{T::List, T::Set, T::Map}, {"contains", "includes", "containsKey"}, 1, "{1} in {0}"},
      {{T::RString, T::UString}, {"charAt", "at"}, 1, "{0}[{1}]"},
      {{T::Map}, {"get", "getOrDefault"}, 2, "({1} in {0} ? {0}[{1}] : {2})"},
      {{}, {"equals"}, 1, "{0} == {1}"},
      {{}, {"toString"}, 0, "(rstring) {0}"},
  };
  return table;
}

std::string sema::foreignMethod(const Hints &hints, Type base, StringRef name, StringRef baseText,
                                llvm::ArrayRef<StringRef> args) {
  if (std::string known = hints.method(base, name, baseText, args); !known.empty())
    return known;
  for (const Method &method : methods())
    if (method.args == args.size() &&
        (method.kinds.empty() || llvm::is_contained(method.kinds, base->kind)) &&
        llvm::is_contained(method.names, name))
      return llvm::formatv(/*Validate=*/false, method.instead, baseText,
                           args.empty() ? "" : args[0], args.size() < 2 ? "" : args[1]);
  return "";
}

//===--- messages ---------------------------------------------------------===//

/// The type, or its beginning if it has many parts.
static std::string beginningOf(Type type) {
  constexpr size_t most = 3;
  if (type->kind == SplType::Enum && type->members.size() > most)
    return "enum{" + type->members[0] + ", " + type->members[1] + ", ...}";
  if (type->kind != SplType::Tuple || type->attributes.size() <= most)
    return type->str();
  auto &[first, firstType] = type->attributes[0];
  auto &[second, secondType] = type->attributes[1];
  return "tuple<" + firstType->str() + " " + first + ", " + secondType->str() + " " + second +
         ", ...>";
}

void CallHints::noteCandidates(mlir::InFlightDiagnostic &d, llvm::ArrayRef<Candidate> found) {
  for (const Candidate &c : found.take_front(6)) {
    std::vector<std::string> params;
    for (unsigned i = 0; i < c.params->size(); ++i)
      params.push_back(((*c.isMutable)[i] ? "mutable " : "") + beginningOf((*c.params)[i]));
    std::string vars;
    for (Type v : *c.typeVars)
      vars += (vars.empty() ? "<" : ", ") + v->cls + " " + v->name;
    llvm::StringRef name = c.proto ? llvm::StringRef(c.proto->name) : c.function->name.text;
    std::string text =
        (vars.empty() ? "" : vars + "> ") + name.str() + "(" + llvm::join(params, ", ") + ")";
    Range range = c.function ? c.function->name.range : c.proto->native ? c.proto->range : Range();
    sema.diags.note(d, range, Diag::note_candidate, text);
  }
}

bool Names::isFunctionName(const ast::NameExpr &e) {
  if (!Calls(checker).namedBy(e, Reach::Namespace).empty())
    return true;
  if (isReported(e))
    return false;
  auto d = sema.diags.report(e.range, Diag::err_unknown_function, sema.diags.text(e.range));
  if (!noteElsewhere(d, e, foreignFunction(sema.modules->hints(), e.name.text)))
    CallHints(checker).noteNearFunctions(d, e);
  return false;
}

std::string CallHints::callInstead(const ast::CallExpr *e, llvm::StringRef name, Type first) {
  std::vector<llvm::StringRef> args;
  for (const ast::Expr *arg : e->args)
    args.push_back(sema.diags.text(arg->range));
  std::string instead =
      foreignMethod(sema.modules->hints(), first, name, args[0], llvm::ArrayRef(args).drop_front());
  return instead == sema.diags.text(e->range) ? "" : instead;
}

/// `println(a, b)` and `printStringLn(n)`: the text of all values, for a function that takes one.
std::string CallHints::joinedArguments(const ast::CallExpr *e, llvm::StringRef name,
                                       llvm::ArrayRef<Candidate> found,
                                       llvm::ArrayRef<ExprPtr> args) {
  Type text = types.get(SplType::RString);
  bool takesOne = llvm::all_of(found, [](const Candidate &c) {
    return c.proto && c.params->size() == 1 && c.proto->result->kind == SplType::Void;
  });
  bool takesText = takesOne && llvm::any_of(found, [&](const Candidate &c) {
                     llvm::DenseMap<Type, Type> bindings;
                     return unify(c.params->front(), text, bindings);
                   });
  bool areTexts = llvm::all_of(args, [&](const ExprPtr &arg) {
    return arg && (arg->type == text || canCast(arg->type, text));
  });
  if (!takesText || !areTexts)
    return "";
  if (args.empty()) // an empty line
    return (name + "(\"\")").str();
  std::vector<std::string> texts;
  for (auto [arg, written] : llvm::zip(args, e->args)) {
    bool isSimple =
        llvm::isa<ast::NameExpr, ast::LiteralExpr, ast::CallExpr, ast::MemberExpr>(written);
    std::string operand = sema.diags.text(written->range).str();
    operand = isSimple ? operand : "(" + operand + ")";
    texts.push_back(arg->type == text ? operand : "(rstring) " + operand);
  }
  return (name + "(" + llvm::join(texts, " + \" \" + ") + ")").str();
}

/// `max(x, 1)` and `floor(n)`: numbers for a function whose parameters have one type, if one of
/// the types is fit for all of them.
void CallHints::noteCommonType(mlir::InFlightDiagnostic &d, llvm::ArrayRef<Candidate> found,
                               llvm::ArrayRef<ExprPtr> args) {
  auto isLiteral = [](const ExprPtr &arg) { return llvm::isa<typed::ConstExpr>(*arg); };
  auto isNumber = [](const ExprPtr &arg) {
    return arg && arg->type->isNumeric() && !arg->type->isComplex();
  };
  auto takesOneType = [&](const Candidate &c) {
    return c.params->size() == args.size() && c.params->front()->kind == SplType::Var &&
           llvm::all_equal(*c.params) && !llvm::is_contained(*c.isMutable, true);
  };
  auto *generic = args.empty() || !llvm::all_of(args, isNumber)
                      ? found.end()
                      : llvm::find_if(found, takesOneType);
  if (generic == found.end())
    return;
  auto *first = llvm::find_if_not(args, isLiteral);
  Type want = (first == args.end() ? args.front() : *first)->type;
  for (const ExprPtr &arg : args)
    if (widens(want, arg->type))
      want = arg->type;
  if (!want->inClass(generic->params->front()->cls))
    want = types.get(SplType::Float64);
  bool fits = llvm::all_of(args, [&](const ExprPtr &arg) {
    return arg->type == want || widens(arg->type, want) || isLiteral(arg);
  });
  for (const ExprPtr &arg : fits ? args : llvm::ArrayRef<ExprPtr>())
    if (arg->type != want)
      ConversionHints(checker).noteConversion(d, *arg, want);
}

/// One candidate, and one wrong argument or literals that are easily changed: shows the way.
void CallHints::noteWrongArguments(mlir::InFlightDiagnostic &d, const ast::CallExpr *e,
                                   llvm::ArrayRef<Candidate> found, llvm::ArrayRef<ExprPtr> args) {
  if (found.size() != 1 || found[0].params->size() != args.size())
    return;
  std::vector<unsigned> wrong;
  for (unsigned i = 0; i < args.size(); ++i) {
    llvm::DenseMap<Type, Type> bindings;
    if (args[i] && !unify((*found[0].params)[i], args[i]->type, bindings))
      wrong.push_back(i);
  }
  bool areLiterals =
      llvm::all_of(wrong, [&](unsigned i) { return llvm::isa<typed::ConstExpr>(args[i].get()); });
  if (wrong.size() != 1 && !areLiterals)
    return;
  for (unsigned i : wrong)
    if ((*found[0].isMutable)[i])
      sema.diags.note(d, e->args[i]->range, Diag::note_mutable_type, (*found[0].params)[i]->str());
    else
      ConversionHints(checker).noteConversion(d, *args[i], (*found[0].params)[i]);
}

/// The argument of an output function that no candidate takes, with the types that one takes there:
/// `Average(name)`. False if that is another argument for each, or their number is wrong.
bool CallHints::noteArgumentTypes(mlir::InFlightDiagnostic &d, const ast::CallExpr *e,
                                  llvm::ArrayRef<Candidate> found, llvm::ArrayRef<ExprPtr> args) {
  std::optional<unsigned> wrong;
  std::vector<std::string> wanted;
  for (const Candidate &c : found) {
    if (!c.isOutput || c.params->size() != args.size())
      continue;
    llvm::DenseMap<Type, Type> bindings, classes;
    unsigned i = 0;
    while (i < args.size() && (!args[i] || unify((*c.params)[i], args[i]->type, bindings)))
      ++i;
    if (i == args.size() || wrong.value_or(i) != i)
      return false;
    wrong = i;
    for (Type var : *c.typeVars)
      classes[var] = types.var(var->cls, var->cls);
    std::string text = "`" + Calls(checker).substitute((*c.params)[i], classes)->str() + "`";
    if (!llvm::is_contained(wanted, text))
      wanted.push_back(text);
  }
  if (!wrong)
    return false;
  ConversionHints(checker).noteUnwrap(d, *args[*wrong]);
  std::string last = wanted.back();
  wanted.pop_back();
  sema.diags.note(d, e->args[*wrong]->range, Diag::note_argument_types,
                  wanted.empty() ? last : llvm::join(wanted, ", ") + " or " + last);
  return true;
}

void CallHints::noMatch(const ast::CallExpr *e, llvm::StringRef name,
                        llvm::ArrayRef<Candidate> found, llvm::ArrayRef<ExprPtr> args) {
  std::vector<std::string> have;
  for (auto [arg, written] : llvm::zip(args, e->args))
    have.push_back(arg ? arg->type->str() : sema.diags.text(written->range).str());
  auto d = sema.diags.report(e->range, Diag::err_no_overload, name, llvm::join(have, ", "));
  if (noteArgumentTypes(d, e, found, args))
    return;
  if (llvm::StringRef output = outputInstead(name); !output.empty())
    return sema.diags.note(d, e->callee->range, Diag::note_foreign, output);
  llvm::StringRef summary = args.size() == 1 && args[0] && !args[0]->type->isCollection()
                                ? sema.modules->hints().find(HintKind::Output, name).substr(1)
                                : "";
  if (!summary.empty()) // `avg(x)` of many tuples, not of a list
    noteOutputFunction(d, *llvm::cast<ast::NameExpr>(stripParens(e->callee)),
                       summary.split('(').first);
  std::string instead = joinedArguments(e, name, found, args);
  if (instead.empty() && !args.empty() && args[0])
    instead = callInstead(e, name, args[0]->type);
  const auto *library = llvm::find_if(found, [](const Candidate &c) { return c.proto; });
  const typed::Prototype *proto = library == found.end() ? nullptr : library->proto;
  if (llvm::StringRef other =
          proto && instead.empty() ? sema.modules->hints().call(name, proto->result, have) : "";
      !other.empty())
    sema.diags.note(d, e->range, Diag::note_foreign, other);
  if (!instead.empty())
    sema.diags.note(d, e->range, Diag::note_did_you_mean, instead);
  noteCommonType(d, found, args);
  noteWrongArguments(d, e, found, args);
  std::vector<Candidate> alike; // those for so many arguments, if there are any
  llvm::copy_if(found, std::back_inserter(alike),
                [&](const Candidate &c) { return c.params->size() == args.size(); });
  noteCandidates(d, alike.empty() ? found : llvm::ArrayRef(alike));
  sema.modules->noteUnreadable(d, scope.file(), "", name);
}

/// A call that gives nothing stands for a value. Of a function of the program once: that it is
/// `void` is the mistake, or all of these calls are. One that returns a value all the same is
/// reported there.
ExprPtr Statements::voidUsed(const typed::Expr &e) {
  auto *call = llvm::dyn_cast<typed::CallExpr>(&e);
  if (!call)
    return error(e.range, Diag::err_void_value, "a void function");
  if (call->callee->returnsValue)
    sema.suspicions.doubt(Doubt::ReturnsValue, Subject::of(call->callee));
  Subject callee = Subject::of(call->callee);
  auto d = sema.suspicions.report({{Doubt::ReturnsValue, callee}, {Doubt::NoResult, callee}},
                                  e.range, Diag::err_void_value, "a void function");
  sema.diags.note(d, call->callee->nameRange, Diag::note_void_here, call->callee->name);
  return nullptr;
}

/// The call of an output function of the operator that could be meant by `name`; else empty.
StringRef CallHints::outputInstead(StringRef name) {
  const auto *functions = scope.where().outputFunctions;
  StringRef known = functions ? sema.modules->hints().find(HintKind::Output, name) : "";
  StringRef function = known.drop_front(!known.empty()).split('(').first;
  bool isThere =
      functions && llvm::any_of(*functions, [&](auto *p) { return p->name == function; });
  return isThere ? known : "";
}

/// Says of which operators `name` is an output function. False if there are none.
bool CallHints::noteOutputFunction(mlir::InFlightDiagnostic &d, const ast::NameExpr &e,
                                   StringRef name) {
  std::vector<std::string> operators;
  for (const std::string &op : sema.modules->withOutputFunction(name))
    operators.push_back("`" + op + "`");
  if (operators.empty())
    return false;
  sema.diags.note(d, e.name.range, Diag::note_output_function, name,
                  llvm::join(operators, " and "));
  return true;
}

bool CallHints::noteNearFunctions(mlir::InFlightDiagnostic &d, const ast::NameExpr &e) {
  NearNames near(e.name.text);
  std::string ns = e.path.str();
  if (checker.statement && checker.statement->range.begin == e.range.begin) // Return (x);
    near.offer("return");
  if (const auto *functions = ns.empty() ? scope.where().outputFunctions : nullptr)
    for (const typed::Prototype *function : *functions)
      near.offer(function->name);
  if (ns.empty()) {
    scope.offerFunctions(near);
    Intrinsics(checker).offerIntrinsics(near);
  }
  sema.modules->offer(near, scope.file(), ns, Modules::Kind::Function);
  return sema.diags.noteNear(d, e.name.range, near);
}
