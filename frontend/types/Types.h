//===- Types.h - SPL types --------------------------------------*- C++ -*-===//
//
// Structural types, interned: two types are the same iff the pointers are.
//
//===----------------------------------------------------------------------===//
#pragma once
#include "sluice/kinds.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace sluice {

struct SplType {
  enum Kind {
    Error, // silences follow-up errors
    Void,
#define SPL_KIND(name, ...) name,
#include "sluice/Kinds.def"
    Var // a type variable of a generic prototype
  };
  using Attribute = std::pair<std::string, const SplType *>;

  Kind kind;
  std::vector<const SplType *> args; // List, Set, Map, Optional
  std::vector<Attribute> attributes; // Tuple, in order
  std::vector<std::string> members;  // Enum, in order
  uint32_t bound = 0;                // RString, List, Set, Map: 0 = unbounded
  std::string name, cls;             // Var: its name and type class; Xml: name = schema

  /// What Kinds.def says of the kind; of a kind that is not there, that it is in no class.
  KindInfo info() const;
  /// Whether the type is a member of one of these classes: bits of TypeClass.
  bool isIn(uint32_t classes) const { return info().classes & classes; }
  bool isInteger() const { return isIn(type_class::Integral); }
  bool isSigned() const { return isIn(type_class::Signed); }
  bool isFloat() const { return isIn(type_class::Float); }
  bool isDecimal() const { return isIn(type_class::Decimal); }
  bool isComplex() const { return isIn(type_class::Complex); }
  bool isNumeric() const { return isIn(type_class::Numeric); }
  bool isString() const { return isIn(type_class::String); }
  bool isCollection() const { return isIn(type_class::Collection); }
  bool isOrdered() const { return isIn(type_class::Ordered); }
  bool isPrimitive() const { return isIn(type_class::Primitive); }
  /// The class by its name in SPL: any, numeric, ordered, ... (language.md 3.2).
  bool inClass(llvm::StringRef cls) const;
  /// Types that this release can run; `why` names the part that it cannot.
  bool isSupported(std::string *why = nullptr) const;
  unsigned bits() const; // integers, floats, decimals
  /// SPL's spelling: `tuple<int32 a, rstring b>`.
  std::string str() const;
  const SplType *attribute(llvm::StringRef name, unsigned *index = nullptr) const;
};
using Type = const SplType *;

class TypeContext {
public:
  TypeContext();
  ~TypeContext();
  /// A type that its kind, its element types and its bound determine.
  Type get(SplType::Kind kind, llvm::ArrayRef<Type> args = {}, uint32_t bound = 0);
  Type list(Type elem) { return get(SplType::List, elem); }
  Type set(Type elem) { return get(SplType::Set, elem); }
  Type map(Type key, Type value) { return get(SplType::Map, {key, value}); }
  Type tuple(llvm::ArrayRef<SplType::Attribute> attributes);
  Type enumeration(llvm::ArrayRef<std::string> members);
  /// Sys.Punctuation: the kinds of punctuations that programs may submit.
  Type markers();
  Type xml(llvm::StringRef schema);
  Type var(llvm::StringRef name, llvm::StringRef cls);

private:
  struct Impl;
  std::unique_ptr<Impl> impl;
  Type intern(SplType type);
};

} // namespace sluice
