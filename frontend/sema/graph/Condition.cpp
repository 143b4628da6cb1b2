//===- Condition.cpp - subscriptions and filters --------------------------===//
//
// A condition about streams of other jobs (runtime/exchange/Condition.h). Its names stand for what
// is there at run time only, so it is no expression of SPL: it has a small language of its own. It
// is checked here, and becomes text. Literals and formals of composites are expressions of SPL; the
// values of these stand between the pieces of the text.
//
//===----------------------------------------------------------------------===//
#include "frontend/sema/graph/OperatorParts.h"

using namespace sluice;
using namespace sluice::sema;
using ast::BinaryOp;
using llvm::StringRef;

namespace {
/// What is known of an operand.
struct Operand {
  enum Sort { Unknown, Boolean, Number, Text, List } sort = Unknown;
  std::string type;                    // for messages
  const ast::NameExpr *name = nullptr; // a property
};

class ConditionCheck {
public:
  ConditionCheck(Sema &sema, Scope &scope, const typed::OperatorModel::Param &param, Type tuple)
      : sema(sema), diags(sema.diags), scope(scope), param(param), tuple(tuple) {}

  std::vector<typed::ExprPtr> run(const ast::Expr *e) {
    Operand whole = check(e);
    // A text that is all of it is the condition itself, and read when the program starts.
    if (!failed && whole.sort == Operand::Text && values.size() == 2 && text.empty()) {
      values.erase(values.begin());
      return std::move(values);
    }
    if (!failed && whole.sort != Operand::Boolean && whole.sort != Operand::Unknown)
      fail(e->range, Diag::err_condition_not_boolean, param.name, whole.type);
    if (failed)
      return {};
    endPiece(e->range);
    return std::move(values);
  }

private:
  template <typename... Args> Operand fail(Range range, Diag id, const Args &...args) {
    failed = true;
    diags.report(range, id, args...);
    return {};
  }

  void endPiece(Range range) {
    values.push_back(std::make_unique<typed::ConstExpr>(sema.types.get(SplType::RString), range,
                                                        std::move(text)));
    text.clear();
  }

  /// The error of what a condition may not have.
  Operand refuse(const ast::Expr *e, StringRef what) {
    failed = true;
    auto error = diags.report(e->range, Diag::err_condition_form, param.name, what);
    auto *negation = llvm::dyn_cast<ast::UnaryExpr>(e);
    if (negation && negation->op == ast::UnaryOp::Not)
      diags.note(error, e->range, Diag::note_condition_negation);
    else
      diags.note(error, e->range, Diag::note_condition_form,
                 param.ofTuples ? "attributes" : "names of properties");
    return {};
  }

  static Operand of(Type type) {
    Operand operand;
    operand.type = type->str();
    operand.sort = type->kind == SplType::Boolean         ? Operand::Boolean
                   : type->kind == SplType::RString       ? Operand::Text
                   : type->isInteger() || type->isFloat() ? Operand::Number
                                                          : Operand::Unknown;
    return operand;
  }

  /// A literal or a formal: an expression of SPL, which is evaluated at the start.
  Operand value(const ast::Expr *e) {
    typed::ExprPtr typed = sema.checkExpr(e, scope);
    if (!typed) {
      failed = true;
      return {};
    }
    Type type = typed->type;
    bool isList = type->kind == SplType::List;
    if (of(isList ? type->args[0] : type).sort == Operand::Unknown)
      return fail(e->range, Diag::err_condition_value, type->str());
    endPiece(e->range);
    values.push_back(std::move(typed));
    return isList ? Operand{Operand::List, type->str()} : of(type);
  }

  Operand name(const ast::NameExpr &e) {
    StringRef name = e.name.text;
    if (name.starts_with("$"))
      return value(&e);
    if (!e.path.parts.empty())
      return refuse(&e, "names of namespaces");
    text += name;
    if (!param.ofTuples) {
      auto known = sorts.find(name);
      return {known == sorts.end() ? Operand::Unknown : known->second, "property", &e};
    }
    Type type = tuple->attribute(name);
    if (!type)
      return fail(e.range, Diag::err_condition_attribute, name);
    Operand operand = of(type);
    if (operand.sort == Operand::Unknown)
      return fail(e.range, Diag::err_condition_attribute_type, name, type->str());
    return operand;
  }

  /// What a property is follows from what it is first compared with.
  void learn(const Operand &operand, Operand::Sort sort) {
    if (operand.name && sort != Operand::Unknown)
      sorts.try_emplace(operand.name->name.text, sort);
  }

  /// How tightly it binds; 0: a condition does not have it.
  static unsigned rank(BinaryOp op) {
    using enum BinaryOp;
    static constexpr std::pair<BinaryOp, unsigned> ranks[] = {
        {Or, 1}, {And, 2}, {Eq, 3},  {Ne, 3},  {Lt, 3},  {Le, 3},  {Gt, 3},
        {Ge, 3}, {In, 3},  {Add, 4}, {Sub, 4}, {Mul, 5}, {Div, 5}, {Rem, 5}};
    auto found = llvm::find_if(ranks, [&](auto &each) { return each.first == op; });
    return found == std::end(ranks) ? 0 : found->second;
  }

  /// An operand of an operator, in parentheses if it binds no tighter.
  Operand part(const ast::Expr *e, unsigned above, bool isRight) {
    auto *binary = llvm::dyn_cast<ast::BinaryExpr>(e);
    bool parentheses =
        binary && (rank(binary->op) < above || (isRight && rank(binary->op) == above));
    text += parentheses ? "(" : "";
    Operand operand = check(e);
    text += parentheses ? ")" : "";
    return operand;
  }

  Operand binary(const ast::BinaryExpr &e) {
    unsigned own = rank(e.op);
    if (!own || e.dotted)
      return refuse(&e, ("`" + llvm::Twine(e.dotted ? "." : "") + spelling(e.op) + "`").str());
    Operand left = part(e.lhs, own, false);
    text += (" " + spelling(e.op) + " ").str();
    Operand right = part(e.rhs, own, true);
    if (failed)
      return {};
    if (own == 3 && e.op == BinaryOp::In)
      return membership(e, left, right);
    Operand::Sort wanted = own < 3    ? Operand::Boolean
                           : own == 3 ? left.sort == Operand::Unknown ? right.sort : left.sort
                                      : Operand::Number;
    learn(left, wanted);
    learn(right, wanted);
    for (const Operand *each : {&left, &right})
      if (each->sort != Operand::Unknown && wanted != Operand::Unknown && each->sort != wanted)
        return fail(e.opRange ? e.opRange : e.range, Diag::err_condition_types, spelling(e.op),
                    describe(left), describe(right));
    return own > 3 ? Operand{Operand::Number, "a number"} : Operand{Operand::Boolean, "boolean"};
  }

  static std::string describe(const Operand &operand) {
    if (!operand.name)
      return operand.type;
    static const char *const kinds[] = {"", "a boolean", "a number", "a rstring", "a list"};
    return "`" + operand.name->name.text.str() + "`" +
           (operand.sort ? std::string(" (") + kinds[operand.sort] + ")" : "");
  }

  Operand membership(const ast::BinaryExpr &e, const Operand &left, const Operand &right) {
    learn(right, Operand::List);
    if (left.sort == Operand::List ||
        (right.sort != Operand::List && right.sort != Operand::Unknown))
      return fail(e.opRange ? e.opRange : e.range, Diag::err_condition_types, "in", describe(left),
                  describe(right));
    return {Operand::Boolean, "boolean"};
  }

  Operand subscript(const ast::SubscriptExpr &e) {
    Operand base = check(e.base);
    text += "[";
    Operand index = check(e.index);
    text += "]";
    learn(base, Operand::List);
    if (!failed && ((base.sort != Operand::List && base.sort != Operand::Unknown) ||
                    (index.sort != Operand::Number && index.sort != Operand::Unknown)))
      return fail(e.range, Diag::err_condition_types, "[]", describe(base), describe(index));
    return {Operand::Unknown, "an element"};
  }

  Operand parenthesis(const ast::ParenExpr &e) {
    text += "(";
    Operand inner = check(e.inner);
    text += ")";
    return inner;
  }

  Operand unary(const ast::UnaryExpr &e) {
    if (e.op != ast::UnaryOp::Neg)
      return refuse(&e, e.op == ast::UnaryOp::Not ? "a negation" : "this operator");
    text += "-";
    return part(e.operand, 6, false);
  }

  Operand check(const ast::Expr *e) {
    if (e->kind == ast::ExprKind::True || e->kind == ast::ExprKind::False) {
      text += e->kind == ast::ExprKind::True ? "true" : "false";
      return {Operand::Boolean, "boolean"};
    }
    if (llvm::isa<ast::LiteralExpr, ast::ListExpr>(e))
      return value(e);
    if (auto *name = llvm::dyn_cast<ast::NameExpr>(e))
      return this->name(*name);
    if (auto *binary = llvm::dyn_cast<ast::BinaryExpr>(e))
      return this->binary(*binary);
    if (auto *subscript = llvm::dyn_cast<ast::SubscriptExpr>(e))
      return this->subscript(*subscript);
    if (auto *paren = llvm::dyn_cast<ast::ParenExpr>(e))
      return parenthesis(*paren);
    if (auto *unary = llvm::dyn_cast<ast::UnaryExpr>(e))
      return this->unary(*unary);
    return refuse(e, llvm::isa<ast::CallExpr>(e)     ? "calls of functions"
                     : llvm::isa<ast::MemberExpr>(e) ? "attributes of tuples inside tuples"
                                                     : "this expression");
  }

  Sema &sema;
  Diagnostics &diags;
  Scope &scope;
  const typed::OperatorModel::Param &param;
  Type tuple;
  bool failed = false;
  std::string text; // the piece that is being made
  std::vector<typed::ExprPtr> values;
  llvm::StringMap<Operand::Sort> sorts; // of properties
};
} // namespace

std::vector<typed::ExprPtr> ParamCheck::condition(const ast::Expr *e, Scope &at,
                                                  const Model::Param &param) {
  return ConditionCheck(sema, at, param, op.outputs.front().stream->type).run(e);
}
