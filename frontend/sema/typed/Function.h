//===- Function.h - variables, functions, prototypes ------------*- C++ -*-===//
#pragma once
#include "frontend/modules/FunctionFacts.h"
#include "frontend/modules/native/NativeModel.h"
#include "frontend/sema/typed/Stmt.h"
#include <deque>

namespace sluice::typed {

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

/// A function in C++: of the library, declared in stdlib/spl/*.spl, or of a toolkit.
struct Prototype {
  std::string ns, name;
  std::string symbol; // sl_<name>_<codes>, see runtime/include/sluice/abi.h
  std::vector<Type> typeVars;
  std::vector<Type> params; // may contain Var types
  std::vector<bool> isMutable;
  Type result; // Void, or may contain Var types
  bool isStateful = false;
  FunctionFacts facts;
  std::optional<NativeFunction>
      native;  // of a toolkit: no type variables are left where it is called
  Range range; // of its name
};

/// A function that is written in SPL.
struct Function {
  std::string symbol; // unique in the program
  std::string name;
  std::vector<Variable *> params;
  Type result;
  bool isStateful = false;
  StmtPtr body; // a block; null until it is checked
  Range range, nameRange;
  bool returnsValue = false;      // by its text, whatever is declared
  std::deque<Variable> variables; // owns formals and locals
};

} // namespace sluice::typed
