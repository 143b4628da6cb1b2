//===- TypeDescs.cpp - constants of generated modules ---------------------===//
#include "codegen/TypeDescs.h"
#include "codegen/Layout.h"
#include "ir/Kinds.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/xxhash.h"

using namespace mlir;
using namespace sluice;
using layout::Part;
using mlir::Type;

/// Longer spellings are cut and told apart by their hash.
static constexpr size_t kLongestName = 120;

static std::string shortened(std::string text) {
  if (text.size() <= kLongestName)
    return text;
  std::string hash = llvm::utohexstr(llvm::xxh3_64bits(text), /*LowerCase=*/true);
  return text.substr(0, kLongestName - hash.size() - 1) + "." + hash;
}

static std::string spelling(Type type) {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << type;
  std::string plain;
  for (size_t i = 0; i < text.size(); ++i) {
    if (StringRef(text).substr(i).starts_with("!spl."))
      i += 4;
    else if (text[i] != '"')
      plain += text[i];
  }
  return plain;
}

std::string sluice::typeDescSymbol(Type type) { return "sl.type." + shortened(spelling(type)); }

Value sluice::addressOf(OpBuilder &b, Location loc, LLVM::GlobalOp global) {
  return LLVM::AddressOfOp::create(b, loc, LLVM::LLVMPointerType::get(b.getContext()),
                                   global.getSymName());
}

namespace {
/// Builds the initializer of a global: a struct or array, member by member.
class Initializer {
public:
  explicit Initializer(LLVM::GlobalOp global) : b(global.getContext()), loc(global.getLoc()) {
    b.createBlock(&global.getInitializerRegion());
    value = LLVM::ZeroOp::create(b, loc, global.getGlobalType());
  }
  ~Initializer() { LLVM::ReturnOp::create(b, loc, value); }

  void add(Value member) { value = LLVM::InsertValueOp::create(b, loc, value, member, index++); }
  /// Zeros and null pointers are there already.
  void addI32(uint64_t v) {
    if (v)
      add(LLVM::ConstantOp::create(b, loc, b.getI32Type(), b.getI32IntegerAttr(uint32_t(v))));
    else
      ++index;
  }
  void addAddress(LLVM::GlobalOp global) {
    if (global)
      add(addressOf(b, loc, global));
    else
      ++index;
  }

  OpBuilder b;
  Location loc;

private:
  Value value;
  int64_t index = 0;
};
} // namespace

ConstantPool::ConstantPool(ModuleOp module) : module(module) {
  for (auto global : module.getOps<LLVM::GlobalOp>())
    globals[global.getSymName()] = global;
}

LLVM::GlobalOp ConstantPool::create(Type type, StringRef name, Attribute value) {
  OpBuilder b = OpBuilder::atBlockBegin(module.getBody());
  auto global = LLVM::GlobalOp::create(b, module.getLoc(), type, /*isConstant=*/true,
                                       LLVM::Linkage::Internal, name, value);
  global.setUnnamedAddr(LLVM::UnnamedAddr::Global);
  return globals[name] = global;
}

LLVM::GlobalOp ConstantPool::find(StringRef name) { return globals.lookup(name); }

LLVM::GlobalOp ConstantPool::bytes(StringRef data) {
  LLVM::GlobalOp &global = strings[data];
  if (global)
    return global;
  std::string name = "sl.str." + llvm::utohexstr(llvm::xxh3_64bits(data), /*LowerCase=*/true);
  while ((global = find(name)) &&
         global.getValueOrNull() != StringAttr::get(module.getContext(), data))
    name += "x"; // the same hash
  if (global)
    return global;
  auto type = LLVM::LLVMArrayType::get(IntegerType::get(module.getContext(), 8), data.size());
  return global = create(type, name, StringAttr::get(module.getContext(), data));
}

LLVM::GlobalOp ConstantPool::cString(StringRef text) { return bytes((text + Twine('\0')).str()); }

static LLVM::LLVMStructType structOf(MLIRContext *context, StringRef letters) {
  SmallVector<Type> members;
  for (char letter : letters)
    members.push_back(letter == 'p' ? Type(LLVM::LLVMPointerType::get(context))
                                    : IntegerType::get(context, 32));
  return LLVM::LLVMStructType::getLiteral(context, members);
}

/// The array of Field structs of a tuple or an optional.
LLVM::GlobalOp ConstantPool::fields(Type type) {
  if (spl::partsOf(type).empty())
    return {};
  auto tuple = dyn_cast<spl::TupleType>(type); // else it is an optional
  SmallVector<Part> parts = layout::partsOf(type);
  auto field = structOf(module.getContext(), "ppii");
  return array(field, parts.size(), typeDescSymbol(type) + ".fields",
               [&](OpBuilder &b, unsigned i) -> Value {
                 Location loc = module.getLoc();
                 Value v = LLVM::ZeroOp::create(b, loc, field);
                 auto add = [&](int64_t at, Value member) {
                   v = LLVM::InsertValueOp::create(b, loc, v, member, at);
                 };
                 StringRef name = tuple ? tuple.getNames()[i].getValue() : "";
                 add(0, addressOf(b, loc, cString(name)));
                 add(1, addressOf(b, loc, typeDesc(parts[i].type)));
                 add(2, LLVM::ConstantOp::create(b, loc, b.getI32Type(),
                                                 b.getI32IntegerAttr(uint32_t(parts[i].offset))));
                 return v;
               });
}

/// The array of member names of an enumeration.
LLVM::GlobalOp ConstantPool::names(Type type) {
  auto enumeration = dyn_cast<spl::EnumType>(type);
  if (!enumeration || enumeration.getMembers().empty())
    return {};
  ArrayRef<StringAttr> members = enumeration.getMembers();
  return array(LLVM::LLVMPointerType::get(module.getContext()), members.size(),
               typeDescSymbol(type) + ".names", [&](OpBuilder &b, unsigned i) {
                 return addressOf(b, module.getLoc(), cString(members[i].getValue()));
               });
}

/// LLVM makes a new constant of a whole array for each member that is inserted. Rows of this many
/// elements keep that from being quadratic.
static constexpr unsigned kRow = 128;

/// The type of the array: an array, or a struct of rows, which has the same bytes.
static Type rowsOf(Type element, unsigned count) {
  if (count <= kRow)
    return LLVM::LLVMArrayType::get(element, count);
  SmallVector<Type> rows(count / kRow, LLVM::LLVMArrayType::get(element, kRow));
  if (count % kRow)
    rows.push_back(LLVM::LLVMArrayType::get(element, count % kRow));
  return LLVM::LLVMStructType::getLiteral(element.getContext(), rows);
}

LLVM::GlobalOp ConstantPool::array(Type elementType, unsigned count, StringRef name,
                                   llvm::function_ref<Value(OpBuilder &, unsigned)> element) {
  unsigned &number = numbers[name];
  std::string unique = name.str();
  while (find(unique))
    unique = (name + "." + Twine(number++)).str();
  LLVM::GlobalOp global = create(rowsOf(elementType, count), unique);
  Initializer init(global);
  if (count <= kRow) {
    for (unsigned i = 0; i < count; ++i)
      init.add(element(init.b, i));
    return global;
  }
  auto rows = cast<LLVM::LLVMStructType>(global.getGlobalType());
  for (auto [r, type] : llvm::enumerate(rows.getBody())) {
    Value row = LLVM::ZeroOp::create(init.b, init.loc, type);
    unsigned size = cast<LLVM::LLVMArrayType>(type).getNumElements();
    for (unsigned i = 0; i < size; ++i)
      row = LLVM::InsertValueOp::create(init.b, init.loc, row, element(init.b, r * kRow + i), i);
    init.add(row);
  }
  return global;
}

static uint64_t memberCount(Type type) {
  auto enumeration = dyn_cast<spl::EnumType>(type);
  return enumeration ? enumeration.getMembers().size() : spl::partsOf(type).size();
}

LLVM::GlobalOp ConstantPool::typeDesc(Type type) {
  if (LLVM::GlobalOp known = descs.lookup(type))
    return known;
  std::string name = typeDescSymbol(type);
  LLVM::GlobalOp global = find(name);
  if (!global) {
    Type element = spl::elementOf(type);
    LLVM::GlobalOp elementDesc = element ? typeDesc(element) : nullptr;
    auto map = dyn_cast<spl::MapType>(type);
    LLVM::GlobalOp valueDesc = map ? typeDesc(map.getValue()) : nullptr;
    LLVM::GlobalOp fieldArray = fields(type), nameArray = names(type);
    layout::Entry entry = element ? layout::entryOf(type) : layout::Entry{0, 0};
    global = create(structOf(module.getContext(), "iiiippiiiipp"), name);
    Initializer init(global);
    init.addI32(uint32_t(spl::kindOf(type)));
    init.addI32(layout::sizeOf(type));
    init.addI32(layout::alignOf(type));
    init.addI32(layout::isPlain(type));
    init.addAddress(elementDesc);
    init.addAddress(valueDesc);
    init.addI32(entry.stride);
    init.addI32(entry.valueOffset);
    init.addI32(memberCount(type));
    init.addI32(spl::boundOf(type));
    init.addAddress(fieldArray);
    init.addAddress(nameArray);
  }
  descs[type] = global;
  return global;
}
