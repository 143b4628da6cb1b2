//===- GraphSema.h - the graph half of Sema, inside -------------*- C++ -*-===//
//
// A composite is a macro: `GraphSema` checks its body once per invocation, in
// scopes that bind its formals. Streams are `StreamRef`s until every instance is
// expanded, because a stream may be used above the invocation that makes it.
//
//===----------------------------------------------------------------------===//
#pragma once
#include "frontend/modules/OperatorModel.h"
#include "frontend/sema/graph/Scopes.h"
#include <set>

namespace sluice::sema {

/// A stream into an input port that is not connected yet.
struct Connection {
  typed::Operator *op;
  unsigned port;
  std::vector<StreamRef *> streams;
  std::vector<typed::Split> path; // the regions entered so far, the innermost first
};

class GraphSema {
public:
  GraphSema(Sema &sema, ModuleTable &modules)
      : sema(sema), diags(sema.diags), types(sema.types), modules(modules) {}

  /// Instantiates `main` into sema.program. Errors go to the diagnostics.
  void run(const OperatorDef &main);
  /// Checks the composites of `unit` of which there is no instance, each on its own, as far as
  /// their parameters and the types of their input ports allow.
  void checkOthers(const ast::Unit *unit);
  /// Checks of a definition that need no instance; each composite once. False if
  /// it cannot be instantiated.
  bool checkDefinition(const ast::Composite *);
  /// The instances under expansion, outermost first: the trail of an error.
  llvm::ArrayRef<Instance *> trail() const { return expanding; }

  Sema &sema;
  Diagnostics &diags;
  TypeContext &types;
  ModuleTable &modules;

  //===--- operators -----------------------------------------------------------===//
  /// Null after reporting that the name means nothing, or more than one thing.
  /// `inst`: whose formals may be meant.
  std::optional<OperatorDef> findOperator(const ast::Unit *from, const ast::Path &,
                                          const ast::Ident &, const Instance *inst = nullptr);
  const typed::OperatorModel *model(const OperatorDef &);
  /// The first streams of operators whose streams nothing reads, each once for all instances.
  llvm::SetVector<const ast::Ident *> unread;
  void checkInvocation(Instance &, const ast::Invocation &);
  /// Resolves the ports of an invocation; false after an error.
  bool inputPorts(Instance &, const ast::Invocation &, bool mayHaveMore,
                  std::vector<PortView> &ports);
  /// Adds the stream `name` to an input port; false if there is no such stream. `mayHaveMore`: the
  /// operator may have another input port.
  bool connect(Instance &, const ast::InPort &, const ast::Ident &name, bool mayHaveMore,
               PortView &port);
  /// Enters the streams that the invocation names before a dot and does not read
  /// (wrong/AbsentStreams.cpp).
  void findAbsent(Instance &, const ast::Invocation &, llvm::ArrayRef<PortView>, Scope &);
  void expandComposite(Instance &, const ast::Invocation &, const OperatorDef &,
                       std::vector<PortView> ports, const Annotations &,
                       const std::optional<typed::Placement> &);
  void expandPrimitive(Instance &, const ast::Invocation &, const typed::OperatorModel &,
                       std::vector<PortView> ports, const Annotations &);
  /// Connects `port` once all instances are expanded.
  void connectLater(typed::Operator &op, unsigned port, std::vector<StreamRef *> streams,
                    const std::vector<typed::Split> &splits);
  std::string instanceName(const ast::Invocation &) const;

  //===--- annotations, config (Annotation.cpp, config/) -----------------===//
  /// `isComplete`: the invocation has as many input ports as the operator; else those that an
  /// annotation names may be missing.
  Annotations checkAnnotations(Instance &, const ast::Invocation &, bool isComposite,
                               bool isComplete, llvm::ArrayRef<PortView>);
  /// `op`: what is invoked; null: a composite. Returns its own placement, if it has one; adds to
  /// `recovery` what it says.
  std::optional<typed::Placement> checkConfig(Instance &, const ast::Invocation &,
                                              typed::Operator *op, llvm::ArrayRef<PortView>,
                                              typed::Recovery &recovery);
  void checkCompositeConfig(Instance &);
  void checkDefinitionAnnotations(const ast::Composite *);

  /// The value of the main composite's `config applicationScope`, and where it stands; null: none.
  std::pair<const ast::Expr *, Scope *> applicationScope() const;
  /// The type that readers of the stream see: Error if it is defined twice, with several types.
  Type typeForReaders(Instance &, StreamRef &);

  Scopes scopes;
  std::vector<Connection> connections;
  /// Of formals; each is checked once.
  std::set<const ast::Formal *> checkedDefaults;

private:
  //===--- instances (GraphSema.cpp) ----------------------------------------===//
  void checkBody(Instance &);
  /// Checks the body of an instance that is no main composite. False after an error that says that
  /// it is not made for the streams of its input ports (wrong/WrongInputs.cpp).
  bool checkInstance(Instance &);
  class WrongInputs;
  void declareStreams(Instance &);
  void declareName(Instance &, const ast::Ident &, const ast::Invocation &);
  Scope &headScope(Instance &, const ast::Invocation *);
  Type streamType(Instance &, StreamRef &);
  void checkTypesOfStreams(Instance &);
  void resolveConnections();
  void warnUnread();
  void warnUnreadFormals(const ast::Composite &);
  bool producers(StreamRef *, Connection &, llvm::SmallPtrSetImpl<StreamRef *> &);
  Instance &newInstance(const OperatorDef &, typed::Composite &, Instance *parent);

  //===--- composites (Composite.cpp) ---------------------------------------===//
  bool checkInstantiation(Instance &, const ast::Invocation &, const OperatorDef &,
                          llvm::ArrayRef<PortView>);
  void checkOutputType(Instance &, const ast::PortDecl &, const StreamRef &);
  void checkPortCounts(const ast::Invocation &, const ast::Composite &, size_t inputs);
  void connectOutputs(Instance &inst, const ast::Invocation &);

  std::deque<typed::Variable> noVariables; // owner where there is no operator
  std::deque<typed::Composite> others;     // of checkOthers
  std::deque<Instance> instances;
  std::deque<StreamRef> refs;
  std::vector<Instance *> expanding;
  llvm::MapVector<const ast::Composite *, bool> checkedDefinitions;
  std::map<const ast::OperatorModelDecl *, std::unique_ptr<const typed::OperatorModel>> models;
};

/// Reports clauses out of order or repeated (language.md 2.6).
void checkClauseOrder(Diagnostics &, llvm::ArrayRef<ast::ClauseMark>,
                      llvm::ArrayRef<llvm::StringRef> order);
/// The value of a key of an annotation, or null.
const ast::Expr *valueOf(const ast::Annotation &, llvm::StringRef key);
/// The plain name that an expression or type actual consists of, or null.
const ast::NameExpr *plainName(const ast::Expr *);

/// Whether a constant is below 0, no number or, if it has to be `positive`, 0; reports that. What
/// is known at the start only is checked there (spl.check_size).
bool isBadSize(Diagnostics &, const typed::Expr &value, Range, llvm::StringRef word, bool positive);

} // namespace sluice::sema
