//===- Modules.h - definitions outside the text at hand ---------*- C++ -*-===//
#pragma once
#include "frontend/diagnostics/Spelling.h"
#include "frontend/modules/Hints.h"
#include "frontend/modules/native/NativeModel.h"
#include "frontend/syntax/AST.h"
#include "frontend/types/Types.h"
#include <optional>

namespace mlir {
class InFlightDiagnostic;
}

namespace sluice::sema {

/// Definitions of all files that the program may see.
class Modules {
public:
  virtual ~Modules() = default;
  struct TypeDef {
    const ast::TypeAlias *alias;
    const ast::Unit *unit;
    const ast::Composite *composite;
    std::string ns = {};
    std::vector<Range> others = {}; // definitions in other files of `ns`
  };
  /// Member `index` of `type`. `name` is what may be defined in several files: the member of an
  /// enumeration that needs no qualifier, or the type.
  struct EnumMember {
    Type type;
    unsigned index;
    std::string name = {};
    const ast::Unit *unit = nullptr;
    std::string ns = {};
    std::vector<Range> definitions = {};
  };
  struct FunctionDef {
    const ast::Function *function;
    const ast::Unit *unit;
    std::string ns;
  };
  /// Module-level lookup from a file, by the order of language.md 6 (use
  /// directives, own namespace, wildcard uses, implicit namespaces). `ns` empty:
  /// unqualified. `composite` non-empty: Comp.T of a static type.
  virtual std::optional<TypeDef> findType(const ast::Unit *from, llvm::StringRef ns,
                                          llvm::StringRef composite, llvm::StringRef name) = 0;
  /// SPL functions and prototypes of the first step that yields any.
  virtual std::vector<FunctionDef> findFunctions(const ast::Unit *from, llvm::StringRef ns,
                                                 llvm::StringRef name) = 0;
  /// A member of a file-level or static enum that is visible bare or as
  /// Type.member / Comp.member.
  /// The members of the static enums of a composite, as `COMPOSITE.member`.
  virtual void offerStaticMembers(NearNames &, const ast::Unit *from, llvm::StringRef ns,
                                  llvm::StringRef composite) = 0;
  virtual std::optional<EnumMember> findEnumMember(const ast::Unit *from, llvm::StringRef qualifier,
                                                   llvm::StringRef name) = 0;
  /// The C++ of a prototype of `unit`; null if it is not one of a native function.
  virtual const NativeFunction *nativeFunction(const ast::Unit *unit,
                                               const ast::Function *prototype) = 0;
  /// Names and directories, by turns, of the application and the toolkits, as far as they have
  /// messages in their languages. Directories are seen from that of the application: an executable
  /// names no path of where it was built.
  virtual std::vector<std::string> toolkitsWithMessages() const = 0;
  enum class Kind { Function, Operator, Type };
  /// Offers what `ns` defines of the kind; `ns` empty: what needs no qualifier in `from`.
  virtual void offer(NearNames &, const ast::Unit *from, llvm::StringRef ns, Kind) = 0;
  /// Offers the members of enumerations in the namespace of `from`.
  virtual void offerEnumMembers(NearNames &, const ast::Unit *from) = 0;
  /// Whether another error is the reason why `name`, used in the file `from`, is unknown: a file
  /// that may define it cannot be read; a namespace is not there, or what a directive names. That
  /// is reported, once; or it need not be, for a toolkit. `ns` empty: unqualified.
  virtual bool isExplained(Range use, const ast::Unit *from, llvm::StringRef ns,
                           llvm::StringRef name) = 0;
  /// Reports that `use`, in the file `from`, does not say which file is meant: `definitions` are in
  /// several files of `ns`, or another file that defines `name` has errors. The file itself and the
  /// program come first: if `chosen` is one of them, nothing is wrong. Whether something is.
  virtual bool reportSeveral(Range use, const ast::Unit *from, const ast::Unit *chosen,
                             llvm::StringRef ns, llvm::StringRef name,
                             llvm::ArrayRef<Range> definitions) = 0;
  /// Reports, once, that `chosen`, a neighbour of the file `from`, hides with `definition` what a
  /// toolkit calls `name`. `use` has no qualifier.
  virtual void warnHiding(Range use, const ast::Unit *from, const ast::Unit *chosen, Kind,
                          llvm::StringRef name, Range definition) = 0;
  /// Adds notes on neighbouring files that define `name` and have errors, to the report that it is
  /// unknown. Whether there are any. The report is none if it turns out that a file with an error
  /// is needed that may define the name: one that has the word, or with `isDeclared`, for a name
  /// that nothing but a file declares, any of a library.
  virtual bool noteUnreadable(mlir::InFlightDiagnostic &, const ast::Unit *from, llvm::StringRef ns,
                              llvm::StringRef name, bool isDeclared = false) = 0;
  /// A function `name` that is visible but for the word `public`; null if there is none.
  virtual const ast::Function *hiddenFunction(const ast::Unit *from, llvm::StringRef ns,
                                              llvm::StringRef name) = 0;
  /// The operators that have an output function `name`.
  virtual std::vector<std::string> withOutputFunction(llvm::StringRef name) = 0;
  /// Qualified names: the definitions of `name` in any namespace.
  virtual std::vector<std::string> elsewhere(llvm::StringRef name) = 0;
  /// What the toolkits have for names of other languages.
  virtual const Hints &hints() = 0;
  /// Notes where some name that is unknown in `from` is defined: `others` are its qualified names.
  /// One `use` directive that is missing makes one error; this one is withdrawn if it is another.
  virtual void noteElsewhere(mlir::InFlightDiagnostic &, Range use, const ast::Unit *from,
                             llvm::ArrayRef<std::string> others) = 0;
};

} // namespace sluice::sema
