//===- Suspicions.h - what is in doubt after an error -------------*- C++ -*-===//
//
// One mistake makes wrong what depends on it, in many places. What an error puts in doubt is noted
// here. A later error about it is counted and not shown: it repeats the first one, or follows from
// it.
//
//===----------------------------------------------------------------------===//
#pragma once
#include "frontend/diagnostics/Diagnostics.h"
#include "frontend/types/Types.h"
#include <map>
#include <set>

namespace sluice::sema {

/// Why something is in doubt, and of what kind it is.
enum class Doubt {
  // declarations, by place
  RefusedValue,  // a value of another type was refused: the declared type may be wrong
  AttributeType, // would have to be of another type (`object`)
  // declarations, by object
  DefinedTwice, // which of both is meant is not known
  Immutable,    // written, and not `mutable`
  NoResult,     // a function without a result is used as if it had one, or returns a value
  ReturnsValue, // a function without a result does so: that is reported there
  MakesInput,   // a composite makes a stream that is called like an input
  OutputType,   // an output port of a composite has another type than its stream
  NoPorts,      // a composite without ports is given streams
  PortCount,    // a composite is given another number of inputs or of outputs (`counts`)
  PortCounts,   // of both
  // names
  Unknown,        // nothing is called so
  Misspelt,       // the right name of what is declared under another one
  SharedMember,   // several enumerations of a file have the member
  SeveralFiles,   // several files define it
  UseMissing,     // a namespace that no `use` of a file (`object`) names
  ToolkitMissing, // a toolkit that is not there
  // places
  LacksAttribute, // a type lacks the attribute that is named there
  NoTuple,        // handlers without a current tuple, of which one is used
  NoPort,         // the ports of an operator, of which none has the name
  NoInput,        // a stream that an operator reads and that is none of its inputs
  Label,          // a label of a clause that is no port of the operator
  SharedLabel,    // a label of several ports of the operator
};

/// What is in doubt: a place, an object, a name, or several of these together.
struct Subject {
  Range place = {};
  const void *object = nullptr;
  std::string name = {};
  std::pair<size_t, size_t> counts = {};

  static Subject at(Range place) { return {.place = place}; }
  static Subject startOf(Range place) { return at({place.file, place.begin, place.begin}); }
  static Subject of(const void *object, llvm::StringRef name = "") {
    return {.object = object, .name = name.str()};
  }
  static Subject called(llvm::StringRef name) { return {.name = name.str()}; }
  bool operator<(const Subject &other) const {
    auto key = [](const Subject &each) {
      return std::tuple(each.place.file, each.place.begin, each.place.end, each.object,
                        llvm::StringRef(each.name), each.counts);
    };
    return key(*this) < key(other);
  }
};

/// An error that may be one about what is in doubt.
struct Suspicion {
  Doubt why;
  Subject about;
  Subject where = {};   // that of the first error is no repetition in another instance
  Type tuple = nullptr; // Misspelt: the type that may have the attribute under another name
};

class Suspicions {
public:
  explicit Suspicions(Diagnostics &diags) : diags(diags) {}

  /// Errors about it are not shown from now on.
  void doubt(Doubt why, Subject about) { states[{why, std::move(about)}].isDoubted = true; }
  bool isInDoubt(Doubt why, const Subject &about) const;
  /// Where the first error about it was shown; null if none was.
  const Subject *firstOf(Doubt why, const Subject &about) const;

  /// Reports an error unless it follows from what is in doubt: then it is counted, and notes to it
  /// go nowhere. If it is shown, what it is about is in doubt.
  template <typename... Args>
  mlir::InFlightDiagnostic report(llvm::ArrayRef<Suspicion> all, Range range, Diag id,
                                  const Args &...args) {
    if (covers(all))
      return {};
    return diags.report(range, id, args...);
  }
  /// Asks before an error that needs more than a report. True: it is counted, and not to be shown.
  bool covers(llvm::ArrayRef<Suspicion>);
  /// The same for an error that was begun: it is taken back.
  bool withdraws(mlir::InFlightDiagnostic &, const Suspicion &);

  /// Remembers, with a report of it, that an attribute is called `written` where the program means
  /// `meant`.
  void misspelt(llvm::StringRef written, llvm::StringRef meant);
  /// Whether the tuple type has the attribute under a misspelt name.
  bool isMisspelt(Type tuple, llvm::StringRef attribute) const;

private:
  struct State {
    bool isDoubted = false;
    unsigned shown = 0; // errors
    Subject first;      // where
    std::set<std::string> written;
  };
  /// Notes an error about it if that is to be shown.
  bool isOld(const Suspicion &);

  Diagnostics &diags;
  std::map<std::pair<Doubt, Subject>, State> states;
};

} // namespace sluice::sema
