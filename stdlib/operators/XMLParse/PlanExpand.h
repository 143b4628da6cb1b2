//===- PlanExpand.h - what an XMLParse takes out of documents ---*- C++ -*-===//
#pragma once
#include "passes/expand/OperatorExpansion.h"
#include "stdlib/operators/XMLParse/Path.h"

namespace sluice::xml {

/// The rules of one operator, which the C++ class gets as values of the parameter `$rules`. A rule
/// says what to take at a path, and where in the tuple of a port it belongs: by the position of
/// the attribute, and on with those of attributes inside it; of a list, 0 is the element that is
/// being made.
class Plan {
public:
  using Position = llvm::SmallVector<uint32_t>;
  using Steps = std::vector<std::string>;

  explicit Plan(stream::OperatorOp);

  /// The value of an attribute at `position`, as an output function gives it.
  void assigned(unsigned port, const Position &, mlir::Value);
  /// The value of an attribute without an assignment.
  void supplied(unsigned port, const Position &, llvm::StringRef name, mlir::Type);
  /// The attribute of the input of that name.
  void copied(unsigned port, const Position &, llvm::StringRef name);
  /// Gives the operator its parameter.
  void emit();

private:
  struct Rule {
    unsigned port;
    Position at;
    Steps steps; // from the root of the document
    Take take;
    std::string name;
  };

  void assigned(unsigned port, const Position &, mlir::Value, llvm::ArrayRef<Steps> bases);
  void supplied(unsigned port, const Position &, llvm::StringRef name, mlir::Type,
                llvm::ArrayRef<Steps> bases);
  /// A rule for each of `bases`; `below` is another step, unless it is empty.
  void add(unsigned port, const Position &, llvm::ArrayRef<Steps> bases, llvm::StringRef below,
           Take, llvm::StringRef name = "");
  mlir::Value value(mlir::OpBuilder &, spl::TupleType, const Rule &);

  stream::OperatorOp op;
  llvm::StringRef flatten, ignorePrefix;
  std::string attributesName, textName;
  bool flatNames;
  std::vector<std::vector<Steps>> triggers; // by output port
  std::vector<Rule> rules;
};

/// The call of an output function that a value is, maybe under a cast; null: it is something else.
spl::OutputFnOp callOf(mlir::Value);
/// The text of a constant.
llvm::StringRef textOf(mlir::Value);

} // namespace sluice::xml
