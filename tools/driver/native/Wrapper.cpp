//===- Wrapper.cpp - C++ between generated code and native functions --------===//
#include "tools/driver/native/Wrapper.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/Support/raw_ostream.h"

using namespace sluice;
using namespace sluice::driver;

namespace {

/// Names the types of SPL in C++ and defines those that the program makes: tuples, enumerations.
class CppTypes {
public:
  explicit CppTypes(llvm::raw_ostream &os) : os(os) {}

  std::string name(Type type);
  /// What a value lies in memory as.
  std::string raw(Type type) { return "sluice::native::Bridge<" + name(type) + ">::Raw"; }

private:
  std::string defineTuple(Type);
  std::string defineEnum(Type);
  std::string arguments(Type);
  llvm::raw_ostream &os; // for definitions
  llvm::DenseMap<Type, std::string> defined;
};

std::string CppTypes::arguments(Type type) {
  std::string result;
  for (Type part : type->args)
    result += (result.empty() ? "<" : ", ") + name(part);
  return result + ">";
}

std::string CppTypes::name(Type type) {
  if (auto known = defined.find(type); known != defined.end())
    return known->second;
  if (type->kind == SplType::Tuple)
    return defined[type] = defineTuple(type);
  if (type->kind == SplType::Enum)
    return defined[type] = defineEnum(type);
  std::string own = std::string("SPL::") + type->info().keyword;
  return type->args.empty() ? own : own + arguments(type);
}

std::string CppTypes::defineEnum(Type type) {
  std::string names = "Members_" + std::to_string(defined.size());
  os << "namespace SPL {\nstruct " << names << " {\n  static constexpr const char *all[] = {";
  llvm::interleaveComma(type->members, os, [&](auto &member) { os << '"' << member << '"'; });
  os << "};\n};\n} // namespace SPL\n";
  return "SPL::enumeration<SPL::" + names + ">";
}

std::string CppTypes::defineTuple(Type type) {
  std::vector<std::pair<std::string, std::string>> parts; // type, name
  for (auto &[attribute, of] : type->attributes)
    parts.emplace_back(name(of), attribute);
  std::string tuple = "Tuple_" + std::to_string(defined.size());
  os << "namespace SPL {\nstruct " << tuple << " : Tuple {\n";
  for (auto &[of, attribute] : parts)
    os << "  " << of << " " << attribute << "_{};\n"
       << "  const " << of << " &get_" << attribute << "() const { return " << attribute << "_; }\n"
       << "  " << of << " &get_" << attribute << "() { return " << attribute << "_; }\n"
       << "  void set_" << attribute << "(const " << of << " &v) { " << attribute << "_ = v; }\n";
  os << "  void clear() { *this = {}; }\n  bool operator==(const " << tuple
     << " &) const = default;\n  size_t hash() const {\n    size_t all = 0;\n";
  for (auto &[of, attribute] : parts)
    os << "    all = Hash::mix(all, Hash()(" << attribute << "_));\n";
  os << "    return all;\n  }\n};\n} // namespace SPL\n";

  tuple = "SPL::" + tuple;
  os << "template <> struct sluice::native::Bridge<" << tuple << "> {\n  struct Raw {\n";
  for (auto [i, part] : llvm::enumerate(parts))
    os << "    Bridge<" << part.first << ">::Raw f" << i << ";\n";
  os << "  };\n  static " << tuple << " in(const Raw &raw) {\n    " << tuple << " t;\n";
  for (auto [i, part] : llvm::enumerate(parts))
    os << "    t." << part.second << "_ = Bridge<" << part.first << ">::in(raw.f" << i << ");\n";
  os << "    return t;\n  }\n  static Raw out(Ctx *ctx, const " << tuple
     << " &t) {\n    Raw raw;\n    memset(static_cast<void *>(&raw), 0, sizeof raw);\n";
  for (auto [i, part] : llvm::enumerate(parts))
    os << "    raw.f" << i << " = Bridge<" << part.first << ">::out(ctx, t." << part.second
       << "_);\n";
  os << "    return raw;\n  }\n  static const TypeDesc *desc() {\n"
        "    static const Field fields[] = {\n";
  for (auto [i, part] : llvm::enumerate(parts))
    os << "        {\"" << part.second << "\", Bridge<" << part.first
       << ">::desc(), offsetof(Raw, f" << i << "), 0},\n";
  os << "    };\n    static const TypeDesc self = describeTuple<Raw>(fields, " << parts.size()
     << ");\n    return &self;\n  }\n};\n";
  return tuple;
}

/// How the ABI passes a value: see abi.h.
bool isByValue(Type type) { return type->info().storage == Storage::Scalar; }

void writeCall(const typed::Prototype &proto, CppTypes &types, const Diagnostics &diags,
               llvm::raw_ostream &os) {
  bool isVoid = proto.result->kind == SplType::Void;
  os << "extern \"C\" int32_t " << proto.symbol << "(sluice::Ctx *ctx";
  if (!isVoid)
    os << ", " << types.raw(proto.result) << " *result";
  for (auto [i, type] : llvm::enumerate(proto.params)) {
    bool isMutable = proto.isMutable[i];
    os << ", " << (isMutable || isByValue(type) ? "" : "const ") << types.raw(type)
       << (!isMutable && isByValue(type) ? " a" : " *a") << i;
  }
  os << ") {\n  return sluice::native::guarded(ctx, \"" << proto.name << "\", [&] {\n";
  // The places get their values from the first argument to the last: in the order of destruction.
  for (size_t i = proto.params.size(); i-- > 0;) {
    std::string name = types.name(proto.params[i]);
    if (proto.isMutable[i])
      os << "    sluice::native::Mutable<" << name << "> p" << i << "(ctx, a" << i << ");\n";
    else
      os << "    const " << name << " p" << i << " = sluice::native::Bridge<" << name << ">::in("
         << (isByValue(proto.params[i]) ? "a" : "*a") << i << ");\n";
  }
  os << "#line " << diags.lineAndColumn(proto.range).first << " \"" << diags.path(proto.range.file)
     << "\"\n    ";
  if (!isVoid)
    os << types.name(proto.result) << " value = ";
  os << "::" << proto.native->name << "(";
  for (size_t i = 0; i < proto.params.size(); ++i)
    os << (i ? ", p" : "p") << i << (proto.isMutable[i] ? ".value" : "");
  os << ");\n";
  if (!isVoid)
    os << "    *result = sluice::native::Bridge<" << types.name(proto.result)
       << ">::out(ctx, value);\n";
  os << "  });\n}\n";
}

} // namespace

std::string driver::nativeWrapper(llvm::ArrayRef<typed::NativeCall> calls,
                                  const Diagnostics &diags) {
  std::string definitions, functions;
  llvm::raw_string_ostream head(definitions), body(functions);
  head << "#include \"sluice/function.h\"\n";
  if (const std::string &header = calls.front().proto->native->set->header; !header.empty())
    head << "#include \"" << header << "\"\n";
  CppTypes types(head);
  for (const typed::NativeCall &call : calls)
    writeCall(*call.proto, types, diags, body);
  return definitions + functions;
}
