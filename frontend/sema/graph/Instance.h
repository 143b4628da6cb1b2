//===- Instance.h - composites under expansion ------------------*- C++ -*-===//
#pragma once
#include "frontend/modules/ModuleTable.h"
#include "frontend/sema/Scope.h"

namespace sluice::sema {

/// A stream as one composite instance names it.
struct StreamRef {
  std::string name;
  Range range;
  const ast::TypeNode *typeNode = nullptr; // not resolved yet
  const ast::Invocation *maker = nullptr;  // where that type stands
  Type type = nullptr;                     // Error after an error
  bool resolving = false;
  typed::Stream *stream = nullptr;   // made by a primitive operator here
  std::vector<StreamRef *> same;     // made elsewhere: a port of a composite
  std::optional<typed::Split> split; // an input port of a composite that is a @parallel region

  /// Whether `port` is the definition: a second one of that name is an error.
  bool isMadeBy(const ast::OutPort &port) const { return range.begin == port.stream.range.begin; }
};

/// An input port of an invocation.
struct PortView {
  std::string name;                    // the alias, or else the first stream
  std::vector<llvm::StringRef> labels; // all names that denote it
  std::vector<StreamRef *> streams;
  Type type = nullptr;
  Range range;
};

/// What a formal stands for in one instance.
struct Binding {
  const ast::Formal *formal = nullptr;
  const ast::Actual *actual = nullptr;
  bool isDefault = false;
  Type declared = nullptr; // T of expression<T>
  // Mode attribute: the attribute's name and type, and the port it belongs to.
  llvm::StringRef attribute;
  Type attributeType = nullptr;
  const PortView *port = nullptr;
};

/// One instance of a composite.
struct Instance {
  OperatorDef def;
  typed::Composite *typed = nullptr;
  Instance *parent = nullptr;
  const ast::Invocation *at = nullptr; // in the parent
  std::vector<PortView> ports;         // the input ports of that invocation
  std::vector<PortView> made;          // the output ports, once an attribute may be one of theirs
  Scope *scope = nullptr;
  std::vector<Binding> bindings;
  llvm::StringMap<StreamRef *> streams;
  llvm::StringMap<Range> names;           // of operator instances
  llvm::StringMap<OperatorDef> operators; // formals of mode operator
  bool isCatch = false;
  int region = -1; // the innermost @parallel region
  typed::Threading threading;
  typed::Recovery recovery;         // what it says of the operators inside
  typed::Recovery ownRecovery;      // what the invocation itself says
  typed::Placement placement;       // of operators inside that have none
  bool ownPlacement = false;        // the invocation itself has one
  std::vector<typed::Split> splits; // by input port, where it is that region
};

/// What a formal of mode attribute stands for; other names stand for themselves.
llvm::StringRef attributeName(const Instance &, llvm::StringRef name);

/// Whether an operator in the composite assigns or submits to a stream of that name, which it does
/// not make: this gets the error, and those that read the stream do not.
bool isMisspeltWhereMade(const ast::Composite &, llvm::StringRef name);

/// @eventTime of an invocation. Its outputs are not known yet.
struct EventTimeMark {
  std::vector<std::string> path;
  std::optional<typed::EventTime::Resolution> resolution;
  typed::Watermarks watermarks;
  Range attribute, resolutionRange;
};

/// What annotations say of an invocation and all that is in it.
struct Annotations {
  bool valid = true;
  bool isCatch = false;
  int region = -1;
  typed::Threading threading;
  bool ownThreading = false; // the invocation itself has the annotation
  std::optional<EventTimeMark> eventTime;
  std::optional<unsigned> consistent; // @consistent: of Program::marks
  std::optional<Range> autonomous;
  typed::Recovery config; // of the invocation of a composite
  /// By input port, where this invocation is a region.
  std::vector<typed::Split> splits;
};

} // namespace sluice::sema
