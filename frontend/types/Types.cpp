//===- Types.cpp - SPL types ------------------------------------*- C++ -*-===//
//
// The spelling of a type determines its structure, so spellings are the keys of
// the interning table.
//
//===----------------------------------------------------------------------===//
#include "frontend/types/Types.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSwitch.h"

using namespace sluice;

//===--- classes ----------------------------------------------------------===//

bool SplType::isOrdered() const {
  return kind == Boolean || kind == Enum || isInteger() || isFloat() || isDecimal() ||
         kind == Timestamp || isString() || kind == Blob;
}

bool SplType::isPrimitive() const { return isOrdered() || isComplex() || kind == Xml; }

bool SplType::inClass(llvm::StringRef cls) const {
  bool aggregate = kind == Tuple || kind == Optional;
  return llvm::StringSwitch<bool>(cls)
      .Case("any", kind != Void)
      .Case("integral", isInteger())
      .Case("float", isFloat())
      .Case("decimal", isDecimal())
      .Case("complex", isComplex())
      .Case("floatingpoint", isFloat() || isDecimal())
      .Case("numeric", isNumeric())
      .Case("string", isString())
      .Case("ordered", isOrdered())
      .Case("enum", kind == Enum)
      .Case("xml", kind == Xml)
      .Case("optional", kind == Optional)
      .Case("tuple", kind == Tuple)
      .Case("primitive", isPrimitive())
      .Case("list", kind == List)
      .Case("set", kind == Set)
      .Case("map", kind == Map)
      .Case("collection", isCollection())
      .Case("composite", isCollection() || aggregate)
      .Default(false);
}

bool SplType::isSupported(std::string *why) const {
  bool bad = isDecimal() || isComplex() || kind == Blob || kind == UString || kind == Xml ||
             kind == Optional || bound != 0;
  if (bad) {
    if (why)
      *why = str();
    return false;
  }
  return llvm::all_of(args, [&](auto *t) { return t->isSupported(why); }) &&
         llvm::all_of(attributes, [&](auto &a) { return a.second->isSupported(why); });
}

unsigned SplType::bits() const {
  switch (kind) {
  case Int8:
  case UInt8:
    return 8;
  case Int16:
  case UInt16:
    return 16;
  case Int32:
  case UInt32:
  case Float32:
  case Decimal32:
    return 32;
  case Int64:
  case UInt64:
  case Float64:
  case Decimal64:
    return 64;
  case Decimal128:
    return 128;
  default:
    return 0;
  }
}

//===--- spelling ---------------------------------------------------------===//

static const char *scalarName(SplType::Kind kind) {
  static const char *const names[] = {
      "<error>",   "void",      "boolean",   "int8",       "int16",     "int32",
      "int64",     "uint8",     "uint16",    "uint32",     "uint64",    "float32",
      "float64",   "decimal32", "decimal64", "decimal128", "complex32", "complex64",
      "timestamp", "blob",      "rstring",   "ustring",    "xml",       "enum",
      "list",      "set",       "map",       "optional",   "tuple"};
  return names[kind];
}

/// With `classes`, variables of one name but different classes differ.
static std::string spell(const SplType &t, bool classes) {
  if (t.kind == SplType::Var)
    return classes ? t.cls + " " + t.name : t.name;
  std::string s = scalarName(t.kind), sep;
  if (t.kind == SplType::Xml && !t.name.empty())
    return s + "<\"" + t.name + "\">";
  auto item = [&](const std::string &text) { s += sep + text, sep = ", "; };
  if (t.kind == SplType::Enum) {
    s += "{";
    llvm::for_each(t.members, item);
    s += "}";
  } else if (!t.args.empty() || t.kind == SplType::Tuple) {
    s += "<";
    for (const SplType *arg : t.args)
      item(spell(*arg, classes));
    for (const SplType::Attribute &a : t.attributes)
      item(spell(*a.second, classes) + " " + a.first);
    s += ">";
  }
  if (t.bound)
    s += "[" + std::to_string(t.bound) + "]";
  return s;
}

std::string SplType::str() const { return spell(*this, false); }

const SplType *SplType::attribute(llvm::StringRef name, unsigned *index) const {
  for (unsigned i = 0; i < attributes.size(); ++i)
    if (attributes[i].first == name) {
      if (index)
        *index = i;
      return attributes[i].second;
    }
  return nullptr;
}

//===--- interning --------------------------------------------------------===//

struct TypeContext::Impl {
  llvm::StringMap<std::unique_ptr<SplType>> types;
};

TypeContext::TypeContext() : impl(std::make_unique<Impl>()) {}
TypeContext::~TypeContext() = default;

Type TypeContext::intern(SplType type) {
  auto &slot = impl->types[spell(type, true)];
  if (!slot)
    slot = std::make_unique<SplType>(std::move(type));
  return slot.get();
}

static SplType make(SplType::Kind kind, std::vector<const SplType *> args = {},
                    uint32_t bound = 0) {
  SplType t;
  t.kind = kind;
  t.args = std::move(args);
  t.bound = bound;
  return t;
}

Type TypeContext::get(SplType::Kind scalar) { return intern(make(scalar)); }
Type TypeContext::rstring(uint32_t bound) { return intern(make(SplType::RString, {}, bound)); }
Type TypeContext::list(Type elem, uint32_t bound) {
  return intern(make(SplType::List, {elem}, bound));
}
Type TypeContext::set(Type elem, uint32_t bound) {
  return intern(make(SplType::Set, {elem}, bound));
}
Type TypeContext::map(Type key, Type value, uint32_t bound) {
  return intern(make(SplType::Map, {key, value}, bound));
}
Type TypeContext::optional(Type value) { return intern(make(SplType::Optional, {value})); }
Type TypeContext::tuple(llvm::ArrayRef<SplType::Attribute> attributes) {
  SplType t = make(SplType::Tuple);
  t.attributes = attributes.vec();
  return intern(std::move(t));
}
Type TypeContext::enumeration(llvm::ArrayRef<std::string> members) {
  SplType t = make(SplType::Enum);
  t.members = members.vec();
  return intern(std::move(t));
}
Type TypeContext::xml(llvm::StringRef schema) {
  SplType t = make(SplType::Xml);
  t.name = schema.str();
  return intern(std::move(t));
}
Type TypeContext::var(llvm::StringRef name, llvm::StringRef cls) {
  SplType t = make(SplType::Var);
  t.name = name.str();
  t.cls = cls.str();
  return intern(std::move(t));
}
