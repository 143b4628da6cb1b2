//===- Hints.h - what toolkits say of words of other languages ----*- C++ -*-===//
//
// Beside a declaration of a toolkit stands what people write who know other languages:
//
//   // @also function puts, echo: `println(value)`
//
// An error about an unknown name says what is behind the colon. The kinds:
//
//   function WORDS       functions
//   output WORDS         output functions, in any case of letters
//   operator WORDS       operators; `Kafka*` is all that begin so
//   name WORDS           other names; `std::*` is all names of a namespace
//   param WORDS          parameters of operators that have the one behind the colon, in any case
//   method KINDS(N) WORDS  methods with N arguments of values of these kinds of types: `{0}` is the
//                        value, `{1}` an argument, `{pattern}` the first one as a pattern
//   call WORD(N)         calls of that function, or of one with that result, that no overload
//                        takes: with N arguments, or with one whose type is N; `literal`: of a text
//                        that stands for its result
//   role WORD            the name behind the colon is what the compiler's own texts call WORD, as
//                        none of them knows the toolkit: `${power}(x, y)` is `pow(x, y)`
//
//===----------------------------------------------------------------------===//
#pragma once
#include "frontend/types/Types.h"
#include <string>
#include <vector>

namespace sluice::sema {

enum class HintKind { Function, Output, Operator, Name, Param, Method, Call, Role };

class Hints {
public:
  /// Adds the hints of a file.
  void read(llvm::StringRef text);

  /// What SPL has instead of `name`; empty if that is not known.
  llvm::StringRef find(HintKind, llvm::StringRef name) const;
  /// The name of what plays a role in the compiler's texts; the role if no toolkit says.
  llvm::StringRef role(llvm::StringRef role) const;
  /// The parameter that others call `name`, if the operator has it.
  llvm::StringRef param(llvm::StringRef name, llvm::function_ref<bool(llvm::StringRef)> has) const;
  /// What SPL writes for `base.name(args)`; `baseText` is the text of the base.
  std::string method(Type base, llvm::StringRef name, llvm::StringRef baseText,
                     llvm::ArrayRef<llvm::StringRef> args) const;
  /// What SPL has instead of a call with values of other types than the function takes.
  llvm::StringRef call(llvm::StringRef name, Type result, llvm::ArrayRef<std::string> types) const;

private:
  struct Hint {
    HintKind kind;
    std::vector<std::string> words;
    std::vector<std::string> receivers; // Method
    std::string argument;               // Method, Call: their number, or the type of one
    std::string text;
  };
  void add(llvm::StringRef line);

  std::vector<Hint> all;
};

} // namespace sluice::sema
