//===- ProgramTable.cpp - the ProgramDesc of a compiled program -----------===//
#include "codegen/target/ProgramTable.h"
#include "codegen/Layout.h"
#include "codegen/TypeDescs.h"
#include "codegen/vectorise/VectoriseRows.h"
#include "ir/Stream.h"
#include "runtime/include/sluice/abi.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/IRBuilder.h"

using namespace mlir;
using namespace sluice;
using llvm::Constant;

namespace {
/// Builds constants whose layout is that of the C structs of abi.h: anonymous
/// LLVM structs of the same members.
class TableBuilder {
public:
  TableBuilder(llvm::Module &module) : m(module), c(module.getContext()) {}

  Constant *i32(uint64_t v) {
    return llvm::ConstantInt::get(llvm::Type::getInt32Ty(c), uint32_t(v));
  }
  Constant *i8(uint64_t v) { return llvm::ConstantInt::get(llvm::Type::getInt8Ty(c), uint8_t(v)); }
  Constant *f64(double v) { return llvm::ConstantFP::get(llvm::Type::getDoubleTy(c), v); }
  Constant *i64(uint64_t v) { return llvm::ConstantInt::get(llvm::Type::getInt64Ty(c), v); }
  Constant *null() { return llvm::ConstantPointerNull::get(llvm::PointerType::get(c, 0)); }
  Constant *str(llvm::StringRef text) {
    Constant *&slot = strings[text];
    if (!slot)
      slot = global(llvm::ConstantDataArray::getString(c, text), "sl.str");
    return slot;
  }
  Constant *structure(llvm::ArrayRef<Constant *> members) {
    return llvm::ConstantStruct::getAnon(c, members);
  }
  /// The address of an array, or null if it is empty.
  Constant *array(llvm::ArrayRef<Constant *> elements, llvm::StringRef name) {
    if (elements.empty())
      return null();
    auto *type = llvm::ArrayType::get(elements[0]->getType(), elements.size());
    return global(llvm::ConstantArray::get(type, elements), name);
  }
  Constant *global(Constant *init, llvm::StringRef name) {
    return new llvm::GlobalVariable(m, init->getType(), /*isConstant=*/true,
                                    llvm::GlobalValue::PrivateLinkage, init, name);
  }
  /// A function of the module; the table keeps it alive.
  Constant *function(const llvm::Twine &name) {
    llvm::Function *f = m.getFunction(name.str());
    return f ? static_cast<Constant *>(f) : null();
  }
  Constant *typeDesc(mlir::Type type) {
    llvm::GlobalVariable *g = m.getGlobalVariable(typeDescSymbol(type), /*AllowInternal=*/true);
    return g ? static_cast<Constant *>(g) : null();
  }
  llvm::Module &m;

private:
  llvm::LLVMContext &c;
  llvm::StringMap<Constant *> strings;
};

struct Position {
  std::string file;
  unsigned line = 0, column = 0;
};

Position positionOf(Location loc) {
  Position p;
  loc->walk([&](Location l) {
    if (auto at = dyn_cast<FileLineColRange>(l)) {
      p = {at.getFilename().str(), at.getStartLine(), at.getStartColumn()};
      return WalkResult::interrupt();
    }
    return WalkResult::advance();
  });
  return p;
}

template <typename T> T get(DictionaryAttr dict, llvm::StringRef name) {
  return dict.getAs<T>(name);
}
} // namespace

static Constant *columnDesc(TableBuilder &t, const layout::Column &column) {
  return t.structure({t.i32(column.offset), t.i32(column.size), t.typeDesc(column.type)});
}

/// What an output port has for streams into @parallel regions: SplitDesc.
static void splits(TableBuilder &t, ArrayAttr list, const layout::Batch &shape,
                   std::vector<Constant *> &splits) {
  for (auto entry : list.getAsRange<DictionaryAttr>()) {
    auto split = get<stream::SplitAttr>(entry, "split");
    std::vector<Constant *> keys;
    if (DenseI32ArrayAttr attributes = split.getKeys())
      for (auto [index, column] : llvm::enumerate(shape.columns))
        if (llvm::is_contained(attributes.asArrayRef(), int32_t(column.path[0])))
          keys.push_back(t.i32(index));
    SplitKind kind = split.getBy() == stream::SplitBy::Key   ? SplitKind::ByKey
                     : split.getBy() == stream::SplitBy::All ? SplitKind::ToAll
                                                             : SplitKind::RoundRobin;
    splits.push_back(
        t.structure({t.i32(get<IntegerAttr>(entry, "consumer").getInt()), t.i32(split.getRegion()),
                     t.i32(uint32_t(kind)), t.i32(keys.size()), t.array(keys, "sl.keys")}));
  }
}

/// What lanes need to run the rows of the operator's only input port: KeyedDesc.
static Constant *keyedDesc(TableBuilder &t, DictionaryAttr op, DictionaryAttr keyed, unsigned id) {
  std::vector<Constant *> state;
  for (auto [offset, type] : llvm::zip_equal(get<DenseI64ArrayAttr>(keyed, "offsets").asArrayRef(),
                                             get<ArrayAttr>(keyed, "types").getAsRange<TypeAttr>()))
    state.push_back(t.structure({t.i64(offset), t.typeDesc(type.getValue())}));
  auto input = cast<spl::TupleType>(cast<TypeAttr>(get<ArrayAttr>(op, "inTypes")[0]).getValue());
  layout::Batch shape = layout::batchLayout(input);
  return t.global(
      t.structure({t.function("op" + llvm::Twine(id) + ".keyed0"),
                   columnDesc(t, shape.columns[get<IntegerAttr>(keyed, "column").getInt()]),
                   t.i32(state.size()), t.i32(0), t.array(state, "sl.keyedstate")}),
      "sl.keyed");
}

/// An input port of an operator.
static Constant *inPort(TableBuilder &t, DictionaryAttr op, unsigned id, unsigned port) {
  auto at = [&](llvm::StringRef name) { return uint32_t(get<DenseI32ArrayAttr>(op, name)[port]); };
  auto boundary = get<stream::BoundariesAttr>(op, "boundaries").getValues()[port];
  uint32_t size = 0;
  QueuePolicy policy = QueuePolicy::Wait;
  for (auto threaded : get<ArrayAttr>(op, "threadedPorts").getAsRange<stream::ThreadedPortAttr>())
    if (unsigned(threaded.getPort()) == port) {
      size = threaded.getSize();
      policy = QueuePolicy(threaded.getCongestion());
    }
  bool ownThread = size || get<BoolAttr>(op, "dedicated").getValue();
  auto keyed = get<DictionaryAttr>(op, "keyed");
  return t.structure({t.i32(id), t.i32(at("producers")), t.i32(uint32_t(boundary)),
                      t.i32(at("moves")), t.i32(size), t.i32(uint32_t(policy)), t.i32(ownThread),
                      t.function("op" + llvm::Twine(id) + ".rows" + llvm::Twine(port)),
                      keyed.empty() ? t.null() : keyedDesc(t, op, keyed, id)});
}

/// Operators, and with them their ports.
static void operators(TableBuilder &t, ArrayAttr list, std::vector<Constant *> &ops,
                      std::vector<Constant *> &ins, std::vector<Constant *> &outs) {
  for (auto [k, attr] : llvm::enumerate(list)) {
    auto op = cast<DictionaryAttr>(attr);
    std::string base = ("op" + llvm::Twine(k) + ".").str();
    int native = get<IntegerAttr>(op, "native").getInt();
    unsigned firstIn = ins.size(), firstOut = outs.size();
    std::vector<Constant *> emit, emitPunct, inTypes, outTypes, rowsOut;
    for (int8_t rows : get<DenseI8ArrayAttr>(op, "rowsOut").asArrayRef())
      rowsOut.push_back(t.i8(uint8_t(rows)));
    for (unsigned port = 0; port < get<DenseI32ArrayAttr>(op, "producers").size(); ++port)
      ins.push_back(inPort(t, op, k, port));
    for (auto type : get<ArrayAttr>(op, "inTypes").getAsRange<TypeAttr>())
      inTypes.push_back(t.typeDesc(type.getValue()));
    auto outputTypes = get<ArrayAttr>(op, "outTypes");
    for (auto [o, outAttr] : llvm::enumerate(get<ArrayAttr>(op, "outputs"))) {
      auto out = cast<DictionaryAttr>(outAttr);
      mlir::Type type = cast<TypeAttr>(outputTypes[o]).getValue();
      outTypes.push_back(t.typeDesc(type));
      std::vector<Constant *> segments, consumers;
      for (int32_t id : get<DenseI32ArrayAttr>(out, "consumers").asArrayRef())
        consumers.push_back(t.i32(id));
      for (auto name : get<ArrayAttr>(out, "segments").getAsRange<StringAttr>())
        segments.push_back(t.function(name.getValue()));
      layout::Batch shape = layout::batchLayout(cast<spl::TupleType>(type));
      bool batch = !segments.empty();
      std::vector<Constant *> splitDescs, columns;
      splits(t, get<ArrayAttr>(out, "splits"), shape, splitDescs);
      if (!splitDescs.empty() || (batch && get<BoolAttr>(op, "single").getValue()))
        for (const layout::Column &column : shape.columns)
          columns.push_back(columnDesc(t, column));
      outs.push_back(t.structure(
          {t.i32(k), t.i32(get<IntegerAttr>(out, "ordered").getInt()),
           t.i32(get<BoolAttr>(out, "back").getValue()), t.i32(batch ? shape.bytes : 0),
           t.i32(batch ? shape.rows : 0), t.i32(segments.size()), t.array(segments, "sl.segments"),
           t.array(consumers, "sl.consumers"), t.i32(consumers.size()), t.i32(0),
           t.array(splitDescs, "sl.splits"), t.array(columns, "sl.columns"),
           t.i32(splitDescs.size()), t.i32(columns.size())}));
      if (native >= 0) {
        emit.push_back(t.function(base + "emit" + llvm::Twine(o)));
        emitPunct.push_back(t.function(base + "emitpunct" + llvm::Twine(o)));
      }
    }
    Position at = positionOf(cast<Location>(LocationAttr(get<LocationAttr>(op, "loc"))));
    ops.push_back(t.structure({t.str(get<StringAttr>(op, "name").getValue()),
                               t.str(get<StringAttr>(op, "kind").getValue()),
                               t.str(at.file),
                               t.i32(at.line),
                               t.i32(at.column),
                               t.i32(inTypes.size()),
                               t.i32(outTypes.size()),
                               t.i32(firstIn),
                               t.i32(firstOut),
                               t.i32(native),
                               t.i32(get<BoolAttr>(op, "catch").getValue()),
                               t.function(base + "process0"),
                               t.array(emit, "sl.emit"),
                               t.array(emitPunct, "sl.emitpunct"),
                               t.array(inTypes, "sl.types"),
                               t.array(outTypes, "sl.types"),
                               t.function(base + "params0"),
                               t.f64(get<FloatAttr>(op, "cost").getValueAsDouble()),
                               t.array(rowsOut, "sl.rowsout"),
                               t.i32(get<BoolAttr>(op, "shared").getValue()),
                               t.i32(get<BoolAttr>(op, "single").getValue()),
                               t.i64(get<DenseI64ArrayAttr>(op, "stateRange")[0]),
                               t.i64(get<DenseI64ArrayAttr>(op, "stateRange")[1])}));
  }
}

static std::vector<Constant *> regions(TableBuilder &t, ArrayAttr list) {
  std::vector<Constant *> regions;
  for (auto [index, attr] : llvm::enumerate(list)) {
    auto region = cast<DictionaryAttr>(attr);
    auto desc = get<stream::RegionAttr>(region, "region");
    Position at = positionOf(desc.getLoc());
    std::vector<Constant *> members = {t.str(desc.getPath().getValue()),
                                       t.str(at.file),
                                       t.i32(at.line),
                                       t.i32(at.column),
                                       t.i32(desc.getParent()),
                                       t.i32(desc.getWidth().value_or(0)),
                                       t.i32(desc.getSubmission().value_or(0))};
    for (llvm::StringRef ids : {"ops", "ins", "outs", "natives"})
      for (int32_t id : get<DenseI32ArrayAttr>(region, ids).asArrayRef())
        members.push_back(t.i32(id));
    members.push_back(t.i32(0));
    for (int64_t bytes : get<DenseI64ArrayAttr>(region, "state").asArrayRef())
      members.push_back(t.i64(bytes));
    members.push_back(t.function("sl.init" + llvm::Twine(index)));
    members.push_back(t.function("sl.destroy" + llvm::Twine(index)));
    regions.push_back(t.structure(members));
  }
  return regions;
}

void sluice::addProgramTable(ModuleOp from, llvm::Module &module, const ProgramInfo &info) {
  TableBuilder t(module);
  auto table = from->getAttrOfType<DictionaryAttr>("sluice.table");
  std::vector<Constant *> ops, ins, outs, sites, submissions;
  operators(t, get<ArrayAttr>(table, "operators"), ops, ins, outs);
  unsigned natives = llvm::count_if(
      get<ArrayAttr>(table, "operators").getAsRange<DictionaryAttr>(),
      [](DictionaryAttr op) { return get<IntegerAttr>(op, "native").getInt() >= 0; });
  if (auto list = from->getAttrOfType<ArrayAttr>("sluice.sites"))
    for (auto site : list.getAsRange<ArrayAttr>())
      sites.push_back(t.structure({t.str(cast<StringAttr>(site[0]).getValue()),
                                   t.str(cast<StringAttr>(site[3]).getValue()),
                                   t.i32(cast<IntegerAttr>(site[1]).getInt()),
                                   t.i32(cast<IntegerAttr>(site[2]).getInt())}));
  for (auto value : get<ArrayAttr>(table, "submissions").getAsRange<stream::SubmissionAttr>()) {
    StringAttr fallback = value.getDefaultValue();
    submissions.push_back(t.structure({t.str(value.getName().getValue()),
                                       fallback ? t.str(fallback.getValue()) : t.null(),
                                       t.i32(value.getList()), t.i32(0)}));
  }
  std::vector<Constant *> regionDescs = regions(t, get<ArrayAttr>(table, "regions"));
  Constant *program = t.structure({t.i32(kMagic),
                                   t.i32(kAbiVersion),
                                   t.str(get<StringAttr>(table, "main").getValue()),
                                   t.str(info.sourceFile),
                                   t.str(info.appDir),
                                   t.str(info.dataDir),
                                   t.i64(get<IntegerAttr>(table, "state_bytes").getInt()),
                                   t.i32(ops.size()),
                                   t.i32(ins.size()),
                                   t.i32(outs.size()),
                                   t.i32(sites.size()),
                                   t.i32(submissions.size()),
                                   t.i32(natives),
                                   t.array(ops, "sl.operators"),
                                   t.array(ins, "sl.inports"),
                                   t.array(outs, "sl.outports"),
                                   t.array(sites, "sl.sites"),
                                   t.array(submissions, "sl.submissions"),
                                   t.function("sl.init"),
                                   t.function("sl.destroy"),
                                   t.array(regionDescs, "sl.regions"),
                                   t.i32(regionDescs.size()),
                                   t.i32(get<IntegerAttr>(table, "threads").getInt()),
                                   t.i32(0),
                                   t.i32(0)});
  new llvm::GlobalVariable(module, program->getType(), true, llvm::GlobalValue::ExternalLinkage,
                           program, "sl_program");
}

void sluice::tellRowsAtOnce(llvm::Module &module) {
  llvm::GlobalVariable *program = module.getGlobalVariable("sl_program");
  uint64_t most = 0;
  for (llvm::Function &f : module)
    most = std::max(most, f.getFnAttributeAsParsedInteger(kRowsAtOnce));
  if (!program || !most)
    return;
  auto *old = cast<llvm::ConstantStruct>(program->getInitializer());
  auto fields = llvm::map_to_vector(
      old->operands(), [](const llvm::Use &field) { return llvm::cast<Constant>(field.get()); });
  Constant *&field = fields[fields.size() - 2]; // before its padding
  field = llvm::ConstantInt::get(field->getType(), most);
  program->setInitializer(llvm::ConstantStruct::get(old->getType(), fields));
}

void sluice::addMain(llvm::Module &module) {
  llvm::LLVMContext &c = module.getContext();
  auto *i32 = llvm::Type::getInt32Ty(c);
  auto *ptr = llvm::PointerType::get(c, 0);
  auto *run = llvm::FunctionType::get(i32, {ptr, i32, ptr}, false);
  auto *main = llvm::Function::Create(llvm::FunctionType::get(i32, {i32, ptr}, false),
                                      llvm::Function::ExternalLinkage, "main", module);
  llvm::IRBuilder<> b(llvm::BasicBlock::Create(c, "entry", main));
  llvm::Value *status =
      b.CreateCall(module.getOrInsertFunction("sl_main", run),
                   {module.getGlobalVariable("sl_program"), main->getArg(0), main->getArg(1)});
  b.CreateRet(status);
}
