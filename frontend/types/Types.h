//===- Types.h - SPL types --------------------------------------*- C++ -*-===//
//
// Structural types, interned: two types are the same iff the pointers are.
//
//===----------------------------------------------------------------------===//
#pragma once
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
    Boolean,
    Int8,
    Int16,
    Int32,
    Int64,
    UInt8,
    UInt16,
    UInt32,
    UInt64,
    Float32,
    Float64,
    Decimal32,
    Decimal64,
    Decimal128,
    Complex32,
    Complex64,
    Timestamp,
    Blob,
    RString,
    UString,
    Xml,
    Enum,
    List,
    Set,
    Map,
    Optional,
    Tuple,
    Var // a type variable of a generic prototype
  };
  using Attribute = std::pair<std::string, const SplType *>;

  Kind kind;
  std::vector<const SplType *> args; // List, Set, Map, Optional
  std::vector<Attribute> attributes; // Tuple, in order
  std::vector<std::string> members;  // Enum, in order
  uint32_t bound = 0;                // RString, List, Set, Map: 0 = unbounded
  std::string name, cls;             // Var: its name and type class; Xml: name = schema

  bool isInteger() const { return kind >= Int8 && kind <= UInt64; }
  bool isSigned() const { return kind >= Int8 && kind <= Int64; }
  bool isFloat() const { return kind == Float32 || kind == Float64; }
  bool isDecimal() const { return kind >= Decimal32 && kind <= Decimal128; }
  bool isComplex() const { return kind == Complex32 || kind == Complex64; }
  bool isNumeric() const { return kind >= Int8 && kind <= Complex64; }
  bool isString() const { return kind == RString || kind == UString; }
  bool isCollection() const { return kind == List || kind == Set || kind == Map; }
  bool isOrdered() const; // language.md 3.2
  bool isPrimitive() const;
  bool inClass(llvm::StringRef cls) const; // any, numeric, ordered, ...
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
  Type get(SplType::Kind scalar);
  Type rstring(uint32_t bound);
  Type list(Type elem, uint32_t bound = 0);
  Type set(Type elem, uint32_t bound = 0);
  Type map(Type key, Type value, uint32_t bound = 0);
  Type optional(Type value);
  Type tuple(llvm::ArrayRef<SplType::Attribute> attributes);
  Type enumeration(llvm::ArrayRef<std::string> members);
  Type xml(llvm::StringRef schema);
  Type var(llvm::StringRef name, llvm::StringRef cls);

private:
  struct Impl;
  std::unique_ptr<Impl> impl;
  Type intern(SplType type);
};

} // namespace sluice
