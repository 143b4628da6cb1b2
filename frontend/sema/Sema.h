//===- Sema.h - names, types, instantiation ---------------------*- C++ -*-===//
//
// Two halves meet here. The *expression half* (SemaExpr*, SemaStmt, SemaType,
// SemaCall, ConstFold) checks expressions, statements, functions and types in a
// Scope. The *graph half* (Modules, SemaGraph*, SemaOperator*, OperatorModel)
// finds definitions, instantiates composites, checks invocations, and builds
// the Scopes that the expression half reads.
//
//===----------------------------------------------------------------------===//
#pragma once
#include "frontend/Frontend.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringMap.h"
#include <functional>
#include <optional>

namespace sluice::sema {

struct Scope;

/// What a name stands for in an expression.
struct Entity {
  enum Kind {
    None,
    Variable,   // var
    Attribute,  // attribute `index` of the current tuple of input port `port`
    PortTuple,  // the current tuple of input port `port`
    InPort,     // input port `port` without a current tuple (onPunct): inputPort() takes it
    OutPort,    // output port `port`: only submit() and outputPort() take it
    EnumMember, // member `index` of `type`
    Actual,     // a formal of a composite: `actual`, to be checked in `actualScope`
    Ambiguous,  // attribute of two ports: needs qualification
  };
  Kind kind = None;
  typed::Variable *var = nullptr;
  Type type = nullptr;  // of the entity as a value
  Type tuple = nullptr; // Attribute: the tuple type of its port
  unsigned port = 0, index = 0;
  const ast::Actual *actual = nullptr;
  Scope *actualScope = nullptr;
  Type declared = nullptr; // Actual: T of expression<T>
  Range range;             // of the definition, for notes
};

/// What may be done at this place (language.md 4.1, 4.2, 7.8).
struct Place {
  enum Kind { FunctionBody, Logic, OutputClause, PerTupleParam, StartParam, Constant, StateInit };
  Kind kind = FunctionBody;
  /// Logic of Custom: submit is known. outputs: the operator's, by index.
  bool maySubmit = false;
  const std::vector<typed::OutputPort> *outputs = nullptr;
  bool inOnPunct = false;       // currentPunct is known
  bool mutableTuple = false;    // the current tuple may be written
  bool *tupleWritten = nullptr; // set when logic writes the current tuple
  /// Output functions of the operator's port, or null.
  const std::vector<const typed::Prototype *> *outputFunctions = nullptr;
  bool submissionAllowed = true;
  Type returnType = nullptr; // FunctionBody; null elsewhere: `return;` only
  bool isStateful = false;   // may call stateful functions
};

/// What a formal of mode function stands for: a name, looked up in `scope`.
struct FunctionFormal {
  const ast::Actual *actual = nullptr;
  Scope *scope = nullptr;
};

/// One lexical level. Levels form a chain by `parent`; the outermost belongs to
/// a file (unit set) and ends in module-level lookup.
struct Scope {
  Scope *parent = nullptr;
  const ast::Unit *unit = nullptr; // of the file this text stands in (inherited)
  const Place *place = nullptr;    // inherited from the parent if null
  /// Owner of new variables (a function's or an operator's deque); inherited.
  std::deque<typed::Variable> *variables = nullptr;
  llvm::StringMap<Entity> values;
  llvm::StringMap<Type> types; // local aliases, $type formals, stream names
  /// Aliases in any order (a composite's type clause): resolved in this scope
  /// when first mentioned, then kept in `types`; cycles are reported.
  llvm::StringMap<const ast::TypeAlias *> aliases;
  /// Last resort for a type name (streams defined further down): null if unknown.
  std::function<Type(llvm::StringRef)> lateType;
  llvm::StringMap<FunctionFormal> functions; // $function formals
  /// Composite instance path and names for getThisCompositeInstanceName() ...
  const typed::Composite *composite = nullptr;
  std::string operatorName;
  bool isReplicated = false; // that operator is in a @parallel region

  const ast::Unit *file() const;
  const Place &where() const;
  std::deque<typed::Variable> &variableOwner();
};

/// Definitions of all files that the program may see (graph half).
class Modules {
public:
  virtual ~Modules() = default;
  struct TypeDef {
    const ast::TypeAlias *alias;
    const ast::Unit *unit;
    const ast::Composite *composite;
  };
  struct FunctionDef {
    const ast::Function *function;
    const ast::Unit *unit;
    std::string ns;
  };
  /// Module-level lookup from a file, by the order of language.md 6 (use
  /// directives, own namespace, wildcard uses, implicit namespaces). `ns` empty:
  /// unqualified. `composite` non-empty: Comp.T of a static type.
  virtual std::optional<TypeDef> findType(const ast::Unit *from, llvm::StringRef ns,
                                          llvm::StringRef composite, llvm::StringRef name) = 0;
  /// SPL functions and prototypes of the first step that yields any.
  virtual std::vector<FunctionDef> findFunctions(const ast::Unit *from, llvm::StringRef ns,
                                                 llvm::StringRef name) = 0;
  /// A member of a file-level or static enum that is visible bare or as
  /// Type.member / Comp.member.
  virtual std::optional<std::pair<Type, unsigned>>
  findEnumMember(const ast::Unit *from, llvm::StringRef qualifier, llvm::StringRef name) = 0;
  /// Names near `name`, for hints ("did you mean").
  virtual std::vector<std::string> similar(const ast::Unit *from, llvm::StringRef name) = 0;
};

/// Whether the value is known at compile time: a constant, or a literal of constants. Checking
/// folds as it goes, so what is not constant by then never will be.
bool isConstant(const typed::Expr &);

/// State of one analysis.
struct Sema {
  ASTContext &ast;
  TypeContext &types;
  Diagnostics &diags;
  const FrontendOptions &options;
  Modules *modules = nullptr;
  typed::Program *program = nullptr;
  /// Calls met while checking bodies queue functions here; the graph half drains
  /// it with checkPendingFunctions().
  struct Impl;
  std::unique_ptr<Impl> impl; // expression half: caches of functions, prototypes, aliases
  Sema(ASTContext &, TypeContext &, Diagnostics &, const FrontendOptions &);
  ~Sema();

  //===--- expression half ---------------------------------------------------===//
  /// How far a value may be converted to `expected`.
  enum Conversion {
    Exact,       // the same type (empty literals take it)
    Initialiser, // any explicit cast is inserted (variables, state)
    Numeric,     // integer literals for any numeric (parameters such as iterations: 20)
  };
  /// Null after an error. `expected` may be null.
  typed::ExprPtr checkExpr(const ast::Expr *, Scope &, Type expected = nullptr, Conversion = Exact);
  /// A whole body: also definite assignment and other rules of flow.
  typed::StmtPtr checkStmt(const ast::Stmt *, Scope &);
  /// A state declaration of a logic clause: one Variable per declarator is added
  /// to scope.variableOwner() and scope.values; initialisers (or null) to `inits`.
  void checkState(const ast::DeclStmt *, Scope &, std::vector<typed::Variable *> &vars,
                  std::vector<typed::ExprPtr> &inits);
  /// Error type after an error.
  /// Enum members enter `scope.values`.
  Type checkType(const ast::TypeNode *, Scope &);
  /// The type of a name in the scopes or the modules; null if there is none.
  Type findType(llvm::StringRef name, Scope &);
  /// Folds to a Const or reports err_not_constant; for bounds, constants, literals.
  typed::ExprPtr checkConstant(const ast::Expr *, Scope &, Type expected = nullptr);
  /// Finishes every function that was called; call until nothing is pending.
  void checkPendingFunctions();
  /// A prototype from its syntax; symbol included.
  const typed::Prototype *prototype(const ast::Function *, const ast::Unit *, llvm::StringRef ns);
  /// Inserts a Cast (or re-types a literal); null if no such cast exists.
  typed::ExprPtr convert(typed::ExprPtr, Type to);
  /// The index in program->submissions; reports conflicts of defaults.
  unsigned submission(llvm::StringRef name, bool isList, std::optional<std::string> defaultValue,
                      Scope &, Range);
  /// Checks functions and types of one unit as far as possible without a
  /// program (for `sluice check`).
  void checkUnitFunctions(const ast::Unit *);
};

} // namespace sluice::sema
