//===- ProgramTable.cpp - the ProgramDesc of a compiled program -----------===//
#include "codegen/target/ProgramTable.h"
#include "codegen/Layout.h"
#include "codegen/target/Descriptors.h"
#include "codegen/vectorise/VectoriseRows.h"
#include "ir/Stream.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace mlir;
using namespace sluice;
using stream::TableInputAttr, stream::TableKeyedAttr, stream::TableOperatorAttr,
    stream::TableOutputAttr, stream::TableRegionAttr, stream::TableSplitAttr,
    stream::TableVariableAttr;
using table::FieldValue;

namespace {
struct Position {
  llvm::StringRef file;
  unsigned line = 0, column = 0;
};

/// Makes the descriptors of a program from `stream.table` and `spl.sites`.
class ProgramTable {
public:
  ProgramTable(llvm::Module &module, const ProgramInfo &info) : make(module), info(info) {}

  table::ProgramDesc program(stream::TableAttr from, ArrayRef<spl::SiteAttr> sites);
  llvm::Constant *constant(const table::ProgramDesc &desc) { return make.constant(desc); }

private:
  /// Adds the descriptors of an operator and of its ports.
  void addOperator(TableOperatorAttr op);
  table::OperatorDesc operatorDesc(TableOperatorAttr op, uint32_t firstIn, uint32_t firstOut);
  table::InPortDesc inPort(TableInputAttr port, uint32_t op, TableKeyedAttr keyed);
  /// `needed`: whether the runtime needs to know its columns.
  table::OutPortDesc outPort(TableOutputAttr port, uint32_t op, bool needed);
  table::SplitDesc split(TableSplitAttr split, const layout::Batch &shape);
  table::KeyedDesc keyed(TableKeyedAttr keyed, const layout::Batch &shape);
  table::ColumnDesc column(const layout::Column &column);
  FieldValue<const table::StateDesc *> states(ArrayRef<TableVariableAttr> variables,
                                              StringRef name);
  table::RegionDesc region(TableRegionAttr region);
  table::ConsistentDesc consistent(stream::ConsistentAttr region);
  table::Site site(spl::SiteAttr site);
  table::SubmissionDesc submission(stream::SubmissionAttr value);

  FieldValue<const char *> fileName(StringRef file) { return make.string(info.nameOf(file)); }
  FieldValue<const char *> string(StringAttr text) { return make.string(text.getValue()); }
  /// Null where there is none.
  FieldValue<const char *> optionalString(StringAttr text) { return text ? string(text) : nullptr; }
  template <typename Fn> FieldValue<Fn> function(FlatSymbolRefAttr symbol) {
    return make.function<Fn>(symbol.getValue());
  }
  /// Null where there is no symbol.
  template <typename Fn> FieldValue<Fn> optionalFunction(FlatSymbolRefAttr symbol) {
    return symbol ? function<Fn>(symbol) : nullptr;
  }
  template <typename Fn>
  FieldValue<const Fn *> functions(ArrayRef<FlatSymbolRefAttr> symbols, StringRef name) {
    auto values = llvm::map_to_vector(
        symbols, [&](FlatSymbolRefAttr symbol) { return function<Fn>(symbol); });
    return make.array<FieldValue<Fn>>(values, name);
  }
  /// The types of the tuples of ports.
  template <typename Port> FieldValue<const TypeDesc *const *> types(ArrayRef<Port> ports) {
    auto values =
        llvm::map_to_vector(ports, [&](Port port) { return make.typeDesc(port.getType()); });
    return make.array<FieldValue<const TypeDesc *>>(values, "sl.types");
  }

  DescriptorBuilder make;
  const ProgramInfo &info;
  SmallVector<table::OperatorDesc> operators;
  SmallVector<table::InPortDesc> inPorts;
  SmallVector<table::OutPortDesc> outPorts;
};
} // namespace

std::string ProgramInfo::nameOf(StringRef file) const {
  if (!isExecutable || !llvm::sys::path::is_absolute(file))
    return file.str();
  for (const std::string &top : {appDir, toolkitDir}) {
    llvm::SmallString<128> folder(top), name(file);
    llvm::sys::path::remove_dots(folder, /*remove_dot_dot=*/true);
    llvm::sys::path::remove_dots(name, /*remove_dot_dot=*/true);
    if (StringRef rest = name; rest.consume_front(folder) && rest.consume_front("/"))
      return rest.str();
  }
  return llvm::sys::path::filename(file).str(); // of another toolkit
}

static Position positionOf(LocationAttr loc) {
  if (auto at = Location(loc)->findInstanceOf<FileLineColRange>())
    return {at.getFilename().getValue(), at.getStartLine(), at.getStartColumn()};
  return {};
}

//===--- ports --------------------------------------------------------------===//

table::ColumnDesc ProgramTable::column(const layout::Column &column) {
  return {.offset = uint32_t(column.offset),
          .size = uint32_t(column.size),
          .type = make.typeDesc(column.type)};
}

FieldValue<const table::StateDesc *> ProgramTable::states(ArrayRef<TableVariableAttr> variables,
                                                          StringRef name) {
  auto states = llvm::map_to_vector(variables, [&](TableVariableAttr variable) {
    return table::StateDesc{.offset = variable.getOffset(),
                            .type = make.typeDesc(variable.getType()),
                            .name = make.string(variable.getName())};
  });
  return make.array<table::StateDesc>(states, name);
}

table::KeyedDesc ProgramTable::keyed(TableKeyedAttr keyed, const layout::Batch &shape) {
  auto columns =
      llvm::map_to_vector(shape.columns, [&](const layout::Column &each) { return column(each); });
  return {.rows = function<KeyedRowsFn>(keyed.getRows()),
          .key = column(shape.columns[keyed.getColumn()]),
          .stateCount = uint32_t(keyed.getVariables().size()),
          .columnCount = uint32_t(columns.size()),
          .state = states(keyed.getVariables(), "sl.keyedstate"),
          .columns = make.array<table::ColumnDesc>(columns, "sl.columns"),
          .batchBytes = uint32_t(shape.bytes)};
}

table::InPortDesc ProgramTable::inPort(TableInputAttr port, uint32_t op, TableKeyedAttr keyed) {
  stream::ThreadedPortAttr threaded = port.getThreaded();
  FieldValue<const table::KeyedDesc *> keyedState = nullptr;
  if (keyed)
    keyedState = make.address(this->keyed(keyed, layout::batchLayout(port.getType())), "sl.keyed");
  return {.op = op,
          .producers = port.getProducers(),
          .boundary = BoundaryKind(port.getBoundary()),
          .inPlaceOutput = port.getInPlaceOutput() ? *port.getInPlaceOutput() + 1 : 0,
          .queueSize = threaded ? uint32_t(threaded.getSize()) : 0,
          .policy = threaded ? QueuePolicy(threaded.getCongestion()) : QueuePolicy::Wait,
          .ownThread = port.getOwnThread(),
          .holds = port.getHolds(),
          .rows = optionalFunction<RowsFn>(port.getRows()),
          .keyed = keyedState,
          .delays = port.getDelays(),
          .control = port.getControl(),
          .why = port.getWhy() ? make.string(port.getWhy().getValue()) : nullptr};
}

table::SplitDesc ProgramTable::split(TableSplitAttr entry, const layout::Batch &shape) {
  stream::SplitAttr split = entry.getSplit();
  SmallVector<FieldValue<uint32_t>> keys;
  if (DenseI32ArrayAttr attributes = split.getKeys())
    for (auto [index, column] : llvm::enumerate(shape.columns))
      if (llvm::is_contained(attributes.asArrayRef(), int32_t(column.path[0])))
        keys.push_back(uint32_t(index));
  return {.consumer = entry.getConsumer(),
          .region = uint32_t(split.getRegion()),
          .kind = SplitKind(split.getBy()),
          .keyCount = uint32_t(keys.size()),
          .keys = make.array<FieldValue<uint32_t>>(keys, "sl.keys")};
}

table::OutPortDesc ProgramTable::outPort(TableOutputAttr port, uint32_t op, bool needed) {
  layout::Batch shape = layout::batchLayout(port.getType());
  bool hasBatch = !port.getSegments().empty();
  SmallVector<FieldValue<uint32_t>> consumers(port.getConsumers());
  SmallVector<table::SplitDesc> splits;
  for (TableSplitAttr entry : port.getSplits())
    splits.push_back(split(entry, shape));
  SmallVector<table::ColumnDesc> columns;
  if (!splits.empty() || (hasBatch && needed))
    for (const layout::Column &each : shape.columns)
      columns.push_back(column(each));
  return {.op = op,
          .ordered = OrderKind(port.getOrder()),
          .backEdge = port.getBackEdge(),
          .batchBytes = hasBatch ? uint32_t(shape.bytes) : 0,
          .batchCapacity = hasBatch ? shape.rows : 0,
          .segmentCount = uint32_t(port.getSegments().size()),
          .segments = functions<SegmentFn>(port.getSegments(), "sl.segments"),
          .consumers = make.array<FieldValue<uint32_t>>(consumers, "sl.consumers"),
          .consumerCount = uint32_t(consumers.size()),
          .counts = port.getCounts(),
          .splits = make.array<table::SplitDesc>(splits, "sl.splits"),
          .columns = make.array<table::ColumnDesc>(columns, "sl.columns"),
          .splitCount = uint32_t(splits.size()),
          .columnCount = uint32_t(columns.size())};
}

//===--- operators ----------------------------------------------------------===//

void ProgramTable::addOperator(TableOperatorAttr op) {
  uint32_t id = operators.size(), firstIn = inPorts.size(), firstOut = outPorts.size();
  for (TableInputAttr port : op.getInputs())
    inPorts.push_back(inPort(port, id, op.getKeyed()));
  for (TableOutputAttr port : op.getOutputs())
    outPorts.push_back(outPort(port, id, op.getBounded() || op.getLink() >= 0));
  operators.push_back(operatorDesc(op, firstIn, firstOut));
}

table::OperatorDesc ProgramTable::operatorDesc(TableOperatorAttr op, uint32_t firstIn,
                                               uint32_t firstOut) {
  SmallVector<FlatSymbolRefAttr> emit, emitPunct;
  for (TableOutputAttr port : op.getNative() ? op.getOutputs() : ArrayRef<TableOutputAttr>()) {
    emit.push_back(port.getEmit());
    emitPunct.push_back(port.getEmitPunct());
  }
  SmallVector<FieldValue<RowsOut>> rowsOut;
  for (stream::RowsOut rows : op.getRowsOut())
    rowsOut.push_back(RowsOut(rows));
  Position at = positionOf(op.getLoc());
  stream::RecoveryAttr recovery = op.getRecovery();
  return {.name = string(op.getName()),
          .kind = string(op.getKind()),
          .file = fileName(at.file),
          .line = at.line,
          .column = at.column,
          .inputs = uint32_t(op.getInputs().size()),
          .outputs = uint32_t(op.getOutputs().size()),
          .firstIn = firstIn,
          .firstOut = firstOut,
          .native = op.getNative() ? int32_t(*op.getNative()) : -1,
          .isCatch = op.getIsCatch(),
          .process = optionalFunction<HandlerFn>(op.getProcess()),
          .emit = functions<EmitFn>(emit, "sl.emit"),
          .emitPunct = functions<EmitPunctFn>(emitPunct, "sl.emitpunct"),
          .inTypes = types(op.getInputs()),
          .outTypes = types(op.getOutputs()),
          .setParams = optionalFunction<HandlerFn>(op.getSetParams()),
          .cost = op.getCost().getValueAsDouble(),
          .rowsOut = make.array<FieldValue<RowsOut>>(rowsOut, "sl.rowsout"),
          .shared = op.getShared(),
          .bounded = op.getBounded(),
          .firstState = op.getFirstState(),
          .stateBytes = op.getStateBytes(),
          .daemon = op.getDaemon(),
          .stateCount = uint32_t(op.getStates().size()),
          .states = states(op.getStates(), "sl.states"),
          .part = optionalString(op.getPart()),
          .nativeClass = optionalString(op.getNativeClass()),
          .pe = op.getPe(),
          .link = op.getLink(),
          .waits = op.getWaits(),
          .end = optionalFunction<HandlerFn>(op.getEnd()),
          .consistent = recovery ? uint32_t(recovery.getRegion() + 1) : 0,
          .recovery = recovery ? uint32_t(recovery.getRoles()) : 0,
          .consistentInputs = recovery ? recovery.getInputs() : 0};
}

//===--- the program --------------------------------------------------------===//

table::RegionDesc ProgramTable::region(TableRegionAttr region) {
  stream::RegionAttr source = region.getRegion();
  Position at = positionOf(source.getLoc());
  return {.path = string(source.getPath()),
          .file = fileName(at.file),
          .line = at.line,
          .column = at.column,
          .parent = source.getParent(),
          .width = uint32_t(source.getWidth().value_or(0)),
          .submission = uint32_t(source.getSubmission().value_or(0)),
          .firstOp = region.getOps().getFirst(),
          .ops = region.getOps().getCount(),
          .firstIn = region.getIns().getFirst(),
          .ins = region.getIns().getCount(),
          .firstOut = region.getOuts().getFirst(),
          .outs = region.getOuts().getCount(),
          .firstNative = region.getNatives().getFirst(),
          .natives = region.getNatives().getCount(),
          .firstState = region.getFirstState(),
          .stateBytes = region.getStateBytes(),
          .init = function<HandlerFn>(region.getInit()),
          .destroy = function<HandlerFn>(region.getDestroy()),
          .wholeBatches = region.getWholeBatches()};
}

static table::StartNumber startNumber(stream::StartNumberAttr number) {
  return {.value = number.getValue().getValueAsDouble(), .submission = number.getSubmission()};
}

table::ConsistentDesc ProgramTable::consistent(stream::ConsistentAttr region) {
  Position at = positionOf(region.getLoc());
  return {.period = startNumber(region.getPeriod()),
          .drainTimeout = startNumber(region.getDrain()),
          .resetTimeout = startNumber(region.getReset()),
          .resetAttempts = startNumber(region.getAttempts()),
          .file = fileName(at.file),
          .line = at.line,
          .column = at.column,
          .isOperatorDriven = region.getDriven()};
}

table::Site ProgramTable::site(spl::SiteAttr site) {
  return {.file = fileName(site.getFile().getValue()),
          .text = string(site.getText()),
          .line = site.getLine(),
          .column = site.getColumn()};
}

table::SubmissionDesc ProgramTable::submission(stream::SubmissionAttr value) {
  return {.name = string(value.getName()),
          .defaultValue = optionalString(value.getDefaultValue()),
          .isList = value.getList(),
          .isSecret = value.getSecret()};
}

table::ProgramDesc ProgramTable::program(stream::TableAttr from,
                                         ArrayRef<spl::SiteAttr> siteAttrs) {
  uint32_t natives = 0;
  for (TableOperatorAttr op : from.getOperators()) {
    addOperator(op);
    natives += op.getNative().has_value();
  }
  SmallVector<table::Site> sites;
  for (spl::SiteAttr each : siteAttrs)
    sites.push_back(site(each));
  SmallVector<table::SubmissionDesc> submissions;
  for (stream::SubmissionAttr value : from.getSubmissions())
    submissions.push_back(submission(value));
  SmallVector<table::RegionDesc> regions;
  for (TableRegionAttr each : from.getRegions())
    regions.push_back(region(each));
  SmallVector<table::PeDesc> pes;
  for (stream::PeAttr each : from.getPes())
    pes.push_back({.region = each.getRegion()});
  SmallVector<table::ConsistentDesc> consistents;
  for (stream::ConsistentAttr each : from.getConsistents())
    consistents.push_back(consistent(each));
  return {.magic = kMagic,
          .version = kAbiVersion,
          .mainName = string(from.getMain()),
          .sourceFile = fileName(info.sourceFile),
          .appDir = info.isExecutable ? nullptr : make.string(info.appDir),
          .stateBytes = from.getStateBytes(),
          .operatorCount = uint32_t(operators.size()),
          .inPortCount = uint32_t(inPorts.size()),
          .outPortCount = uint32_t(outPorts.size()),
          .siteCount = uint32_t(sites.size()),
          .submissionCount = uint32_t(submissions.size()),
          .nativeCount = natives,
          .operators = make.array<table::OperatorDesc>(operators, "sl.operators"),
          .inPorts = make.array<table::InPortDesc>(inPorts, "sl.inports"),
          .outPorts = make.array<table::OutPortDesc>(outPorts, "sl.outports"),
          .sites = make.array<table::Site>(sites, "sl.sites"),
          .submissions = make.array<table::SubmissionDesc>(submissions, "sl.submissions"),
          .init = function<HandlerFn>(from.getInit()),
          .destroy = function<HandlerFn>(from.getDestroy()),
          .regions = make.array<table::RegionDesc>(regions, "sl.regions"),
          .regionCount = uint32_t(regions.size()),
          .threads = from.getThreads(),
          .rowsAtOnce = 0,
          .peCount = uint32_t(pes.size()),
          .pes = make.array<table::PeDesc>(pes, "sl.pes"),
          .consistents = make.array<table::ConsistentDesc>(consistents, "sl.consistents"),
          .consistentCount = uint32_t(consistents.size())};
}

void sluice::addProgramTable(ModuleOp from, llvm::Module &module, const ProgramInfo &info) {
  auto graph = from->getAttrOfType<stream::TableAttr>(stream::TableAttr::kModuleAttr);
  if (!graph)
    llvm::reportFatalInternalError("the module has no program table");
  SmallVector<spl::SiteAttr> sites;
  if (auto list = from->getAttrOfType<ArrayAttr>(spl::SiteAttr::kModuleAttr))
    llvm::append_range(sites, list.getAsRange<spl::SiteAttr>());
  ProgramTable table(module, info);
  llvm::Constant *program = table.constant(table.program(graph, sites));
  new llvm::GlobalVariable(module, program->getType(), /*isConstant=*/true,
                           llvm::GlobalValue::ExternalLinkage, program, kProgramSymbol);
}

void sluice::tellRowsAtOnce(llvm::Module &module) {
  llvm::GlobalVariable *program = module.getGlobalVariable(kProgramSymbol);
  uint64_t most = 0;
  for (llvm::Function &f : module)
    most = std::max(most, f.getFnAttributeAsParsedInteger(kRowsAtOnce));
  if (!program || !most)
    return;
  auto *old = llvm::cast<llvm::ConstantStruct>(program->getInitializer());
  const llvm::StructLayout *layout = module.getDataLayout().getStructLayout(old->getType());
  unsigned field = layout->getElementContainingOffset(offsetof(ProgramDesc, rowsAtOnce));
  auto fields = llvm::map_to_vector(
      old->operands(), [](const llvm::Use &use) { return llvm::cast<llvm::Constant>(use.get()); });
  fields[field] = llvm::ConstantInt::get(fields[field]->getType(), most);
  program->setInitializer(llvm::ConstantStruct::get(old->getType(), fields));
}
