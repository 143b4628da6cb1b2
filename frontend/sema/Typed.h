//===- Typed.h - the typed tree: what Sema makes and emission reads -*- C++ -*-===//
//
// Every name is resolved, every expression has a type, every conversion is a
// Cast, composites are instantiated (a composite is a macro: its body is
// checked once per invocation, with its parameters substituted). Emission is a
// plain walk over this; it reports nothing.
//
// Everything that this release cannot run was refused by Sema ("not supported
// yet"), so emission may assume the supported subset.
//
//===----------------------------------------------------------------------===//
#pragma once
#include "frontend/modules/FunctionFacts.h"
#include "frontend/syntax/AST.h"
#include "frontend/types/Types.h"
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace sluice::typed {

struct Function;
struct Prototype;
struct Expr;
using ExprPtr = std::unique_ptr<Expr>;

/// A local, a loop variable, a formal, or a state variable.
struct Variable {
  enum Kind { Local, Loop, Formal, State };
  Kind kind;
  std::string name;
  Type type;
  bool isMutable;
  unsigned index = 0; // Formal: position; State: position in the operator
  Range range;
};

enum class ExprKind {
  Const, // `value` (scalars, enum, rstring, timestamp zero) or all-default
  Var,   // var
  Tuple, // the current tuple of input port `port`, whole
  Punct, // currentPunct(): the marker, an enum
  Field, // args[0] . attribute `index`
  Index, // args[0] [ args[1] ]: list, map, rstring
  Slice, // args[0] [ args[1] : args[2] ], either bound may be null
  ListLit,
  SetLit,   // args: elements
  MapLit,   // args: key, value, key, value, ...
  TupleLit, // args: attribute values in order
  Neg,
  Not,
  BitNot,
  Binary, // op; operands of one type unless `lift`
  And,
  Or,          // short circuit
  In,          // args[0] in args[1]
  Conditional, // args[0] ? args[1] : args[2]
  Cast,        // to `type`; any cast that language.md 3.5 allows
  Call,        // callee (an SPL function), args; mutable ones are places
  Native,      // proto (a library function), args, typeArgs
  Assign,      // args[0] = args[1]; or, compound, args[0] op= args[1]
  IncDec,      // args[0] ++ or -- ; `prefix`, `decrement`
  Submit,      // args[0], a tuple, to output port `port`
  SubmitPunct, // args[0], a marker (enum WindowMarker, FinalMarker), to `port`
  Submission,  // submission-time value `index` of Program::submissions
  OutputFn,    // an output function of the operator: proto, args
  Supplied,    // the value that the operator itself gives to an attribute
};

/// An Expr is a place (may be assigned, passed to mutable formals) if it is a
/// mutable Var or Tuple, or Field/Index of a place.
struct Expr {
  ExprKind kind;
  Type type;
  Range range;
  std::vector<ExprPtr> args;

  // Const. Integers, boolean and enum in `integer` (sign- or zero-extended to
  // 64 bits), floats in `real`, rstring in `text`. isDefault: all-zero value of
  // any type ({} and [] included).
  bool isDefault = false;
  int64_t integer = 0;
  double real = 0;
  std::string text;

  Variable *var = nullptr;
  unsigned port = 0, index = 0;
  ast::BinaryOp op = ast::BinaryOp::Add;
  bool compound = false, prefix = false, decrement = false;
  /// Binary, Assign with lists or maps: element by element. Left/Right: that
  /// side is the scalar's partner collection; Both: the dotted form.
  enum Lift { NoLift, LiftLeft, LiftRight, LiftBoth } lift = NoLift;
  Function *callee = nullptr;
  const Prototype *proto = nullptr;
  std::vector<Type> typeArgs; // of proto's type variables, in order
  std::string name;
  /// Short source text, for the message when it fails at run time.
  std::string source;
};

enum class StmtKind { Decl, Expr, Block, If, While, For, Break, Continue, Return };
struct Stmt;
using StmtPtr = std::unique_ptr<Stmt>;
struct Stmt {
  StmtKind kind;
  Range range;
  Variable *var = nullptr;   // Decl, For
  ExprPtr expr;              // Decl: initialiser or null (default value);
                             // Expr; If, While: condition; For: collection; Return
  std::vector<StmtPtr> body; // Block: all; If: then, else?; While, For: one
};

/// A library function: a prototype of stdlib/spl/*.spl.
struct Prototype {
  std::string ns, name;
  std::string symbol; // sl_<name>_<codes>, see runtime/include/sluice/abi.h
  std::vector<Type> typeVars;
  std::vector<Type> params; // may contain Var types
  std::vector<bool> isMutable;
  Type result; // Void, or may contain Var types
  bool isStateful = false;
  FunctionFacts facts;
  std::string doc;
};

/// A function written in SPL. `symbol` is unique in the program.
struct Function {
  std::string symbol, name;
  std::vector<Variable *> params;
  Type result;
  bool isStateful = false;
  StmtPtr body;
  Range range;
  std::deque<Variable> variables; // owns params and locals
};

struct Operator;
/// A stream: one output port of one operator.
struct Stream {
  std::string name; // instance path: Outer.Inner.S
  Type type;        // a tuple type
  Operator *producer = nullptr;
  unsigned port = 0;
  Range range;
};

/// How the tuples of a stream are shared out where it enters a @parallel region.
struct Split {
  enum By { Row, Key, All };
  unsigned region = 0; // of Program::regions
  By by = Row;
  std::vector<unsigned> keys; // Key: attribute indices
};

/// @threading, of what it encloses. None: the run time decides.
struct Threading {
  enum Model { None, Manual, Automatic, Dynamic, Dedicated } model = None;
  int64_t threads = 0; // Dynamic; 0: not said
  bool elastic = true; // Dynamic
};
/// config threadedPort: the port has a queue and a thread of its own.
struct ThreadedPort {
  enum Policy { Wait, DropFirst, DropLast } policy = Wait;
  int64_t size = 1000; // tuples
};

struct InputPort {
  std::string name;
  Type type;
  std::vector<Stream *> streams;
  std::vector<std::vector<Split>> splits; // by stream: regions entered, outermost first
  StmtPtr onTuple, onPunct;               // may be null
  bool mutatesTuple = false;              // onTuple writes the tuple or its attributes
  Range range;
};
struct OutputPort {
  std::string name;
  Stream *stream;
  /// One value per attribute, in order, with auto-assignment filled in: Field of
  /// a Tuple, or OutputFn, or Const default; Supplied where the operator itself
  /// gives the value. Empty where the operator's model has no assignments.
  std::vector<ExprPtr> values;
};
struct Parameter {
  std::string name;
  std::vector<ExprPtr> values; // custom literals, attribute names: Const rstring
  bool perTuple = false;       // mode Expression: evaluated with a current tuple
  Range range;
};
struct OperatorModel;

/// What the declaration of an operator tells later phases (modules/OperatorModel.h).
struct OperatorFacts {
  bool isNative = false;
  bool forwardsPunctuation = false;  // window punctuation goes on to all output ports
  std::string readsFile, writesFile; // parameters that name a file, or empty
};

struct Operator {
  std::string name; // instance path
  std::string kind; // qualified: spl.relational::Filter
  const OperatorModel *model;
  OperatorFacts facts;
  std::vector<InputPort> inputs;
  std::vector<OutputPort> outputs;
  std::vector<Variable *> states;
  std::vector<ExprPtr> stateInits; // parallel to states; null = default value
  StmtPtr onProcess;
  std::vector<Parameter> params;
  bool isCatch = false; // @catch, also inherited from an enclosing composite
  int region = -1;      // the innermost @parallel region, of Program::regions
  Threading threading;  // of the innermost composite that has the annotation
  std::map<unsigned, ThreadedPort> threadedPorts; // by input port
  Range range;
  std::deque<Variable> variables; // owns states and locals
  const Parameter *param(llvm::StringRef name) const;
};

/// One instance of a composite: the main composite, or an invocation.
struct Composite {
  std::string path;       // "" for main; Outer.Inner
  std::string definition; // ns::Name
  std::deque<Operator> operators;
  std::deque<Composite> composites;
  std::deque<Stream> streams; // produced by the operators of this instance
  Range range;
};

struct Submission {
  std::string name; // qualified by composite: Main.n, ns::Main.n
  bool isList = false, hasDefault = false;
  std::string defaultValue;
};

/// A @parallel region: an operator or composite that stands for several.
struct Region {
  std::string path; // of what is annotated
  int parent = -1;  // the region around it, which comes earlier
  int64_t width = 0;
  std::optional<unsigned> submission; // the width is this submission-time value
  Range range;
};

struct Program {
  std::string mainName; // ns::Main
  Composite main;
  std::deque<Function> functions;                           // those that are reachable
  std::vector<std::shared_ptr<const Prototype>> prototypes; // owns those of calls
  std::vector<std::shared_ptr<const OperatorModel>> models; // owns those of operators
  std::vector<Submission> submissions;
  std::vector<Region> regions;
  std::string applicationDir;
};

} // namespace sluice::typed
