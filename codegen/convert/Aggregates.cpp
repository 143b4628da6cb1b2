//===- Aggregates.cpp - tuples and collections ------------------===//
#include "codegen/convert/ConvertSpl.h"
#include "ir/Kinds.h"

using namespace mlir;
using namespace sluice;
using namespace sluice::spl;
using mlir::Type;

// The members of a Seq.
static constexpr int64_t kSeqLen = 0, kSeqData = 2;

//===--- construction -------------------------------------------------------===//

static Value emitMakeTuple(MakeTupleOp op, MakeTupleOp::Adaptor in, OpEmitter &e) {
  Type tuple = op.getType();
  Value result = LLVM::PoisonOp::create(e.b, e.loc, layout::loweredType(tuple));
  for (auto [i, value] : llvm::enumerate(in.getValues()))
    result = e.withField(tuple, result, value, i);
  return result;
}

//===--- constant data --------------------------------------------------------===//

/// Whether the value can stand in constant data: a literal, or a tuple or list of such.
static bool isConstantData(Value value) {
  if (auto literal = value.getDefiningOp<ConstOp>()) {
    Storage storage = storageOf(kindOf(value.getType()));
    return !literal.getValueAttr() || storage == Storage::Scalar || storage == Storage::Plain ||
           storage == Storage::Text;
  }
  Operation *op = value.getDefiningOp();
  return isa_and_nonnull<MakeTupleOp, MakeListOp>(op) &&
         llvm::all_of(op->getOperands(), isConstantData);
}

static Value constantData(Value value, Emitter &e);

/// A list in constant data. Its elements need not be owned.
static Value constantList(ListType type, ValueRange elements, Emitter &e) {
  Value list = e.zero(layout::loweredType(type));
  if (elements.empty())
    return list;
  LLVM::GlobalOp data =
      e.constants.array(layout::memoryType(type.getElement()), elements.size(), "sl.list",
                        [&](OpBuilder &b, unsigned i) {
                          Emitter inData(b, e.loc, /*function=*/nullptr, e.module, e.constants);
                          return constantData(elements[i], inData);
                        });
  list = e.insert(list, e.i32(elements.size()), kSeqLen);
  return e.insert(list, addressOf(e.b, e.loc, data), kSeqData);
}

/// The value in its form in memory. Everything it takes are constants.
static Value constantData(Value value, Emitter &e) {
  if (auto literal = value.getDefiningOp<ConstOp>()) {
    if (!value.getType().isInteger(1))
      return emitLiteral(e, literal);
    auto flag = dyn_cast_or_null<IntegerAttr>(literal.getValueAttr());
    return e.integer(8, flag && !flag.getValue().isZero());
  }
  if (auto list = value.getDefiningOp<MakeListOp>())
    return constantList(list.getType(), list.getElements(), e);
  Value tuple = e.zero(layout::loweredType(value.getType()));
  for (auto [i, part] : llvm::enumerate(value.getDefiningOp<MakeTupleOp>().getValues()))
    tuple = e.insert(tuple, constantData(part, e), i);
  return tuple;
}

/// The address of constant data with the entries of a collection. `types` alternate: element, or
/// key and value, which then are a struct of the layout of an entry.
static Value constantEntries(ArrayRef<Type> types, ValueRange values, OpEmitter &e) {
  SmallVector<Type> memory = llvm::map_to_vector(types, layout::memoryType);
  Type entry =
      memory.size() == 1 ? memory[0] : LLVM::LLVMStructType::getLiteral(e.b.getContext(), memory);
  return addressOf(
      e.b, e.loc,
      e.constants.array(entry, values.size() / types.size(), "sl.entries",
                        [&](OpBuilder &b, unsigned i) {
                          Emitter inData(b, e.loc, /*function=*/nullptr, e.module, e.constants);
                          ValueRange parts = values.slice(i * types.size(), types.size());
                          if (parts.size() == 1)
                            return constantData(parts[0], inData);
                          Value both = inData.zero(entry);
                          for (auto [k, part] : llvm::enumerate(parts))
                            both = inData.insert(both, constantData(part, inData), k);
                          return both;
                        }));
}

//===--- collections ----------------------------------------------------------===//

/// The address of the values, laid out in the frame as entries of a collection.
static Value entriesInFrame(Type type, ArrayRef<Type> types, ValueRange values, OpEmitter &e) {
  layout::Entry entry = layout::entryOf(type);
  uint64_t count = values.size() / types.size(), align = 1;
  for (Type part : types)
    align = std::max(align, layout::alignOf(part));
  Value elements = e.slotBytes(entry.stride * count, align);
  for (auto [i, value] : llvm::enumerate(values)) {
    uint64_t at = i / types.size() * entry.stride + i % types.size() * entry.valueOffset;
    e.store(types[i % types.size()], value, e.offset(elements, at));
  }
  return elements;
}

/// Has the runtime make a collection of the values. `types` alternate: element, or key and value.
static Value makeCollection(StringRef maker, ArrayRef<Type> types, Operation *op, ValueRange values,
                            OpEmitter &e) {
  Type type = op->getResult(0).getType();
  if (values.empty())
    return e.zero(layout::loweredType(type));
  Value entries = llvm::all_of(op->getOperands(), isConstantData)
                      ? constantEntries(types, op->getOperands(), e)
                      : entriesInFrame(type, types, values, e);
  Value result = e.slot(type), count = e.i32(values.size() / types.size());
  e.runtime(maker, {e.ctx(), e.typeDesc(type), result, entries, count});
  return e.load(type, result);
}

static Value emitMakeList(MakeListOp op, MakeListOp::Adaptor in, OpEmitter &e) {
  if (llvm::all_of(op.getElements(), isConstantData))
    return constantList(op.getType(), op.getElements(), e);
  return makeCollection("sl_make_list", op.getType().getElement(), op, in.getElements(), e);
}
static Value emitDefaultList(DefaultListOp op, DefaultListOp::Adaptor, OpEmitter &e) {
  Value result = e.slot(op.getType());
  e.runtime("sl_default_list", {e.ctx(), e.typeDesc(op.getType()), result, e.i32(op.getCount())});
  return e.load(op.getType(), result);
}
static Value emitMakeSet(MakeSetOp op, MakeSetOp::Adaptor in, OpEmitter &e) {
  return makeCollection("sl_make_set", op.getType().getElement(), op, in.getElements(), e);
}
static Value emitMakeMap(MakeMapOp op, MakeMapOp::Adaptor in, OpEmitter &e) {
  MapType map = op.getType();
  return makeCollection("sl_make_map", {map.getKey(), map.getValue()}, op, in.getEntries(), e);
}

//===--- parts --------------------------------------------------------------===//

static Value emitField(FieldOp op, FieldOp::Adaptor in, OpEmitter &e) {
  return e.field(op.getTuple().getType(), in.getTuple(), op.getIndex());
}

/// list[i]: one comparison and a load; the runtime is called to fail only.
static Value indexList(ListType list, Value base, Value at, OpEmitter &e) {
  Value len = LLVM::ZExtOp::create(e.b, e.loc, e.b.getI64Type(), e.extract(base, kSeqLen));
  Value outside = LLVM::ICmpOp::create(e.b, e.loc, LLVM::ICmpPredicate::uge, at, len);
  e.failIf(outside, [&] {
    Value found = e.slotBytes(8, 8);
    e.runtime("sl_list_at", {e.ctx(), e.typeDesc(list), found, e.spill(list, base), at});
  });
  Value address = e.element(e.extract(base, kSeqData), at, layout::entryOf(list).stride);
  return e.load(list.getElement(), address);
}

static Value emitIndex(IndexOp op, IndexOp::Adaptor in, OpEmitter &e) {
  Type base = op.getBase().getType(), index = op.getIndex().getType();
  if (auto list = dyn_cast<ListType>(base))
    return indexList(list, in.getBase(), e.toI64(index, in.getIndex()), e);
  if (auto map = dyn_cast<MapType>(base)) {
    Value found = e.slotBytes(8, 8);
    Value seq = e.spill(map, in.getBase()), key = e.spill(map.getKey(), in.getIndex());
    e.check(e.runtime("sl_map_at", {e.ctx(), e.typeDesc(map), found, seq, key}));
    return e.load(map.getValue(), LLVM::LoadOp::create(e.b, e.loc, e.ptrType(), found));
  }
  Value at = e.toI64(index, in.getIndex());
  if (isa<BlobType>(base)) {
    Value found = e.slotBytes(8, 8);
    e.check(e.runtime("sl_blob_at", {e.ctx(), found, e.spill(base, in.getBase()), at}));
    return e.load(op.getType(), LLVM::LoadOp::create(e.b, e.loc, e.ptrType(), found));
  }
  if (!isIn(base, type_class::String))
    return e.error("takes a list, map, string or blob");
  Value result = e.slot(base);
  e.check(e.runtime(isa<UStringType>(base) ? "sl_ustr_at" : "sl_str_at",
                    {e.ctx(), result, e.spill(base, in.getBase()), at}));
  return e.load(base, result);
}

static Value emitSlice(SliceOp op, SliceOp::Adaptor in, OpEmitter &e) {
  Type type = op.getBase().getType();
  auto bound = [&](Value written, Value value) {
    return written ? e.toI64(written.getType(), value) : e.i64(0);
  };
  Value result = e.slot(type), base = e.spill(type, in.getBase());
  Value lo = bound(op.getLo(), in.getLo()), hi = bound(op.getHi(), in.getHi());
  Value hasLo = e.integer(8, bool(op.getLo())), hasHi = e.integer(8, bool(op.getHi()));
  StringRef slice = isa<RStringType>(type)   ? "sl_str_slice"
                    : isa<UStringType>(type) ? "sl_ustr_slice"
                    : isa<BlobType>(type)    ? "sl_blob_slice"
                                             : "";
  if (!slice.empty())
    e.check(e.runtime(slice, {e.ctx(), result, base, lo, hi, hasLo, hasHi}));
  else
    e.check(e.runtime("sl_list_slice",
                      {e.ctx(), e.typeDesc(type), result, base, lo, hi, hasLo, hasHi}));
  return e.load(type, result);
}

static Value emitContains(ContainsOp op, ContainsOp::Adaptor in, OpEmitter &e) {
  Type type = op.getCollection().getType();
  Value seq = e.spill(type, in.getCollection()),
        key = e.spill(op.getElement().getType(), in.getElement());
  return e.isNonZero(e.runtime("sl_contains", {e.typeDesc(type), seq, key}));
}

static Value emitSize(SizeOp, SizeOp::Adaptor in, OpEmitter &e) {
  return e.extract(in.getCollection(), kSeqLen);
}

/// The address of an entry at a position that is below the size.
static Value entryAt(Type type, Value seq, Value position, OpEmitter &e) {
  Value index = LLVM::ZExtOp::create(e.b, e.loc, e.b.getI64Type(), position);
  return e.element(e.extract(seq, kSeqData), index, layout::entryOf(type).stride);
}

static Value emitNth(NthOp op, NthOp::Adaptor in, OpEmitter &e) {
  return e.load(op.getType(),
                entryAt(op.getCollection().getType(), in.getCollection(), in.getPosition(), e));
}

static Value emitMapValue(MapValueOp op, MapValueOp::Adaptor in, OpEmitter &e) {
  MapType map = op.getMap().getType();
  Value entry = entryAt(map, in.getMap(), in.getPosition(), e);
  return e.load(op.getType(), e.offset(entry, layout::entryOf(map).valueOffset));
}

static Value emitCopy(CopyOp op, CopyOp::Adaptor in, OpEmitter &e) {
  Type type = op.getType();
  if (layout::isPlain(type))
    return in.getOperand();
  Value result = e.slot(type);
  e.runtime("sl_copy", {e.ctx(), e.typeDesc(type), result, e.spill(type, in.getOperand())});
  return e.load(type, result);
}

void sluice::addAggregatePatterns(SplPatterns &p) {
  p.add<MakeTupleOp>(emitMakeTuple);
  p.add<MakeListOp>(emitMakeList);
  p.add<DefaultListOp>(emitDefaultList);
  p.add<MakeSetOp>(emitMakeSet);
  p.add<MakeMapOp>(emitMakeMap);
  p.add<FieldOp>(emitField);
  p.add<IndexOp>(emitIndex);
  p.add<SliceOp>(emitSlice);
  p.add<ContainsOp>(emitContains);
  p.add<SizeOp>(emitSize);
  p.add<NthOp>(emitNth);
  p.add<MapValueOp>(emitMapValue);
  p.add<CopyOp>(emitCopy);
}
