//===- Type.cpp - from type syntax to types -----------------*- C++ -*-===//

#include "frontend/diagnostics/ForeignStatements.h"
#include "frontend/sema/expr/TypeReader.h"
#include "frontend/sema/expr/hints/Names.h"

using namespace sluice;
using namespace sluice::sema;
using AK = ast::TypeKind;

//===--- definitions ------------------------------------------------------===//

/// The type of an alias of `scope`: aliases are transparent, and resolved once
/// per scope. While it is being resolved its entry in `scope.types` is null.
static Type resolveAlias(Sema &sema, const ast::TypeAlias *alias, Scope &scope) {
  llvm::StringRef name = alias->name.text;
  if (sema.suspicions.isInDoubt(Doubt::DefinedTwice, Subject::of(alias)))
    return sema.types.get(SplType::Error);
  auto [slot, isNew] = scope.types.try_emplace(name, nullptr);
  if (isNew) {
    Type type = sema.checkType(alias->type, scope);
    Type &entry = scope.types[name];
    return entry ? entry : entry = type; // an error found meanwhile stays
  }
  if (!slot->second) {
    sema.diags.report(alias->name.range, Diag::err_recursive_type, name);
    slot->second = sema.types.get(SplType::Error);
  }
  return slot->second;
}

/// The scope of a file, or of a composite's static types within it.
static Scope &definitionScope(Sema &sema, const Modules::TypeDef &def) {
  auto &file = sema.impl->fileScopes[def.unit];
  if (!file) {
    file = std::make_unique<Scope>();
    file->unit = def.unit;
  }
  if (!def.composite)
    return *file;
  auto &inner = sema.impl->staticScopes[def.composite];
  if (!inner) {
    inner = std::make_unique<Scope>();
    inner->parent = file.get();
    for (const ast::TypeAlias &alias : def.composite->types)
      if (alias.isStatic)
        inner->aliases[alias.name.text] = &alias;
  }
  return *inner;
}

Type sema::resolveType(Sema &sema, const Modules::TypeDef &def) {
  return resolveAlias(sema, def.alias, definitionScope(sema, def));
}

/// The type that `use` means; the error type if several files define it.
static Type resolveUse(Sema &sema, const Modules::TypeDef &def, Scope &scope, Range use) {
  std::vector<Range> definitions = {def.alias->name.range};
  llvm::append_range(definitions, def.others);
  bool isStatic = def.composite; // the composite says which file
  if (!isStatic && sema.modules->reportSeveral(use, scope.file(), def.unit, def.ns,
                                               def.alias->name.text, definitions))
    return sema.types.get(SplType::Error);
  return resolveType(sema, def);
}

Type Sema::findType(llvm::StringRef name, Scope &scope, std::optional<Range> use) {
  for (Scope *s = &scope; s; s = s->parent) {
    if (auto it = s->aliases.find(name); it != s->aliases.end())
      return resolveAlias(*this, it->second, *s);
    // A null entry is an alias of the file that is being resolved. It is found again below.
    if (Type type = s->types.lookup(name))
      return type;
    if (s->lateType)
      if (Type type = s->lateType(name))
        return type;
  }
  auto def = modules->findType(scope.file(), "", "", name);
  if (!def || !use)
    return def ? resolveType(*this, *def) : nullptr;
  modules->warnHiding(*use, scope.file(), def->unit, Modules::Kind::Type, name,
                      def->alias->name.range);
  return resolveUse(*this, *def, scope, *use);
}

//===--- syntax -----------------------------------------------------------===//

/// The kind of a type that is written with a keyword.
static SplType::Kind kindOf(AK kind) {
  switch (kind) {
  case AK::Named:
    break;
  case AK::Void:
    return SplType::Void;
#define SPL_KIND(name, ...)                                                                        \
  case AK::name:                                                                                   \
    return SplType::name;
#include "sluice/Kinds.def"
  }
  llvm_unreachable("a name has no kind");
}

Type TypeReader::type(const ast::TypeNode *t) {
  Type error = types.get(SplType::Error);
  if (t->kind == AK::Optional && t->args[0]->kind == AK::Optional) {
    this->error(t->range, Diag::err_nested_optional);
    return error;
  }
  llvm::SmallVector<Type, 2> args;
  for (const ast::TypeNode *arg : t->args)
    args.push_back(type(arg));
  if (llvm::is_contained(args, error))
    return error;
  uint32_t bound = 0;
  if (t->bound && !boundOf(t, bound))
    return error;
  if (t->kind == AK::Named)
    return namedType(t);
  if (t->kind == AK::Tuple)
    return tupleType(t);
  if (t->kind == AK::Enum)
    return enumType(t);
  if (t->kind == AK::Optional && args[0]->kind == SplType::Optional) { // by way of a name
    this->error(t->range, Diag::err_nested_optional);
    return error;
  }
  Type result = t->kind == AK::Xml ? types.xml(t->schema.trim("\"'"))
                                   : types.get(kindOf(t->kind), args, bound);
  std::string why;
  if (result->isSupported(&why))
    return result;
  if (sema.impl->keepTypes)
    return result;
  unsupported(t->range, "type `" + why + "`");
  return error;
}

bool TypeReader::boundOf(const ast::TypeNode *t, uint32_t &bound) {
  ExprPtr e = sema.checkConstant(t->bound, scope);
  if (!e)
    return false;
  int64_t value = e->type->isInteger() ? llvm::cast<typed::ConstExpr>(*e).integer() : 0;
  if (value <= 0 || value > UINT32_MAX) {
    error(t->bound->range, Diag::err_bound);
    return false;
  }
  bound = uint32_t(value);
  return true;
}

Type TypeReader::enumType(const ast::TypeNode *t) {
  std::vector<std::string> members;
  for (const ast::Ident &m : t->members) {
    if (llvm::is_contained(members, m.text)) {
      error(m.range, Diag::err_redefinition, m.text);
      return types.get(SplType::Error);
    }
    members.push_back(m.text.str());
  }
  Type type = types.enumeration(members);
  for (unsigned i = 0; i < members.size(); ++i) {
    Entity &slot = scope.values[members[i]];
    if (slot.kind == Entity::EnumMember && slot.type != type) {
      bool isFile = !scope.parent && scope.unit;
      if (isFile) {
        auto d = sema.suspicions.report({{Doubt::SharedMember, Subject::called(members[i])}},
                                        t->members[i].range, Diag::err_enum_clash, members[i]);
        sema.diags.note(d, slot.range, Diag::note_previous_here);
      }
      slot.kind = Entity::Ambiguous;
    }
    if (slot.kind != Entity::None)
      continue;
    slot.kind = Entity::EnumMember;
    slot.type = type;
    slot.index = i;
    slot.range = t->members[i].range;
  }
  return type;
}

Type TypeReader::tupleType(const ast::TypeNode *t) {
  Type error = types.get(SplType::Error);
  std::vector<SplType::Attribute> attributes;
  bool ok = true;
  for (const ast::Attribute &a : t->attributes) {
    Type type = this->type(a.type);
    ok &= !isError(type);
    if (llvm::any_of(attributes, [&](auto &b) { return b.first == a.name.text; })) {
      this->error(a.name.range, Diag::err_duplicate_attribute, a.name.text);
      ok = false;
    }
    attributes.push_back({a.name.text.str(), type});
  }
  std::vector<Type> parts;
  for (const ast::TypeNode *extendee : t->extendees) {
    Type part = parts.emplace_back(type(extendee));
    if (isError(part)) {
      ok = false;
      continue;
    }
    if (part->kind != SplType::Tuple) {
      this->error(extendee->range, Diag::err_extendee, part->str());
      for (Scope *s = &scope; s; s = s->parent) // a formal: reported where it is used first
        if (auto it = s->types.find(extendee->name.text);
            it != s->types.end() && extendee->name.text.starts_with("$"))
          it->second = error;
      ok = false;
      continue;
    }
    for (const SplType::Attribute &a : part->attributes) {
      auto before = llvm::find_if(attributes, [&](auto &b) { return b.first == a.first; });
      if (before == attributes.end()) {
        attributes.push_back(a);
      } else if (before->second != a.second) {
        this->error(extendee->range, Diag::err_attribute_clash, a.first, before->second->str(),
                    a.second->str());
        ok = false;
      }
    }
  }
  if (!ok)
    return error;
  Type result = types.tuple(attributes);
  rememberPlaces(t, parts, result);
  return result;
}

/// Where the attributes of `result` are declared: in `t`, or where those of `parts` are.
void TypeReader::rememberPlaces(const ast::TypeNode *t, llvm::ArrayRef<Type> parts, Type result) {
  auto &places = sema.impl->attributePlaces;
  for (const ast::Attribute &a : t->attributes)
    places[{result, a.name.text.str()}].insert(Sema::Impl::placeOf(a.name.range));
  for (Type part : parts)
    for (const SplType::Attribute &a : part->attributes) {
      auto from = places[{part, a.first}];
      places[{result, a.first}].insert(from.begin(), from.end());
    }
}

//===--- names ------------------------------------------------------------===//

Type TypeReader::namedType(const ast::TypeNode *t) {
  llvm::StringRef name = t->name.text, member = t->member.text;
  ReadFor why(sema.diags, t->range, name);
  if (t->path.parts.empty() && member.empty()) {
    if (Type type = sema.findType(name, scope, t->range)) {
      if (isError(type))
        sema.diags.withhold(); // its definition was reported, or it is a formal without a value
      return type;
    }
  } else {
    // `ns::T`, or a static type `[ns::]Comp.T`.
    auto def = member.empty() ? sema.modules->findType(scope.file(), t->path.str(), "", name)
                              : sema.modules->findType(scope.file(), t->path.str(), name, member);
    if (def && !member.empty() && !def->alias->isStatic) {
      error(t->range, Diag::err_not_static, member, name);
      return types.get(SplType::Error);
    }
    if (def)
      return resolveUse(sema, *def, scope, t->range);
  }
  unknownType(t);
  return types.get(SplType::Error);
}

/// The types that have a name of their own.
static llvm::ArrayRef<llvm::StringLiteral> keywords() {
  static constexpr llvm::StringLiteral all[] = {
#define SPL_KIND(name, keyword, ...) keyword,
#define SPL_KIND_LATER(...)
#include "sluice/Kinds.def"
  };
  return all;
}

bool TypeReader::isBeforeOperand(Range range) const {
  llvm::StringRef rest = sema.diags.text(range.file).drop_front(range.end).ltrim();
  return !rest.empty() && (llvm::isAlnum(rest[0]) || llvm::StringRef("_\"'$").contains(rest[0]));
}

void TypeReader::unknownType(const ast::TypeNode *t) {
  std::string ns = t->path.str();
  if (sema.modules->isExplained(t->range, scope.file(), ns, t->name.text))
    return;
  if (sema.suspicions.covers(
          {{Doubt::Unknown, Subject::called(t->name.text), Subject::startOf(t->range)}}))
    return;
  llvm::StringRef name = t->name.text, type = foreignType(name);
  llvm::StringRef statement = ns.empty() ? foreignStatement(name) : "";
  if (type.empty() && !statement.empty()) { // `goto end;` reads as a declaration
    error(t->range, Diag::err_foreign, name, withNames(statement, [&](llvm::StringRef role) {
            return sema.modules->hints().role(role).str();
          }));
    return;
  }
  // `println x;` reads as a declaration.
  if (ns.empty() && type.empty() && isBeforeOperand(t->range) &&
      !sema.modules->findFunctions(scope.file(), "", name).empty()) {
    error(t->range, Diag::err_foreign, name, ("write `" + name + "(...)`").str());
    return;
  }
  auto d = sema.diags.report(t->range, Diag::err_unknown_type, sema.diags.text(t->range));
  if (!type.empty())
    return sema.diags.note(d, t->range, Diag::note_foreign, type);
  if (sema.modules->noteUnreadable(d, scope.file(), ns, name, /*isDeclared=*/true))
    return;
  auto isThere = [&](llvm::StringRef other) {
    return sema.modules->findType(scope.file(), other, "", name).has_value();
  };
  bool isBare = ns.empty() && t->member.text.empty();
  if (isBare && Names(checker).noteNamespaces(d, t->range, name, isThere))
    return;
  NearNames near(name);
  if (ns.empty()) {
    near.offerAll(keywords());
    scope.offerTypes(near);
  }
  if (t->member.text.empty())
    sema.modules->offer(near, scope.file(), ns, Modules::Kind::Type);
  sema.diags.noteNear(d, t->name.range, near);
}
