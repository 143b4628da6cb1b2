//===- MemoryName.cpp - which memory an access touches --------------------===//
#include "codegen/vectorise/MemoryName.h"
#include "llvm/IR/Metadata.h"

using namespace llvm;

namespace sluice {

/// The type above a type of TBAA.
static const MDNode *above(const MDNode &type) {
  return type.getNumOperands() > 1 ? dyn_cast<MDNode>(type.getOperand(1)) : nullptr;
}

static StringRef nameOf(const MDNode &type) {
  auto *name = type.getNumOperands() ? dyn_cast<MDString>(type.getOperand(0)) : nullptr;
  return name ? name->getString() : StringRef();
}

StringRef memoryName(const Instruction &access) {
  const MDNode *tag = access.getMetadata(LLVMContext::MD_tbaa);
  const MDNode *type = tag ? above(*tag) : nullptr;
  for (const MDNode *root = type; root; root = above(*root))
    if (!above(*root) && nameOf(*root) == "sluice")
      return nameOf(*type);
  return {};
}

} // namespace sluice
