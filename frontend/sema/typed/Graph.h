//===- Graph.h - streams, operators and composite instances -----*- C++ -*-===//
#pragma once
#include "frontend/sema/typed/Function.h"
#include "ir/Enums.h"
#include "sluice/enums.h"
#include <map>

namespace sluice::typed {

/// A stream: what one output port of one operator submits.
struct Stream {
  std::string name; // instance path: Outer.Inner.S
  Type type;        // a tuple type
  Range range;
};

/// Which attribute of a stream's tuples is their event time.
struct EventTime {
  enum Resolution { Milliseconds, Microseconds, Nanoseconds };
  std::vector<std::string> path; // `a.b`: a, then b
  Type type = nullptr;           // int64, uint64 or timestamp
  Resolution resolution = Milliseconds;

  bool operator==(const EventTime &) const = default;
  int64_t nanosPerTick() const;
  /// The attribute's type in tuples of type `tuple`; null if there is none.
  static Type find(Type tuple, llvm::ArrayRef<std::string> path);
};

/// An output port with @eventTime makes watermarks. In nanoseconds.
struct Watermarks {
  int64_t gap; // of event time between two of them
  int64_t lag; // how far they are behind the latest tuple
};

/// How the tuples of a stream are partitioned where it enters a @parallel region.
struct Split {
  unsigned region = 0; // of Program::regions
  SplitKind by = SplitKind::RoundRobin;
  std::vector<unsigned> keys; // ByKey: attribute indices
};

/// What @threading says of the operators in its composite.
struct Threading {
  std::optional<stream::ThreadingModel> model; // none: the run time decides
  int64_t threads = 0;                         // Dynamic; 0: not given
  bool elastic = true;                         // Dynamic
};

/// config placement: what the program asks of the PEs (processes) that operators are in.
struct Placement {
  struct Id {
    std::string text;
    bool perReplica = false; // byChannel() or byReplica(): another id for each replica
    bool operator==(const Id &) const = default;
  };
  std::vector<Id> colocation, exlocation; // one PE for all that have the id; one for each
  bool isolation = false;                 // a PE of its own
  Range range;

  bool isGiven() const { return isolation || !colocation.empty() || !exlocation.empty(); }
};

/// A number that is known when the program starts: a constant, or a submission-time value.
struct StartNumber {
  StartNumber(double value = 0) : value(value) {}
  double value;
  std::optional<unsigned> submission;

  bool operator==(const StartNumber &) const = default;
};

/// What @consistent says. Times are in seconds.
struct Consistent {
  bool isDriven = false; // an operator, not the period, says when a checkpoint is made
  StartNumber period, drainTimeout{180}, resetTimeout{180}, resetAttempts{5};
  Range range;
};

/// What an operator is to checkpoints.
struct Recovery {
  /// Of Program::marks: the annotations @consistent of the operator and of the composites that it
  /// is in.
  std::vector<unsigned> marks;
  bool isMarked = false;             // the last one is its own
  std::optional<Range> autonomous;   // @autonomous, also of a composite that it is in
  std::optional<Range> checkpoint;   // config checkpoint
  std::optional<bool> isRestartable; // config restartable
  int region = -1;                   // its consistent region, of Program::consistents
  stream::RecoveryRole roles = stream::RecoveryRole::None;
  uint32_t inputs = 0; // bit i: all streams of input port i are of that region

  bool is(stream::RecoveryRole role) const { return (roles & role) != stream::RecoveryRole::None; }
  void add(stream::RecoveryRole role) { roles = roles | role; }
};

/// config threadedPort: the port has a queue and a thread of its own.
struct ThreadedPort {
  QueuePolicy policy = QueuePolicy::Wait;
  int64_t size = 1000; // tuples
};

/// The window of an input port (language.md 10).
struct Window {
  using Kind = stream::WindowKind;
  using Policy = stream::WindowPolicy;
  using Limit = stream::PartitionLimit;
  /// `size`: Count int64, Time float64 (seconds), Delta as its attribute (of timestamps float64).
  struct Bound {
    Policy policy = Policy::Count;
    ExprPtr size;           // Punct: null
    unsigned attribute = 0; // Delta: of the port
  };
  /// Seconds of event time; null: the default.
  struct Panes {
    ExprPtr duration, period, offset, discardAge;
  };

  Kind kind = Kind::Tumbling;
  Bound evict;   // tumbling: when it is flushed
  Bound trigger; // Sliding
  Panes panes;   // Interval
  bool partitioned = false;
  std::optional<Limit> limit;
  ExprPtr limitSize; // Partitions and Tuples int64, Age float64 (seconds)
  Range range;
};

/// What an output port does with window punctuation: makes its own, passes that of the input, or
/// does not say.
enum class OutputPunct { Free, Generating, Preserving };

struct InputPort {
  std::string name;
  Type type;
  std::vector<Stream *> streams;
  std::vector<std::vector<Split>> splits; // by stream: regions entered, outermost first
  StmtPtr onTuple, onPunct;               // may be null
  bool mutatesTuple = false;              // onTuple writes the tuple or its attributes
  std::optional<Window> window;
  std::optional<EventTime> eventTime; // that of all streams
  /// Where it is said that the port needs window punctuation; empty: it does not.
  std::optional<Range> needsPunct;
  Range range;
};

struct OutputPort {
  std::string name;
  Stream *stream;
  OutputPunct punct = OutputPunct::Free;
  std::optional<EventTime> eventTime;
  std::optional<Watermarks> watermarks; // of an operator with @eventTime
  /// One value for each attribute, in order, with those that are assigned automatically; a
  /// SuppliedExpr where the operator itself gives the value. Empty if the operator's model has
  /// no assignments.
  std::vector<ExprPtr> values;
};

struct Parameter {
  std::string name;
  std::vector<ExprPtr> values; // literals and attribute names: Const rstring
  bool perTuple = false;       // mode Expression: evaluated with a current tuple
  Range range;
};

/// What the declaration of an operator tells later phases (modules/OperatorModel.h).
struct OperatorFacts {
  stream::OperatorTrait traits = stream::OperatorTrait::none;
  bool exports = false;              // other jobs may take its input stream
  bool imports = false;              // its tuples come from other jobs
  bool holds = false;                // it keeps tuples back without a window
  uint32_t controlPorts = 0;         // bit i: input port i is a control port
  std::string readsFile, writesFile; // parameters that name a file, or empty
  /// What it may be in a consistent region. Triggers: also a start that says when a checkpoint is
  /// made.
  enum class InRegion : uint8_t { Inside, Never, Starts, Triggers };
  InRegion inRegion = InRegion::Inside;
  std::string triggerParam; // the parameter that says when; empty: it needs none

  bool is(stream::OperatorTrait trait) const {
    return (traits & trait) != stream::OperatorTrait::none;
  }
  void add(stream::OperatorTrait trait) { traits = traits | trait; }
};

/// One primitive operator of the graph.
struct Operator {
  std::string name; // instance path
  std::string kind; // qualified: spl.relational::Filter
  OperatorFacts facts;
  std::vector<InputPort> inputs;
  std::vector<OutputPort> outputs;
  std::vector<Variable *> states;
  std::vector<ExprPtr> stateInits; // parallel to states; null: the default value
  StmtPtr onProcess;
  std::vector<Parameter> params;
  bool isCatch = false; // @catch, also inherited from an enclosing composite
  int region = -1;      // the innermost @parallel region, of Program::regions
  Threading threading;  // of the innermost composite that has the annotation
  Placement placement;  // its own, or that of the innermost composite that has one
  Recovery recovery;
  std::map<unsigned, ThreadedPort> threadedPorts; // by input port
  Range range;
  std::deque<Variable> variables; // owns states and locals
  /// The parameter of that name, or null.
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

/// A @parallel region: an operator or composite that stands for several.
struct Region {
  std::string path; // of what is annotated
  std::string kind; // the name of its operator or composite
  int parent = -1;  // the region around it, which comes earlier
  int64_t width = 0;
  std::optional<unsigned> submission; // the width is this submission-time value
  Range range;
};

} // namespace sluice::typed
