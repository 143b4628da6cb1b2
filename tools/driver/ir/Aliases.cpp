//===- Aliases.cpp - short names of types in listings ---------------------===//
#include "tools/driver/ir/Aliases.h"
#include "ir/Spl.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;
using namespace sluice;
using llvm::StringRef;

namespace {
struct TupleNames : OpAsmDialectInterface {
  using OpAsmDialectInterface::OpAsmDialectInterface;

  AliasResult getAlias(Type type, llvm::raw_ostream &os) const override {
    if (!isa<spl::TupleType>(type))
      return AliasResult::NoAlias;
    os << "tuple"; // MLIR appends a number
    return AliasResult::FinalAlias;
  }
};
} // namespace

void driver::nameTupleTypes(MLIRContext &context) {
  DialectRegistry registry;
  registry.addExtension(
      +[](MLIRContext *, spl::SplDialect *dialect) { dialect->addInterfaces<TupleNames>(); });
  context.appendDialectRegistry(registry);
}

/// The names `!word` in a text.
static void addNames(StringRef text, llvm::StringSet<> &names) {
  while (true) {
    text = text.drop_front(std::min(text.find('!'), text.size()));
    if (text.empty())
      return;
    StringRef name = text.drop_front().take_while([](char c) { return llvm::isAlnum(c); });
    names.insert(name);
    text = text.drop_front(1 + name.size());
  }
}

std::string driver::definitionsFor(StringRef text, StringRef module) {
  llvm::SmallVector<StringRef> lines, wanted;
  for (StringRef rest = module; rest.starts_with("!");) { // they stand at its top
    auto [line, behind] = rest.split('\n');
    lines.push_back(line);
    rest = behind;
  }
  llvm::StringSet<> names;
  addNames(text, names);
  for (StringRef line : llvm::reverse(lines)) // a type stands behind those that it is made of
    if (names.contains(line.drop_front().split(' ').first)) {
      addNames(line.split('=').second, names);
      wanted.push_back(line);
    }
  std::string result;
  for (StringRef line : llvm::reverse(wanted))
    result += line.str() + "\n";
  return result;
}
