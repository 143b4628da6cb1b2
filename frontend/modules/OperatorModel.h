//===- OperatorModel.h - what a primitive operator accepts ------*- C++ -*-===//
//
// Read from the `operator` declarations of the standard toolkit
// (stdlib/operators/*/*.spl, stdlib/spl/*.spl). The words of a declaration:
//
//   input    one | optional | open; oblivious | expecting | windowBound;
//            control (its tuples say what the operator does with others);
//            mutable (logic may write the tuple); windowed |
//            windowOptional; sliding (its window is); interval (its window may
//            be timeInterval); delayed (tuples wait there, until the operator's
//            thread of its own lets them pass)
//   output   one | optional | open; free | generating | preserving;
//            assign (the output clause is allowed); auto (attributes are copied
//            by name); complete (every attribute needs a value); same (the type
//            of the first input); supplied (the operator itself gives the
//            values that are not assigned)
//   param    expression<T> | attributeFree<T> | constant<T> | attribute |
//            literal{a, b}; T may be a type class and may be missing;
//            condition (over properties of streams of other jobs) | condition{Out} (over
//            attributes of the output port): checked here, evaluated by whoever has the
//            tuples (runtime/exchange/Condition.h);
//            tuple{In} (a tuple of that port, or output port);
//            required; many (values); of{In} (attributes of input port In only);
//            each (NAME0, NAME1, ...: one for each input port, of its attributes;
//            NAMELHS and NAMERHS are the first and the last);
//            scope (not given: the `config applicationScope` of the main composite);
//            texts{p} (not given: what the program writes for each value of parameter p);
//            secret (submission-time values in it appear nowhere);
//            notNegative | positive (a number); to<T> (converted); planned (not in this release);
//            carried (of a native operator with one input port: a value that depends on the tuple
//            or on state is evaluated for each tuple, and comes with it as attribute $NAME);
//            planned{a} (these literals are not)
//   function output functions, with their facts (FunctionFacts.h)
//   config   status   : planned (not in this release)
//            handlers : none (no logic clause) | submit (logic may submit tuples,
//                       and has onProcess where there is no input port)
//            code     : native (a C++ class of the runtime; its parameters are
//                       evaluated once, at the start); batches (which takes whole batches)
//            jobs     : exports (other jobs may take its input stream) | imports (its tuples
//                       come from other jobs)
//            files    : reads{p} | writes{p} (the file that parameter p names);
//                       follows{p} (where constant p is true, the file is read as it grows,
//                       whoever writes it)
//            source   : daemon (a source that ends when all others have ended)
//            windows  : sorted (the tuples of the window are put in order) |
//                       matched (those of the two windows meet)
//            consistent : start (it may start a consistent region) | trigger, trigger{p} (and say
//                       there when a checkpoint is made, as parameter p says) | never (it cannot
//                       be in one)
//            tuples   : held (they may wait in the operator, so event time ends)
//
//===----------------------------------------------------------------------===//
#pragma once
#include "frontend/sema/Sema.h"

namespace sluice::typed {

struct OperatorModel {
  enum Cardinality { One, Optional, Open };
  enum class InputPunct { Oblivious, Expecting, WindowBound };
  using OutputPunct = typed::OutputPunct;
  enum class Window { None, Optional, Required };
  enum class Mode { Expression, AttributeFree, Constant, Attribute, Literal, Condition };

  struct Input {
    std::string name;
    Cardinality cardinality = One;
    InputPunct punct = InputPunct::Oblivious;
    Window window = Window::None;
    bool isMutable = false;
    bool isControl = false;
    bool onlySliding = false; // the window
    bool mayBeInterval = false;
  };
  struct Output {
    std::string name;
    Cardinality cardinality = One;
    OutputPunct punct = OutputPunct::Free;
    bool assign = false, autoAssign = false, complete = false, same = false, supplied = false;
  };
  struct Param {
    std::string name;
    Mode mode = Mode::Expression;
    bool required = false, many = false, each = false, planned = false, carried = false;
    bool isScope = false, secret = false;
    std::string textsOf; // the parameter whose values' texts it has; or empty
    enum Sign { Any, NotNegative, Positive } sign = Any; // of a number
    bool ofTuples = false;        // a condition: over attributes of the output port
    std::optional<unsigned> port; // the input port whose attributes it may use; none: all
    Type type = nullptr;          // null: any of `cls`
    struct Port {
      bool isOutput;
      unsigned index;
    };
    std::optional<Port> tupleOf; // the value is a tuple of this port, which is always there
    std::string cls;             // a type class, or empty
    Type convertTo = nullptr;
    std::vector<std::string> literals, plannedLiterals;
  };

  std::string ns, name;
  std::vector<Input> inputs;
  std::vector<Output> outputs;
  std::vector<Param> params;
  std::vector<const Prototype *> functions;
  bool planned = false; // known, but not in this release
  enum class Handlers { None, Plain, Submit } handlers = Handlers::Plain;
  OperatorFacts facts;
  std::string followsFile; // the constant that says that the file it reads may grow, or empty
  Range range;

  std::string qualified() const { return ns + "::" + name; }
  const Param *param(llvm::StringRef name) const;
  /// The parameter that an invocation with so many input ports names so.
  std::optional<Param> param(llvm::StringRef name, unsigned ports) const;
  /// Whether it has an output function of that name.
  bool hasFunction(llvm::StringRef function) const {
    return llvm::any_of(functions, [&](const Prototype *own) { return own->name == function; });
  }
  /// The model of port `index`: the last one is open or the index is in range.
  const Input &input(unsigned index) const {
    return inputs[std::min<size_t>(index, inputs.size() - 1)];
  }
  const Output &output(unsigned index) const {
    return outputs[std::min<size_t>(index, outputs.size() - 1)];
  }
};

} // namespace sluice::typed

namespace sluice::sema {

/// Smallest and largest number of ports; `max` ~0u is "any".
struct PortCount {
  unsigned min = 0, max = 0;
  bool fits(size_t ports) const { return ports >= min && ports <= max; }
};
template <typename Port> PortCount portCount(const std::vector<Port> &ports) {
  PortCount count;
  for (const Port &port : ports) {
    count.min += port.cardinality == typed::OperatorModel::One;
    count.max =
        port.cardinality == typed::OperatorModel::Open || count.max == ~0u ? ~0u : count.max + 1;
  }
  return count;
}

/// Reads the declaration of an operator. Unknown words are errors of the toolkit and are reported
/// where they are.
std::unique_ptr<typed::OperatorModel> readModel(Sema &, const ast::OperatorModelDecl &,
                                                const ast::Unit *, llvm::StringRef ns);

} // namespace sluice::sema
