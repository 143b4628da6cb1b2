//===- AST.h - the syntax tree of SPL, as written ---------------*- C++ -*-===//
//
// Nodes live in an ASTContext arena and are immutable once the builder is
// done. Nothing here is resolved: names are text, types are syntax. Sema turns
// this tree into the typed tree (sema/typed/), once per composite instance.
//
//===----------------------------------------------------------------------===//
#pragma once
#include "frontend/syntax/ASTBody.h"
#include "llvm/Support/Allocator.h"
#include <cstring>
#include <memory>

namespace sluice {
namespace ast {

//===--- graph ------------------------------------------------------------===//

struct Annotation {
  Ident name;
  struct Entry {
    Ident key;
    Expr *value;
  };
  std::vector<Entry> entries;
  Range range;
};

/// The value of a parameter: a type or a list of expressions. A bare name
/// arrives as both a Named type and a one-element list; Sema decides by mode.
struct Actual {
  TypeNode *type = nullptr;
  std::vector<Expr *> values;
  Range range;
};

/// `label : a, b, c;` of window and config clauses and composite config.
struct Setting {
  Ident label;
  std::vector<Expr *> values;
  Range range;
};

struct PortDecl {
  TypeNode *type; // the tuple type of `stream<...>`; null if not written
  Ident name;
};

enum class FormalMode { Attribute, Expression, Function, Operator, Type };
struct Formal {
  FormalMode mode;
  TypeNode *type; // of expression<T>, else null
  Ident name;
  bool hasDefault;
  Actual value;
  Range range;
};

struct OutPort {
  TypeNode *type;
  Ident stream, alias; // alias may be empty
};
struct InPort {
  TypeNode *type; // may be null
  std::vector<Ident> streams;
  Ident alias; // may be empty
  Range range;
};
enum class LogicKind { State, OnProcess, OnTuple, OnPunct };
struct LogicItem {
  LogicKind kind;
  Ident label;                    // the port for OnTuple, OnPunct
  std::vector<DeclStmt *> states; // State
  Stmt *body = nullptr;           // the others
  Range range;
};
struct ParamItem {
  Ident name;
  Actual value;
};
struct OutputItem {
  Ident port;
  struct Assignment {
    Ident attribute;
    Expr *value;
  };
  std::vector<Assignment> assignments;
};
/// The clauses in the order in which they stand, so that Sema can diagnose
/// order and repetition.
struct ClauseMark {
  llvm::StringRef name; // "logic", "window", "param", "output", "config", ...
  Range range;
};
struct Invocation {
  std::vector<Annotation> annotations;
  std::vector<OutPort> outputs;
  Ident alias; // empty: named after the first output stream
  Path path;   // of the operator; may be empty
  Ident op;
  std::vector<InPort> inputs;
  std::vector<LogicItem> logic;
  std::vector<Setting> window;
  std::vector<ParamItem> params;
  std::vector<OutputItem> outputClause;
  std::vector<Setting> config;
  std::vector<ClauseMark> clauses;
  Range range;
};

struct Composite {
  std::vector<Annotation> annotations;
  bool isPublic = false;
  Ident name;
  std::vector<PortDecl> outputs, inputs;
  std::vector<Formal> formals;
  std::vector<TypeAlias> types;
  std::vector<Invocation *> graph;
  std::vector<Setting> config;
  std::vector<ClauseMark> clauses;
  llvm::StringRef doc; // the text of the SPLDOC comment, if any
  Range range;
};

struct FunctionParam {
  bool isMutable;
  TypeNode *type;
  Ident name; // may be empty in a prototype
};
/// `word`, `word<type>` or `word{a, b, c}` of a declaration in a toolkit file.
struct ModelWord {
  Ident word;
  TypeNode *type;
  std::vector<Ident> list;
};
/// A function with a body, or (body null) a prototype of a toolkit file.
struct Function {
  bool isPublic = false, isStateful = false;
  struct TypeVar {
    Ident cls, name;
  };
  std::vector<TypeVar> typeVars; // toolkit files only: `<numeric T>`
  std::vector<Ident> boundVars;  // prototypes only: `[N]`
  TypeNode *result;
  Ident name;
  std::vector<FunctionParam> params;
  std::vector<ModelWord> facts; // prototypes only: `: effects{console}, located`
  Block *body;
  llvm::StringRef doc;
  Range range;
};

/// A primitive operator's model, in toolkit files only:
///   public operator Filter {
///     input  In   : one, oblivious;
///     output Out  : one, preserving, auto, complete;
///            Rest : optional, preserving, auto, complete;
///     param  filter : expression<boolean>, optional;
///   }
/// Words are kept as text; OperatorModel.cpp gives them meaning.
struct ModelItem {
  Ident name;
  std::vector<ModelWord> words;
  Range range;
};
struct OperatorModelDecl {
  bool isPublic = false;
  Ident name;
  std::vector<ModelItem> inputs, outputs, params;
  std::vector<Function *> outputFunctions; // `function` clause: prototypes
  std::vector<ModelItem> flags;            // `config` clause: name : words
  llvm::StringRef doc;
  Range range;
};

struct UseDecl {
  Path path;
  Ident name; // empty: `*`
  Range range;
};

/// One file.
struct Unit {
  uint32_t file = 0;
  Path ns; // empty: the default namespace
  std::vector<UseDecl> uses;
  std::vector<Composite *> composites;
  std::vector<Function *> functions;
  std::vector<TypeAlias *> types;
  std::vector<OperatorModelDecl *> operators; // toolkit files only
  Range range;
};

} // namespace ast

/// Owns every node of any number of units. Nodes hold vectors, so each is
/// destroyed with the context.
class ASTContext {
public:
  template <typename T> T *make() {
    auto *holder = new Holder<T>();
    holders.push_back(std::unique_ptr<HolderBase>(holder));
    return &holder->node;
  }
  llvm::StringRef intern(llvm::StringRef s) {
    char *p = strings.Allocate<char>(s.size());
    std::memcpy(p, s.data(), s.size());
    return {p, s.size()};
  }

private:
  struct HolderBase {
    virtual ~HolderBase() = default;
  };
  template <typename T> struct Holder : HolderBase {
    T node{};
  };
  std::vector<std::unique_ptr<HolderBase>> holders;
  llvm::BumpPtrAllocator strings;
};

} // namespace sluice
