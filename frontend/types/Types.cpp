//===- Types.cpp - SPL types ------------------------------------*- C++ -*-===//
//
// The spelling of a type determines its structure, so spellings are the keys of
// the interning table.
//
//===----------------------------------------------------------------------===//
#include "frontend/types/Types.h"
#include "sluice/enums.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSwitch.h"

using namespace sluice;

//===--- kinds and classes -------------------------------------------------===//

KindInfo SplType::info() const {
  switch (kind) {
  case Error:
    return {"<error>", "U", 0, 0, Storage::Parts, type_class::All, true};
  case Void:
    return {"void", "U", 0, 0, Storage::Parts, 0, true};
  case Var:
    return {"", "g", 0, 0, Storage::Parts, type_class::All, true};
#define SPL_KIND(name, ...)                                                                        \
  case name:                                                                                       \
    return kind_info::name##Info;
#include "sluice/Kinds.def"
  }
  llvm_unreachable("unknown kind of type");
}

bool SplType::inClass(llvm::StringRef cls) const {
  return isIn(llvm::StringSwitch<uint32_t>(cls)
                  .Case("any", type_class::All)
                  .Case("integral", type_class::Integral)
                  .Case("float", type_class::Float)
                  .Case("decimal", type_class::Decimal)
                  .Case("complex", type_class::Complex)
                  .Case("floatingpoint", type_class::FloatingPoint)
                  .Case("numeric", type_class::Numeric)
                  .Case("string", type_class::String)
                  .Case("ordered", type_class::Ordered)
                  .Case("enum", type_class::Enum)
                  .Case("xml", type_class::Xml)
                  .Case("optional", type_class::Optional)
                  .Case("tuple", type_class::Tuple)
                  .Case("primitive", type_class::Primitive)
                  .Case("list", type_class::List)
                  .Case("set", type_class::Set)
                  .Case("map", type_class::Map)
                  .Case("collection", type_class::Collection)
                  .Case("composite", type_class::Composite)
                  .Default(0));
}

bool SplType::isSupported(std::string *why) const {
  bool hasSchema = kind == Xml && !name.empty();
  if (!info().runs || hasSchema) {
    if (why)
      *why = str();
    return false;
  }
  return llvm::all_of(args, [&](auto *t) { return t->isSupported(why); }) &&
         llvm::all_of(attributes, [&](auto &a) { return a.second->isSupported(why); });
}

unsigned SplType::bits() const {
  return isIn(type_class::Integral | type_class::FloatingPoint) ? 8 * info().size : 0;
}

//===--- spelling ---------------------------------------------------------===//

/// With `classes`, variables of one name but different classes differ.
static std::string spell(const SplType &t, bool classes) {
  if (t.kind == SplType::Var)
    return classes ? t.cls + " " + t.name : t.name;
  std::string s = t.info().keyword, sep;
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

static SplType make(SplType::Kind kind) {
  SplType t;
  t.kind = kind;
  return t;
}

Type TypeContext::get(SplType::Kind kind, llvm::ArrayRef<Type> args, uint32_t bound) {
  SplType t = make(kind);
  t.args = args.vec();
  t.bound = bound;
  return intern(std::move(t));
}
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
Type TypeContext::markers() {
  return enumeration(std::vector<std::string>(std::begin(kMarkerNames), std::end(kMarkerNames)));
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
