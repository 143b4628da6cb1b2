//===- ASTBody.h - types, expressions and statements, as written -*- C++ -*-===//
//
// The part of the syntax tree that stands inside functions and clauses. AST.h has
// the declarations around it and says how nodes live.
//
//===----------------------------------------------------------------------===//
#pragma once
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Casting.h"
#include <cstdint>
#include <string>
#include <vector>

namespace sluice {

/// A half-open byte range of one source buffer; file 0 is "no location".
struct Range {
  uint32_t file = 0, begin = 0, end = 0;
  explicit operator bool() const { return file != 0; }
};

namespace ast {

struct Ident {
  llvm::StringRef text;
  Range range;
};

/// `a.b.c` of namespaces.
struct Path {
  std::vector<Ident> parts;
  Range range;
  std::string str() const;
};

struct Expr;
struct Block;

//===--- types ------------------------------------------------------------===//

enum class TypeKind {
  Named, // [path ::] name [. member]; also a $formal, a stream or a port name
#define SPL_KIND(name, ...) name,
#include "sluice/Kinds.def"
  Void
};

struct TypeNode;
struct Attribute {
  TypeNode *type;
  Ident name;
};

struct TypeNode {
  TypeKind kind;
  Range range;
  Path path;                         // Named: may be empty
  Ident name, member;                // Named: member may be empty
  std::vector<TypeNode *> args;      // List, Set, Map, Optional
  std::vector<Attribute> attributes; // Tuple: this or extendees, never both
  std::vector<TypeNode *> extendees; // Tuple
  std::vector<Ident> members;        // Enum
  Expr *bound = nullptr;             // RString, List, Set, Map
  llvm::StringRef schema;            // Xml
};

//===--- expressions ------------------------------------------------------===//

enum class ExprKind {
  Int,
  Hex,
  Float,
  String,
  Xml,
  True,
  False,
  Null, // text = the token
  List,
  Brace, // literals
  Name,  // [path ::] name
  Call,
  Member,
  Subscript,
  Slice,
  Unary,
  Postfix,
  Cast,
  Binary,
  Assign,
  OrElse,
  Conditional,
  Paren
};

enum class UnaryOp { Not, Neg, BitNot, PreInc, PreDec };
enum class PostfixOp { Inc, Dec, Unwrap, Present };
enum class BinaryOp {
  Mul,
  Div,
  Rem,
  Add,
  Sub,
  Shl,
  Shr,
  Lt,
  Le,
  Gt,
  Ge,
  Eq,
  Ne,
  BitAnd,
  BitXor,
  BitOr,
  In,
  And,
  Or
};
llvm::StringRef spelling(BinaryOp op);

struct Expr {
  ExprKind kind;
  Range range;
  Range opRange; // of the operator token, where there is one
};
struct LiteralExpr : Expr {
  llvm::StringRef text; // the token as written, suffix included
  static bool classof(const Expr *e) { return e->kind <= ExprKind::Null; }
};
struct ListExpr : Expr {
  std::vector<Expr *> elements;
  static bool classof(const Expr *e) { return e->kind == ExprKind::List; }
};
/// `{...}`: a tuple if every entry is an Assign of a plain name, a map if
/// entries have values, else a set. Sema decides.
struct BraceExpr : Expr {
  struct Entry {
    Expr *key;
    Expr *value;
  }; // value null without a colon
  std::vector<Entry> entries;
  static bool classof(const Expr *e) { return e->kind == ExprKind::Brace; }
};
struct NameExpr : Expr {
  Path path; // may be empty
  Ident name;
  static bool classof(const Expr *e) { return e->kind == ExprKind::Name; }
};
struct CallExpr : Expr {
  Expr *callee;
  std::vector<Expr *> args;
  static bool classof(const Expr *e) { return e->kind == ExprKind::Call; }
};
struct MemberExpr : Expr {
  Expr *base;
  Ident name;
  static bool classof(const Expr *e) { return e->kind == ExprKind::Member; }
};
struct SubscriptExpr : Expr {
  Expr *base, *index;
  static bool classof(const Expr *e) { return e->kind == ExprKind::Subscript; }
};
struct SliceExpr : Expr {
  Expr *base, *lo, *hi; // lo, hi may be null
  static bool classof(const Expr *e) { return e->kind == ExprKind::Slice; }
};
struct UnaryExpr : Expr {
  UnaryOp op;
  Expr *operand;
  static bool classof(const Expr *e) { return e->kind == ExprKind::Unary; }
};
struct PostfixExpr : Expr {
  PostfixOp op;
  Expr *operand;
  static bool classof(const Expr *e) { return e->kind == ExprKind::Postfix; }
};
/// `(T) e`. As the shipped compiler: always a cast if what follows the
/// parenthesis can start a prefix expression.
struct CastExpr : Expr {
  TypeNode *type;
  Expr *operand;
  static bool classof(const Expr *e) { return e->kind == ExprKind::Cast; }
};
struct BinaryExpr : Expr {
  BinaryOp op;
  bool dotted; // `.+` and its family
  Expr *lhs, *rhs;
  static bool classof(const Expr *e) { return e->kind == ExprKind::Binary; }
};
struct AssignExpr : Expr {
  bool compound; // op is meaningful
  BinaryOp op;
  Expr *lhs, *rhs;
  static bool classof(const Expr *e) { return e->kind == ExprKind::Assign; }
};
struct OrElseExpr : Expr {
  Expr *lhs, *rhs;
  static bool classof(const Expr *e) { return e->kind == ExprKind::OrElse; }
};
struct ConditionalExpr : Expr {
  Expr *cond, *then, *otherwise;
  static bool classof(const Expr *e) { return e->kind == ExprKind::Conditional; }
};
struct ParenExpr : Expr {
  Expr *inner;
  static bool classof(const Expr *e) { return e->kind == ExprKind::Paren; }
};

//===--- statements -------------------------------------------------------===//

struct TypeAlias {
  Ident name;
  TypeNode *type;
  bool isStatic = false;
  Range range;
};

enum class StmtKind { Decl, Block, If, For, While, Break, Continue, Return, Expr, Alias };
struct Stmt {
  StmtKind kind;
  Range range;
};
struct Declarator {
  Ident name;
  Expr *init; // may be null
};
struct DeclStmt : Stmt {
  bool isMutable;
  TypeNode *type;
  std::vector<Declarator> declarators;
  static bool classof(const Stmt *s) { return s->kind == StmtKind::Decl; }
};
struct Block : Stmt {
  std::vector<Stmt *> body;
  static bool classof(const Stmt *s) { return s->kind == StmtKind::Block; }
};
struct IfStmt : Stmt {
  Expr *cond;
  Stmt *then, *otherwise; // otherwise may be null
  static bool classof(const Stmt *s) { return s->kind == StmtKind::If; }
};
struct ForStmt : Stmt {
  TypeNode *type;
  Ident name;
  Expr *collection;
  Stmt *body;
  static bool classof(const Stmt *s) { return s->kind == StmtKind::For; }
};
struct WhileStmt : Stmt {
  Expr *cond;
  Stmt *body;
  static bool classof(const Stmt *s) { return s->kind == StmtKind::While; }
};
/// break, continue, return; only return has a value, which may be null.
struct JumpStmt : Stmt {
  Expr *value = nullptr;
  static bool classof(const Stmt *s) {
    return s->kind == StmtKind::Break || s->kind == StmtKind::Continue ||
           s->kind == StmtKind::Return;
  }
};
struct ExprStmt : Stmt {
  Expr *expr;
  static bool classof(const Stmt *s) { return s->kind == StmtKind::Expr; }
};
struct AliasStmt : Stmt {
  TypeAlias alias;
  static bool classof(const Stmt *s) { return s->kind == StmtKind::Alias; }
};

} // namespace ast
} // namespace sluice
