//===- Aliasing.cpp - which memory is never the same ----------------------===//
#include "codegen/Aliasing.h"
#include "ir/Spl.h"

using namespace mlir;
using namespace sluice;

static LLVM::TBAARootAttr rootOf(MLIRContext *context) {
  return LLVM::TBAARootAttr::get(context, StringAttr::get(context, "sluice"));
}

static LLVM::TBAATypeDescriptorAttr descend(LLVM::TBAANodeAttr parent, const Twine &name) {
  MLIRContext *context = parent.getContext();
  auto member = LLVM::TBAAMemberAttr::get(context, parent, 0);
  return LLVM::TBAATypeDescriptorAttr::get(context, name.str(), member);
}

LLVM::TBAATagAttr sluice::memoryTag(MLIRContext *context, Memory memory,
                                    std::optional<unsigned> port, std::optional<unsigned> column) {
  static constexpr llvm::StringLiteral kNames[] = {"columns", "header", "ports", "state",
                                                   "made",    "block",  "dealt"};
  llvm::StringRef name = kNames[unsigned(memory)];
  LLVM::TBAATypeDescriptorAttr type = descend(rootOf(context), name);
  if (port) // below the one that means any port
    type = descend(type, name + Twine(*port));
  if (port && column)
    type = descend(type, name + Twine(*port) + "." + Twine(*column));
  return LLVM::TBAATagAttr::get(type, type, 0);
}

LLVM::TBAATagAttr sluice::elementsTag(Type collection) {
  std::string name;
  llvm::raw_string_ostream(name) << "elements of " << collection;
  LLVM::TBAATypeDescriptorAttr type = descend(rootOf(collection.getContext()), name);
  return LLVM::TBAATagAttr::get(type, type, 0);
}

void sluice::setMemory(Operation *access, LLVM::TBAATagAttr tag) {
  spl::SplDialect::MemoryAttrHelper(access->getContext()).setAttr(access, tag);
}

void sluice::setTag(Operation *access, LLVM::TBAATagAttr tag) {
  auto tags = ArrayAttr::get(access->getContext(), tag);
  if (auto load = dyn_cast<LLVM::LoadOp>(access))
    load.setTbaaAttr(tags);
  else
    cast<LLVM::StoreOp>(access).setTbaaAttr(tags);
}
