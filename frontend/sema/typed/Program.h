//===- Program.h - what Sema makes and emission reads -----------*- C++ -*-===//
//
// The typed tree. Every name is resolved, every expression has a type, every
// conversion is a CastExpr, and every invocation of a composite is an instance with
// its parameters substituted. Sema has refused whatever this release cannot run;
// emission walks the tree and reports nothing.
//
//===----------------------------------------------------------------------===//
#pragma once
#include "frontend/modules/native/CppOperator.h"
#include "frontend/sema/typed/Graph.h"
#include <map>

namespace sluice::typed {

/// A value that the user may give when a program starts.
struct Submission {
  std::string name; // qualified by composite: Main.n, ns::Main.n
  bool isList = false, hasDefault = false;
  std::string defaultValue;
  bool isSecret = false; // a parameter that is secret takes it
};

/// An operator of a toolkit, in C++, that is invoked.
struct CppOperatorUse {
  CppOperator code;
  Range use; // the first one
};

/// A native function of a toolkit that is called.
struct NativeCall {
  const Prototype *proto;
  Range use; // the first one
};

struct Program {
  std::string mainName; // ns::Main
  Composite main;
  std::deque<Function> functions;                           // those that are called
  std::vector<std::shared_ptr<const Prototype>> prototypes; // owns those of calls
  std::vector<NativeCall> nativeCalls;
  std::map<std::string, CppOperatorUse> cppOperators; // by qualified name
  std::vector<Submission> submissions;
  std::vector<Region> regions;
  std::vector<Consistent> marks; // annotations
  std::vector<Consistent>
      consistents; // consistent regions: annotations whose operators meet are one
  std::string applicationDir;
};

} // namespace sluice::typed
