//===- RuntimeABI.cpp - calls from generated code into the runtime --------===//
#include "codegen/RuntimeABI.h"
#include "codegen/Layout.h"
#include "sluice/abi.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/ErrorHandling.h"

using namespace mlir;
using namespace sluice;

namespace {
/// The type in MLIR of a C++ type in abi.h. Integers have a sign, which says how callers extend
/// them.
template <typename T> mlir::Type typeOf(MLIRContext *context) {
  if constexpr (std::is_void_v<T>)
    return LLVM::LLVMVoidType::get(context);
  else if constexpr (std::is_pointer_v<T>)
    return LLVM::LLVMPointerType::get(context);
  else if constexpr (std::is_enum_v<T>)
    return typeOf<std::underlying_type_t<T>>(context);
  else if constexpr (std::is_same_v<T, double>)
    return Float64Type::get(context);
  else {
    static_assert(std::is_integral_v<T>, "typeOf does not know this type of abi.h");
    return IntegerType::get(context, 8 * sizeof(T),
                            std::is_signed_v<T> ? IntegerType::Signed : IntegerType::Unsigned);
  }
}

/// The type of a function of abi.h, with the signs that an LLVM::LLVMFunctionType does not have.
struct Signature {
  mlir::Type result;
  SmallVector<mlir::Type> arguments;
  bool isVarArg;
};

template <typename Function> struct SignatureOf;
template <typename R, typename... Args> struct SignatureOf<R(Args...)> {
  static Signature get(MLIRContext *context) {
    return {typeOf<R>(context), {typeOf<Args>(context)...}, /*isVarArg=*/false};
  }
};
template <typename R, typename... Args> struct SignatureOf<R(Args..., ...)> {
  static Signature get(MLIRContext *context) {
    return {typeOf<R>(context), {typeOf<Args>(context)...}, /*isVarArg=*/true};
  }
};

struct RuntimeFunction {
  StringLiteral name;
  Signature (*signature)(MLIRContext *);
  bool isQuery;  // writes no memory and returns, so that calls may be moved
  bool isSeldom; // few rows call it
};
} // namespace

static constexpr RuntimeFunction kFunctions[] = {
#define FUNCTION(name)                                                                             \
  {#name, SignatureOf<decltype(name)>::get, /*isQuery=*/false, /*isSeldom=*/false},
#define QUERY(name) {#name, SignatureOf<decltype(name)>::get, /*isQuery=*/true, /*isSeldom=*/false},
#define SELDOM(name)                                                                               \
  {#name, SignatureOf<decltype(name)>::get, /*isQuery=*/false, /*isSeldom=*/true},
#include "codegen/RuntimeFunctions.def"
};

/// The attributes of an argument or result. Callers extend small integers on both targets.
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

/// Declares a function at the front of the module, where a lookup by name soon finds it.
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
  const auto *abi = llvm::find_if(kFunctions, [&](const auto &f) { return name == f.name; });
  if (abi == std::end(kFunctions))
    llvm::reportFatalInternalError("'" + name + "' is not a function of abi.h");
  MLIRContext *context = module.getContext();
  Signature type = abi->signature(context);
  LLVM::LLVMFuncOp function = create(module, name, type.result, type.arguments, type.isVarArg);
  if (abi->isQuery) {
    LLVM::ModRefInfo reads = LLVM::ModRefInfo::Ref, none = LLVM::ModRefInfo::NoModRef;
    function.setMemoryEffectsAttr(
        LLVM::MemoryEffectsAttr::get(context, {reads, reads, none, none, none, none}));
    function.setWillReturn(true);
  }
  if (abi->isSeldom)
    function.setPassthroughAttr(ArrayAttr::get(context, StringAttr::get(context, "cold")));
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
