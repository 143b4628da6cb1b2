//===- Descriptors.h - the program table's structs as constants -*- C++ -*-===//
//
// The descriptors of runtime/include/sluice/Descs.def once more: `table::Site` is
// what the compiler fills in, by the names of its fields, to make a constant with
// the layout of `Site`. A field that is left out does not compile.
//
//===----------------------------------------------------------------------===//
#pragma once
#include "mlir/IR/Types.h"
#include "sluice/abi.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Module.h"

namespace sluice::table {

/// A member of C++ type T: a number, an enumerator or a descriptor. There is no default.
template <typename T> struct FieldValue {
  using Member = T;
  FieldValue(T value) : value(value) {}
  T value;
};

/// An address: of a constant or function in the module, or null. DescriptorBuilder makes those
/// that are not null.
template <typename T> struct FieldValue<T *> {
  using Member = T *;
  FieldValue(std::nullptr_t) {}
  explicit FieldValue(llvm::Constant *value) : value(value) {}
  llvm::Constant *value = nullptr;
};

// A descriptor that a field names is the one of this namespace.
#define SLUICE_DESC(Name)                                                                          \
  struct Name {                                                                                    \
    using Member = Name;
#define SLUICE_FIELD(type, name, offset) FieldValue<type> name;
#define SLUICE_DESC_END(Name, size)                                                                \
  }                                                                                                \
  ;
#include "sluice/Descs.def"

} // namespace sluice::table

namespace sluice {

/// Makes the constants of a program table in a module that knows its data layout.
class DescriptorBuilder {
public:
  using Constant = llvm::Constant;

  explicit DescriptorBuilder(llvm::Module &module) : module(module), context(module.getContext()) {}

  /// A string of the module, equal ones once.
  table::FieldValue<const char *> string(llvm::StringRef text);
  /// A function of the module, which the table keeps alive. That it is not there is an internal
  /// error. `Fn`: its type in abi.h.
  template <typename Fn> table::FieldValue<Fn> function(llvm::StringRef name) {
    return table::FieldValue<Fn>(functionNamed(name));
  }
  /// The TypeDesc of an SPL type, which the module has.
  table::FieldValue<const TypeDesc *> typeDesc(mlir::Type type);

  /// The address of an array of descriptors or members, or null if it is empty.
  template <typename Element>
  table::FieldValue<const typename Element::Member *> array(llvm::ArrayRef<Element> elements,
                                                            llvm::StringRef name) {
    llvm::SmallVector<Constant *> constants;
    for (const Element &element : elements)
      constants.push_back(constant(element));
    return table::FieldValue<const typename Element::Member *>(arrayOf(constants, name));
  }
  /// The address of one descriptor.
  template <typename Desc>
  table::FieldValue<const Desc *> address(const Desc &desc, llvm::StringRef name) {
    return table::FieldValue<const Desc *>(global(constant(desc), name));
  }

#define SLUICE_DESC(Name) Constant *constant(const table::Name &desc);
#define SLUICE_FIELD(type, name, offset)
#define SLUICE_DESC_END(Name, size)
#include "sluice/Descs.def"

private:
  struct Member {
    Constant *value;
    uint64_t offset;
  };

  template <typename T> Constant *constant(const table::FieldValue<T> &field) {
    if constexpr (std::is_pointer_v<T>)
      return field.value ? field.value
                         : llvm::ConstantPointerNull::get(llvm::PointerType::get(context, 0));
    else if constexpr (std::is_floating_point_v<T>)
      return llvm::ConstantFP::get(llvm::Type::getDoubleTy(context), field.value);
    else if constexpr (std::is_enum_v<T> || std::is_integral_v<T>)
      return llvm::ConstantInt::get(llvm::IntegerType::get(context, 8 * sizeof(T)),
                                    uint64_t(field.value), std::is_signed_v<T>);
    else
      return constant(field.value);
  }
  Constant *functionNamed(llvm::StringRef name);
  /// A struct of these members. That their offsets or its size are others is an internal error.
  Constant *structure(llvm::ArrayRef<Member> members, uint64_t size, llvm::StringRef name);
  Constant *arrayOf(llvm::ArrayRef<Constant *> elements, llvm::StringRef name);
  Constant *global(Constant *value, llvm::StringRef name);

  llvm::Module &module;
  llvm::LLVMContext &context;
  llvm::StringMap<Constant *> strings;
};

} // namespace sluice
