//===- RuntimeABI.cpp - calls from generated code into the runtime --------===//
#include "codegen/RuntimeABI.h"
#include "codegen/Layout.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace sluice;

namespace {
/// `signature`: the result, then the arguments: v void, p pointer, b uint8,
/// i int32, u uint32, l int64, m uint64, d double, `.` more (printf).
/// readsOnly: writes no memory and returns, so that calls may be moved.
struct AbiFunction {
  const char *name, *signature;
  bool readsOnly = false;
};
} // namespace

static constexpr AbiFunction kFunctions[] = {
    {"sl_scratch", "ppmm"},
    {"sl_arena_checkpoint", "vpp"},
    {"sl_arena_release", "vpp"},
    {"sl_copy", "vpppp"},
    {"sl_copy_to", "vpppp"},
    {"sl_assign", "vpppp"},
    {"sl_scratch_assign", "vpppp"},
    {"sl_destroy", "vppp"},
    {"sl_equal", "bppp", true},
    {"sl_compare", "ippp", true},
    {"sl_hash", "mpp", true},
    {"sl_parse", "ipppp"},
    {"sl_to_string", "vpppp"},
    {"sl_cast", "ippppp"},
    {"sl_make_list", "vppppu"},
    {"sl_make_set", "vppppu"},
    {"sl_make_map", "vppppu"},
    {"sl_list_at", "ippppl"},
    {"sl_map_at", "ippppp"},
    {"sl_map_slot", "vppppp"},
    {"sl_contains", "bppp", true},
    {"sl_ahead_index", "vppp"},
    {"sl_ahead_entry", "vppp"},
    {"sl_str_at", "ipppl"},
    {"sl_list_slice", "ippppllbb"},
    {"sl_str_slice", "ipppllbb"},
    {"sl_str_concat", "vpppp"},
    {"sl_str_append", "vppp"},
    {"sl_batch_keep", "vppp"},
    {"sl_take_puncts", "pp"},
    {"sl_forward", "ipu"},
    {"sl_port_punct", "ipuu"},
    {"sl_port_final", "ipu"},
    {"sl_op_closed", "ipu"},
    {"sl_out_close", "ipu"},
    {"sl_out_open", "ipu"},
    {"sl_native_tuple", "ipuup"},
    {"sl_native_punct", "ipuuu"},
    {"sl_param", "vpuppp"},
    {"sl_wait", "ipd"},
    {"sl_is_shutdown", "ip"},
    {"sl_source_made", "ipum"},
    {"sl_source_submitted", "ipu"},
    {"sl_submission", "vpup"},
    {"sl_error", "ipp."},
    {"sl_fail", "ipui"},
    {"sl_caught", "ipui"},
    {"sl_unwind", "ippu"},
    {"sl_main", "ipip"},
};

static mlir::Type typeOfLetter(MLIRContext *context, char letter) {
  using S = IntegerType::SignednessSemantics;
  switch (letter) {
  case 'v':
    return LLVM::LLVMVoidType::get(context);
  case 'p':
    return LLVM::LLVMPointerType::get(context);
  case 'b':
    return IntegerType::get(context, 8, S::Unsigned);
  case 'i':
    return IntegerType::get(context, 32, S::Signed);
  case 'u':
    return IntegerType::get(context, 32, S::Unsigned);
  case 'l':
    return IntegerType::get(context, 64, S::Signed);
  case 'm':
    return IntegerType::get(context, 64, S::Unsigned);
  case 'd':
    return Float64Type::get(context);
  }
  llvm_unreachable("unknown letter in a runtime signature");
}

/// Callers extend small integers on both targets.
static DictionaryAttr extension(Builder &b, mlir::Type type) {
  SmallVector<NamedAttribute> attrs;
  if (!isa<LLVM::LLVMVoidType>(type))
    attrs.push_back(b.getNamedAttr("llvm.noundef", b.getUnitAttr()));
  auto integer = dyn_cast<IntegerType>(type);
  if (isa<spl::EnumType>(type) || (integer && integer.getWidth() < 64 && !integer.isSigned()))
    attrs.push_back(b.getNamedAttr("llvm.zeroext", b.getUnitAttr()));
  else if (integer && integer.getWidth() < 64)
    attrs.push_back(b.getNamedAttr("llvm.signext", b.getUnitAttr()));
  return b.getDictionaryAttr(attrs);
}

static mlir::Type argumentType(mlir::Type type) {
  mlir::Type lowered = layout::memoryType(type);
  return lowered ? lowered : type;
}

/// At the front of the module, where a lookup by name soon finds it.
static LLVM::LLVMFuncOp create(ModuleOp module, StringRef name, mlir::Type result,
                               ArrayRef<mlir::Type> types, bool varArg) {
  OpBuilder b = OpBuilder::atBlockBegin(module.getBody());
  SmallVector<mlir::Type> inputs = llvm::map_to_vector(types, argumentType);
  auto type = LLVM::LLVMFunctionType::get(argumentType(result), inputs, varArg);
  auto function = LLVM::LLVMFuncOp::create(b, module.getLoc(), name, type);
  SmallVector<Attribute> attrs =
      llvm::map_to_vector(types, [&](mlir::Type t) -> Attribute { return extension(b, t); });
  function.setArgAttrsAttr(b.getArrayAttr(attrs));
  if (!isa<LLVM::LLVMVoidType>(result))
    function.setResAttrsAttr(b.getArrayAttr({extension(b, result)}));
  function.setNoUnwind(true);
  return function;
}

LLVM::LLVMFuncOp sluice::declareRuntime(ModuleOp module, StringRef name) {
  if (auto function = module.lookupSymbol<LLVM::LLVMFuncOp>(name))
    return function;
  auto abi = llvm::find_if(kFunctions, [&](const AbiFunction &f) { return name == f.name; });
  assert(abi != std::end(kFunctions) && "not a function of abi.h");
  MLIRContext *context = module.getContext();
  StringRef letters = abi->signature;
  bool varArg = letters.consume_back(".");
  SmallVector<mlir::Type> types;
  for (char letter : letters.drop_front())
    types.push_back(typeOfLetter(context, letter));
  LLVM::LLVMFuncOp function =
      create(module, name, typeOfLetter(context, letters.front()), types, varArg);
  if (abi->readsOnly) {
    LLVM::ModRefInfo reads = LLVM::ModRefInfo::Ref, none = LLVM::ModRefInfo::NoModRef;
    function.setMemoryEffectsAttr(
        LLVM::MemoryEffectsAttr::get(context, {reads, reads, none, none, none, none}));
    function.setWillReturn(true);
  }
  return function;
}

LLVM::LLVMFuncOp sluice::declareFunction(ModuleOp module, StringRef name, mlir::Type result,
                                         ArrayRef<mlir::Type> arguments) {
  auto function = module.lookupSymbol<LLVM::LLVMFuncOp>(name);
  if (!function)
    return create(module, name, result, arguments, /*varArg=*/false);
  SmallVector<mlir::Type> inputs = llvm::map_to_vector(arguments, argumentType);
  auto type = LLVM::LLVMFunctionType::get(argumentType(result), inputs, /*isVarArg=*/false);
  return function.getFunctionType() == type ? function : nullptr;
}

Value sluice::callNoUnwind(OpBuilder &b, Location loc, LLVM::LLVMFuncOp callee, ValueRange args) {
  auto call = LLVM::CallOp::create(b, loc, callee, args);
  call.setNoUnwind(true);
  return call.getNumResults() ? call.getResult() : Value();
}
