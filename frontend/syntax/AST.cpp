//===- AST.cpp - small questions to the syntax tree ------------------------===//
#include "frontend/syntax/AST.h"
#include "llvm/ADT/StringExtras.h"

using namespace sluice;

std::string ast::Path::str() const {
  return llvm::join(llvm::map_range(parts, [](const Ident &part) { return part.text; }), ".");
}

llvm::StringRef ast::spelling(BinaryOp op) {
  switch (op) {
  case BinaryOp::Mul:
    return "*";
  case BinaryOp::Div:
    return "/";
  case BinaryOp::Rem:
    return "%";
  case BinaryOp::Add:
    return "+";
  case BinaryOp::Sub:
    return "-";
  case BinaryOp::Shl:
    return "<<";
  case BinaryOp::Shr:
    return ">>";
  case BinaryOp::Lt:
    return "<";
  case BinaryOp::Le:
    return "<=";
  case BinaryOp::Gt:
    return ">";
  case BinaryOp::Ge:
    return ">=";
  case BinaryOp::Eq:
    return "==";
  case BinaryOp::Ne:
    return "!=";
  case BinaryOp::BitAnd:
    return "&";
  case BinaryOp::BitXor:
    return "^";
  case BinaryOp::BitOr:
    return "|";
  case BinaryOp::In:
    return "in";
  case BinaryOp::And:
    return "&&";
  case BinaryOp::Or:
    return "||";
  }
  llvm_unreachable("all operators are listed");
}
