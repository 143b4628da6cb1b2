//===- Scope.h - what names mean at a place in the text ---------*- C++ -*-===//
#pragma once
#include "frontend/diagnostics/Spelling.h"
#include "frontend/sema/typed/Graph.h"
#include "llvm/ADT/StringMap.h"
#include <functional>

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
    Unknown,    // a formal without a value: its composite is checked on its own
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
  /// Whether logic may submit, and the output ports of the operator.
  bool maySubmit = false;
  const std::vector<typed::OutputPort> *outputs = nullptr;
  bool inOnPunct = false;       // currentPunct() is allowed
  bool mutableTuple = false;    // the current tuple may be written
  bool *tupleWritten = nullptr; // set when logic writes the current tuple
  /// Output functions of the operator's port, or null.
  const std::vector<const typed::Prototype *> *outputFunctions = nullptr;
  bool submissionAllowed = true;
  Type returnType = nullptr; // FunctionBody. Null elsewhere: `return` takes no value
  bool isStateful = false;   // may call stateful functions
  const typed::Function *function = nullptr; // FunctionBody
};

/// What a formal of mode function stands for: a name, looked up in `scope`. Without an actual it is
/// unknown.
struct FunctionFormal {
  const ast::Actual *actual = nullptr;
  Scope *scope = nullptr;
};

/// A stream that the text of an operator takes for one of its inputs.
struct AbsentStream {
  const ast::NameExpr *use; // the first one
  Type type;
};

/// One lexical level. Levels form a chain by `parent`; the outermost belongs to
/// a file (unit set) and ends in module-level lookup.
struct Scope {
  Scope *parent = nullptr;
  const ast::Unit *unit = nullptr; // the file of the text; inherited
  const Place *place = nullptr;    // inherited from the parent if null
  /// Owner of new variables (a function's or an operator's deque); inherited.
  std::deque<typed::Variable> *variables = nullptr;
  llvm::StringMap<Entity> values;
  llvm::StringMap<Type> types; // local aliases, $type formals, stream names
  /// Aliases in any order (a composite's type clause): resolved in this scope
  /// when first mentioned, then kept in `types`; cycles are reported.
  llvm::StringMap<const ast::TypeAlias *> aliases;
  /// Finds a type name that nothing else defines, such as a stream further down; else null.
  std::function<Type(llvm::StringRef)> lateType;
  std::function<void(NearNames &)> offerLateTypes;
  std::function<bool(llvm::StringRef)> hasStream; // of the graph of a composite
  llvm::StringMap<FunctionFormal> functions;      // $function formals
  std::vector<AbsentStream> absent;
  /// For getThisCompositeInstanceName() and getThisOperatorName().
  const typed::Composite *composite = nullptr;
  std::string operatorName;
  bool isReplicated = false; // that operator is in a @parallel region

  /// Offers the names of types, of all levels.
  void offerTypes(NearNames &) const;
  /// Offers the names of what `isKind` accepts, of all levels.
  void offerValues(NearNames &, llvm::function_ref<bool(const Entity &)> isKind) const;
  void offerFunctions(NearNames &) const;
  /// Whether a stream is called so, and no type that is nearer.
  bool isStream(llvm::StringRef name) const;
  /// The first absent stream that `isMeant` accepts, or null.
  AbsentStream *findAbsent(llvm::function_ref<bool(const AbsentStream &)> isMeant);
  const ast::Unit *file() const;
  const Place &where() const;
  std::deque<typed::Variable> &variableOwner();
};

} // namespace sluice::sema
