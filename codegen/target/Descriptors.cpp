//===- Descriptors.cpp - the program table's structs as constants ---------===//
#include "codegen/target/Descriptors.h"
#include "codegen/TypeDescs.h"
#include "llvm/Support/ErrorHandling.h"

using namespace sluice;
using llvm::Constant;

table::FieldValue<const char *> DescriptorBuilder::string(llvm::StringRef text) {
  Constant *&slot = strings[text];
  if (!slot)
    slot = global(llvm::ConstantDataArray::getString(context, text), "sl.str");
  return table::FieldValue<const char *>(slot);
}

Constant *DescriptorBuilder::functionNamed(llvm::StringRef name) {
  llvm::Function *function = module.getFunction(name);
  if (!function)
    llvm::reportFatalInternalError("the program table names the function '" + name +
                                   "', which the module lacks");
  return function;
}

table::FieldValue<const TypeDesc *> DescriptorBuilder::typeDesc(mlir::Type type) {
  std::string name = typeDescSymbol(type);
  llvm::GlobalVariable *desc = module.getGlobalVariable(name, /*AllowInternal=*/true);
  if (!desc)
    llvm::reportFatalInternalError("the program table names the type descriptor '" +
                                   llvm::Twine(name) + "', which the module lacks");
  return table::FieldValue<const TypeDesc *>(desc);
}

Constant *DescriptorBuilder::structure(llvm::ArrayRef<Member> members, uint64_t size,
                                       llvm::StringRef name) {
  llvm::SmallVector<Constant *> values;
  for (const Member &member : members)
    values.push_back(member.value);
  Constant *made = llvm::ConstantStruct::getAnon(context, values);
  auto *type = llvm::cast<llvm::StructType>(made->getType());
  const llvm::StructLayout *layout = module.getDataLayout().getStructLayout(type);
  bool fits = layout->getSizeInBytes() == size;
  for (auto [i, member] : llvm::enumerate(members))
    fits &= layout->getElementOffset(i) == member.offset;
  if (!fits)
    llvm::reportFatalInternalError("the target lays out '" + name + "' in another way");
  return made;
}

#define SLUICE_DESC(Name)                                                                          \
  Constant *DescriptorBuilder::constant(const table::Name &desc) {                                 \
    llvm::SmallVector<Member> members;
#define SLUICE_FIELD(type, name, offset) members.push_back({constant(desc.name), offset});
#define SLUICE_DESC_END(Name, size)                                                                \
  return structure(members, size, #Name);                                                          \
  }
#include "sluice/Descs.def"

Constant *DescriptorBuilder::arrayOf(llvm::ArrayRef<Constant *> elements, llvm::StringRef name) {
  if (elements.empty())
    return nullptr;
  auto *type = llvm::ArrayType::get(elements[0]->getType(), elements.size());
  return global(llvm::ConstantArray::get(type, elements), name);
}

Constant *DescriptorBuilder::global(Constant *value, llvm::StringRef name) {
  return new llvm::GlobalVariable(module, value->getType(), /*isConstant=*/true,
                                  llvm::GlobalValue::PrivateLinkage, value, name);
}
