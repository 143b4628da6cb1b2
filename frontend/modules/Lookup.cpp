//===- Lookup.cpp - which definition a name means --------------------===//
//
// The order of language.md 6: named `use`, own namespace, then wildcards and
// the implicit namespaces together.
//
//===----------------------------------------------------------------------===//
#include "frontend/modules/ModuleTable.h"

using namespace sluice;
using namespace sluice::sema;
using llvm::StringRef;

ModuleTable::ModuleTable(ASTContext &ast, TypeContext &types, Diagnostics &diags,
                         Suspicions &suspicions, const FrontendOptions &options, ast::Unit *main)
    : SourceFiles(ast, diags, options, main), types(types), suspicions(suspicions),
      allowMissing(options.allowMissing) {}

/// The namespaces that every file sees without a `use` directive.
static const char *const implicitNamespaces[] = {
    "spl",           "spl.adapter", "spl.collection", "spl.control",
    "spl.eventtime", "spl.math",    "spl.relational", "spl.string",
    "spl.time",      "spl.utility", "spl.XML"};

std::vector<std::string> SourceFiles::wildcards(const ast::Unit *from) const {
  std::vector<std::string> result;
  for (const ast::UseDecl &use : from->uses)
    if (use.name.text.empty())
      result.push_back(canonical(use.path.str()));
  for (const char *ns : implicitNamespaces)
    if (!llvm::is_contained(result, ns))
      result.push_back(ns);
  return result;
}

bool ModuleTable::lookup(const ast::Unit *from, StringRef ns, StringRef name,
                         llvm::function_ref<bool(llvm::ArrayRef<std::string>)> found) {
  if (!ns.empty())
    return found({canonical(ns)});
  for (const ast::UseDecl &use : from->uses)
    if (use.name.text == name && found({canonical(use.path.str())}))
      return true;
  return found({from->ns.str()}) || found(wildcards(from));
}

std::vector<OperatorDef> ModuleTable::findOperators(const ast::Unit *from, StringRef ns,
                                                    StringRef name) {
  std::vector<OperatorDef> result;
  auto collect = [&](const ast::Unit *unit, const std::string &in) {
    for (const ast::Composite *composite : unit->composites)
      if (composite->name.text == name)
        result.push_back({composite, nullptr, unit, in});
    for (const ast::OperatorModelDecl *model : unit->operators)
      if (model->name.text == name)
        result.push_back({nullptr, model, unit, in});
  };
  lookup(from, ns, name, [&](llvm::ArrayRef<std::string> namespaces) {
    for (const std::string &in : namespaces) {
      // The file itself comes first: its definitions hide those of other files.
      size_t before = result.size();
      if (in == from->ns.str())
        collect(from, in);
      if (result.size() == before)
        for (const ast::Unit *unit : units(in, Kind::Operator, name))
          collect(unit, in);
    }
    return !result.empty();
  });
  return result;
}

std::optional<Modules::TypeDef> ModuleTable::findType(const ast::Unit *from, StringRef ns,
                                                      StringRef composite, StringRef name) {
  if (!composite.empty()) {
    for (const OperatorDef &def : findOperators(from, ns, composite))
      if (def.composite)
        for (const ast::TypeAlias &alias : def.composite->types)
          if (alias.name.text == name)
            return TypeDef{&alias, def.unit, def.composite};
    return std::nullopt;
  }
  std::optional<TypeDef> result;
  auto collect = [&](const ast::Unit *unit, const std::string &in) {
    for (const ast::TypeAlias *alias : unit->types) {
      if (alias->name.text != name)
        continue;
      if (!result)
        result = TypeDef{alias, unit, nullptr, in};
      else if (result->ns == in && result->unit != unit)
        result->others.push_back(alias->name.range);
    }
  };
  lookup(from, ns, name, [&](llvm::ArrayRef<std::string> namespaces) {
    for (const std::string &in : namespaces) {
      if (in == from->ns.str())
        collect(from, in);
      if (!result)
        for (const ast::Unit *unit : units(in, Kind::Type, name))
          collect(unit, in);
    }
    return result.has_value();
  });
  return result;
}

/// Whether two functions have the same parameter types, as written.
static bool sameSignature(const Diagnostics &diags, const ast::Function *a,
                          const ast::Function *b) {
  return a->params.size() == b->params.size() &&
         llvm::all_of(llvm::zip(a->params, b->params), [&](auto pair) {
           return diags.text(std::get<0>(pair).type->range) ==
                  diags.text(std::get<1>(pair).type->range);
         });
}

std::vector<Modules::FunctionDef> ModuleTable::findFunctions(const ast::Unit *from, StringRef ns,
                                                             StringRef name) {
  std::vector<FunctionDef> result;
  auto collect = [&](const ast::Unit *unit, const std::string &in) {
    size_t own = unit == from ? 0 : result.size();
    for (const ast::Function *function : unit->functions) {
      if (function->name.text != name || (!function->isPublic && in != from->ns.str()))
        continue;
      // A function of the file itself hides the same function of another file.
      if (own && llvm::any_of(result, [&](const FunctionDef &def) {
            return def.unit == from && sameSignature(diags, def.function, function);
          }))
        continue;
      result.push_back({function, unit, in});
    }
  };
  lookup(from, ns, name, [&](llvm::ArrayRef<std::string> namespaces) {
    for (const std::string &in : namespaces) {
      if (in == from->ns.str())
        collect(from, in);
      for (const ast::Unit *unit : units(in, Kind::Function, name))
        if (unit != from)
          collect(unit, in);
    }
    return !result.empty();
  });
  return result;
}

//===--- enum members -------------------------------------------------------===//

Type ModuleTable::enumType(const ast::TypeNode *node, const ast::Unit *from, unsigned depth) {
  if (node->kind == ast::TypeKind::Enum) {
    std::vector<std::string> members;
    for (const ast::Ident &member : node->members)
      members.push_back(member.text.str());
    return types.enumeration(members);
  }
  if (node->kind != ast::TypeKind::Named || depth > 16)
    return nullptr;
  StringRef composite = node->member.text.empty() ? StringRef() : node->name.text;
  StringRef name = node->member.text.empty() ? node->name.text : node->member.text;
  auto def = findType(from, node->path.str(), composite, name);
  return def ? enumType(def->alias->type, def->unit, depth + 1) : nullptr;
}

/// The member `name` of an enum type that is written anywhere in `node`.
std::optional<Modules::EnumMember> ModuleTable::memberOf(const ast::TypeNode *node,
                                                         const ast::Unit *unit, StringRef name) {
  if (node->kind == ast::TypeKind::Enum)
    for (auto [index, member] : llvm::enumerate(node->members))
      if (member.text == name)
        return EnumMember{enumType(node, unit), unsigned(index), name.str(), unit,
                          unit->ns.str(),       {member.range}};
  for (const ast::TypeNode *arg : node->args)
    if (auto found = memberOf(arg, unit, name))
      return found;
  for (const ast::Attribute &attribute : node->attributes)
    if (auto found = memberOf(attribute.type, unit, name))
      return found;
  for (const ast::TypeNode *extendee : node->extendees)
    if (auto found = memberOf(extendee, unit, name))
      return found;
  return std::nullopt;
}

/// The member `name`, if the definition is that of an enumeration.
std::optional<Modules::EnumMember> ModuleTable::memberOf(const TypeDef &def, StringRef name) {
  Type type = enumType(def.alias->type, def.unit);
  auto found = type ? llvm::find(type->members, name) : std::vector<std::string>::const_iterator();
  if (!type || found == type->members.end())
    return std::nullopt;
  EnumMember result = {type, unsigned(found - type->members.begin())};
  if (def.composite) // it says which file
    return result;
  result.name = def.alias->name.text.str();
  result.unit = def.unit;
  result.ns = def.ns;
  result.definitions = {def.alias->name.range};
  llvm::append_range(result.definitions, def.others);
  return result;
}

void ModuleTable::offerStaticMembers(NearNames &near, const ast::Unit *from, StringRef ns,
                                     StringRef composite) {
  for (const OperatorDef &def : findOperators(from, ns, composite)) {
    if (!def.composite)
      continue;
    for (const ast::TypeAlias &alias : def.composite->types)
      if (alias.isStatic && alias.type->kind == ast::TypeKind::Enum)
        for (const ast::Ident &member : alias.type->members)
          near.offer(member.text, (composite + "." + member.text).str());
  }
}

/// The member of the enumeration, or of a static one of the composite, that `qualifier` names.
std::optional<Modules::EnumMember>
ModuleTable::qualifiedMember(const ast::Unit *from, StringRef qualifier, StringRef name) {
  auto [ns, rest] =
      qualifier.contains("::") ? qualifier.split("::") : std::pair(StringRef(), qualifier);
  auto [composite, type] = rest.split('.'); // Comp.Type or a single name
  if (!type.empty()) {
    auto def = findType(from, ns, composite, type);
    return def && def->alias->isStatic ? memberOf(*def, name) : std::nullopt;
  }
  if (auto def = findType(from, ns, "", rest))
    return memberOf(*def, name);
  for (const OperatorDef &def : findOperators(from, ns, rest))
    if (def.composite)
      for (const ast::TypeAlias &alias : def.composite->types)
        if (alias.isStatic)
          if (auto found = memberOf(alias.type, def.unit, name))
            return EnumMember{found->type, found->index};
  return std::nullopt;
}

/// Adds the members of that name of a namespace, one of each file.
void ModuleTable::addMembers(const std::string &ns, StringRef name,
                             std::optional<EnumMember> &result) {
  for (SourceFile *file : files(ns)) {
    const ast::Unit *unit = file->summary.enumMembers.contains(name) ? parsed(*file) : nullptr;
    if (!unit)
      continue;
    for (const ast::TypeAlias *alias : unit->types)
      if (auto found = memberOf(alias->type, unit, name)) {
        if (result)
          llvm::append_range(result->definitions, found->definitions);
        else
          result = found;
        break;
      }
  }
}

std::optional<Modules::EnumMember>
ModuleTable::findEnumMember(const ast::Unit *from, StringRef qualifier, StringRef name) {
  if (!qualifier.empty())
    return qualifiedMember(from, qualifier, name);
  for (const ast::TypeAlias *alias : from->types)
    if (auto found = memberOf(alias->type, from, name))
      return found;
  for (const ast::UseDecl &use : from->uses)
    if (auto def = use.name.text.empty() ? std::nullopt
                                         : findType(from, use.path.str(), "", use.name.text))
      if (auto found = memberOf(*def, name))
        return found;
  std::optional<EnumMember> result;
  addMembers(from->ns.str(), name, result);
  // As with types, the first namespace that has it.
  for (const ast::UseDecl &use : from->uses)
    if (!result && use.name.text.empty())
      addMembers(use.path.str(), name, result);
  return result;
}

//===--- hints --------------------------------------------------------------===//

const llvm::StringSet<> &SourceFiles::namesOf(const FileSummary &summary, Kind kind) {
  switch (kind) {
  case Kind::Function:
    return summary.functions;
  case Kind::Operator:
    return summary.operators;
  case Kind::Type:
    return summary.types;
  }
  llvm_unreachable("no such kind");
}

void ModuleTable::offer(NearNames &near, const ast::Unit *from, StringRef ns, Kind kind) {
  std::vector<std::string> namespaces = {ns.str()};
  if (ns.empty()) {
    namespaces = wildcards(from);
    namespaces.push_back(from->ns.str());
  }
  for (const std::string &in : namespaces)
    for (SourceFile *file : files(in))
      near.offerKeys(namesOf(file->summary, kind));
  for (const ast::UseDecl &use : from->uses)
    for (SourceFile *file : files(use.path.str()))
      if (ns.empty() && namesOf(file->summary, kind).contains(use.name.text))
        near.offer(use.name.text);
}

void ModuleTable::offerEnumMembers(NearNames &near, const ast::Unit *from) {
  for (SourceFile *file : files(from->ns.str()))
    near.offerKeys(file->summary.enumMembers);
}

std::vector<std::string> ModuleTable::withOutputFunction(StringRef name) {
  std::vector<std::string> result;
  for (auto &[ns, files] : byNamespace)
    for (SourceFile *file : files)
      if (auto it = file->summary.outputFunctions.find(name);
          it != file->summary.outputFunctions.end())
        result.push_back(it->second);
  return result;
}

std::vector<std::string> ModuleTable::elsewhere(StringRef name) {
  searchAll();
  std::vector<std::string> result;
  for (auto &[ns, files] : byNamespace)
    if (!ns.empty() &&
        llvm::any_of(files, [&](SourceFile *file) { return file->summary.defines(name); }))
      result.push_back(ns + "::" + name.str());
  return result;
}

void ModuleTable::noteOperators(mlir::InFlightDiagnostic &error, Range range, const ast::Unit *from,
                                StringRef ns, StringRef name) {
  // The same name in another namespace: the user lacks a `use` or a qualifier.
  std::vector<std::string> others;
  searchAll();
  for (auto &[other, files] : byNamespace)
    if (!other.empty() && llvm::any_of(files, [&](SourceFile *file) {
          return file->summary.operators.contains(name);
        }))
      others.push_back(other + "::" + name.str());
  NearNames near(name);
  offer(near, from, ns, Kind::Operator);
  if (others.empty())
    diags.noteNear(error, range, near);
  else if (ns.empty())
    noteElsewhere(error, range, from, others);
  else // another namespace than the one that is written
    for (const std::string &other : others)
      diags.note(error, range, Diag::note_did_you_mean, other);
}
