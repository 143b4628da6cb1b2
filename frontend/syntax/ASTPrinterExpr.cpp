//===- ASTPrinterExpr.cpp - types and expressions as s-expressions ---------===//
#include "frontend/syntax/ASTPrinter.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/Twine.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace sluice;
using namespace sluice::ast;
using llvm::raw_ostream;
using llvm::StringRef;

static void printName(const Path &path, StringRef name, raw_ostream &os) {
  if (!path.parts.empty())
    os << path.str() << "::";
  os << name;
}

//===--- types -------------------------------------------------------------===//

static StringRef keyword(TypeKind kind) {
  switch (kind) {
  case TypeKind::Named:
    return "";
  case TypeKind::Void:
    return "void";
#define SPL_KIND(name, keyword, ...)                                                               \
  case TypeKind::name:                                                                             \
    return keyword;
#include "sluice/Kinds.def"
  }
  llvm_unreachable("unknown kind of type");
}

void sluice::printAST(const TypeNode &type, raw_ostream &os) {
  if (type.kind == TypeKind::Named) {
    printName(type.path, type.name.text, os);
    if (!type.member.text.empty())
      os << '.' << type.member.text;
    return;
  }
  bool isLeaf = type.args.empty() && type.attributes.empty() && type.extendees.empty() &&
                type.members.empty() && !type.bound && type.schema.empty();
  if (isLeaf) {
    os << keyword(type.kind);
    return;
  }
  os << '(' << keyword(type.kind);
  for (const TypeNode *arg : type.args) {
    os << ' ';
    printAST(*arg, os);
  }
  for (const Attribute &attribute : type.attributes) {
    os << " (";
    printAST(*attribute.type, os);
    os << ' ' << attribute.name.text << ')';
  }
  for (const TypeNode *extendee : type.extendees) {
    os << ' ';
    printAST(*extendee, os);
  }
  for (const Ident &member : type.members)
    os << ' ' << member.text;
  if (!type.schema.empty())
    os << ' ' << type.schema;
  if (type.bound) {
    os << " (bound ";
    printAST(*type.bound, os);
    os << ')';
  }
  os << ')';
}

//===--- expressions -------------------------------------------------------===//

/// `(head a b)`; `_` for an operand that is not there.
static void printList(const llvm::Twine &head, llvm::ArrayRef<const Expr *> operands,
                      raw_ostream &os) {
  os << '(' << head;
  for (const Expr *operand : operands) {
    os << ' ';
    if (operand)
      printAST(*operand, os);
    else
      os << '_';
  }
  os << ')';
}

static void printBrace(const BraceExpr &e, raw_ostream &os) {
  os << "(brace";
  for (const BraceExpr::Entry &entry : e.entries) {
    os << ' ';
    if (entry.value)
      printList(":", {entry.key, entry.value}, os);
    else
      printAST(*entry.key, os);
  }
  os << ')';
}

static void printCall(const CallExpr &e, raw_ostream &os) {
  llvm::SmallVector<const Expr *> parts{e.callee};
  parts.append(e.args.begin(), e.args.end());
  printList("call", parts, os);
}

static void printCast(const CastExpr &e, raw_ostream &os) {
  os << "(cast ";
  printAST(*e.type, os);
  os << ' ';
  printAST(*e.operand, os);
  os << ')';
}

static void printName(const NameExpr &e, raw_ostream &os) { printName(e.path, e.name.text, os); }

static void printMember(const MemberExpr &e, raw_ostream &os) {
  os << "(. ";
  printAST(*e.base, os);
  os << ' ' << e.name.text << ')';
}

void sluice::printAST(const Expr &expr, raw_ostream &os) {
  static const char *prefix[] = {"!", "-", "~", "++", "--"};
  static const char *suffix[] = {"post++", "post--", "unwrap", "present"};
  llvm::TypeSwitch<const Expr *>(&expr)
      .Case([&](const LiteralExpr *e) { os << e->text; })
      .Case([&](const NameExpr *e) { printName(*e, os); })
      .Case([&](const ListExpr *e) {
        printList("list", llvm::ArrayRef<const Expr *>(e->elements.data(), e->elements.size()), os);
      })
      .Case([&](const BraceExpr *e) { printBrace(*e, os); })
      .Case([&](const CallExpr *e) { printCall(*e, os); })
      .Case([&](const MemberExpr *e) { printMember(*e, os); })
      .Case([&](const SubscriptExpr *e) { printList("index", {e->base, e->index}, os); })
      .Case([&](const SliceExpr *e) { printList("slice", {e->base, e->lo, e->hi}, os); })
      .Case([&](const UnaryExpr *e) { printList(prefix[unsigned(e->op)], {e->operand}, os); })
      .Case([&](const PostfixExpr *e) { printList(suffix[unsigned(e->op)], {e->operand}, os); })
      .Case([&](const CastExpr *e) { printCast(*e, os); })
      .Case([&](const BinaryExpr *e) {
        printList((e->dotted ? "." : "") + spelling(e->op), {e->lhs, e->rhs}, os);
      })
      .Case([&](const AssignExpr *e) {
        printList((e->compound ? spelling(e->op) : "") + "=", {e->lhs, e->rhs}, os);
      })
      .Case([&](const OrElseExpr *e) { printList("?:", {e->lhs, e->rhs}, os); })
      .Case([&](const ConditionalExpr *e) { printList("?", {e->cond, e->then, e->otherwise}, os); })
      .Case([&](const ParenExpr *e) { printList("paren", {e->inner}, os); });
}
