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
  spl::TupleType tuple = op.getType();
  Value result = LLVM::PoisonOp::create(e.b, e.loc, layout::loweredType(tuple));
  for (auto [i, value] : llvm::enumerate(in.getValues()))
    result = e.withField(tuple, result, value, i);
  return result;
}

/// Lays the values out in the frame and has the runtime make a collection of
/// them. `types` alternate: element, or key and value.
static Value makeCollection(StringRef maker, Type type, ArrayRef<Type> types, ValueRange values,
                            OpEmitter &e) {
  if (values.empty())
    return e.zero(layout::loweredType(type));
  layout::Entry entry = layout::entryOf(type);
  uint64_t count = values.size() / types.size(), align = 1;
  for (Type part : types)
    align = std::max(align, layout::alignOf(part));
  Value elements = e.slotBytes(entry.stride * count, align), result = e.slot(type);
  for (auto [i, value] : llvm::enumerate(values)) {
    uint64_t at = i / types.size() * entry.stride + i % types.size() * entry.valueOffset;
    e.store(types[i % types.size()], value, e.offset(elements, at));
  }
  e.runtime(maker, {e.ctx(), e.typeDesc(type), result, elements, e.i32(count)});
  return e.load(type, result);
}

/// A list of literals lies in constant data; values need not own their elements.
static Value constantList(MakeListOp op, OpEmitter &e) {
  ListType type = op.getType();
  auto elements = op.getElements();
  LLVM::GlobalOp data =
      e.constants.array(layout::memoryType(type.getElement()), elements.size(), "sl.list",
                        [&](OpBuilder &b, unsigned i) -> Value {
                          Emitter inData(b, e.loc, /*function=*/nullptr, e.module, e.constants);
                          auto literal = elements[i].getDefiningOp<ConstOp>();
                          if (!type.getElement().isInteger(1))
                            return emitLiteral(inData, literal);
                          auto flag = dyn_cast_or_null<IntegerAttr>(literal.getValueAttr());
                          return inData.integer(8, flag && !flag.getValue().isZero());
                        });
  Value list = e.zero(layout::loweredType(type));
  list = e.insert(list, e.i32(elements.size()), kSeqLen);
  return e.insert(list, addressOf(e.b, e.loc, data), kSeqData);
}

/// Whether it is a literal that can stand in constant data.
static bool isLiteral(Value value) {
  if (!value.getDefiningOp<ConstOp>())
    return false;
  switch (storageOf(kindOf(value.getType()))) {
  case Storage::Scalar:
  case Storage::Text:
    return true;
  case Storage::Plain:
  case Storage::Sequence:
  case Storage::Parts:
    return false;
  }
  llvm_unreachable("unknown storage");
}

static Value emitMakeList(MakeListOp op, MakeListOp::Adaptor in, OpEmitter &e) {
  if (!op.getElements().empty() && llvm::all_of(op.getElements(), isLiteral))
    return constantList(op, e);
  return makeCollection("sl_make_list", op.getType(), op.getType().getElement(), in.getElements(),
                        e);
}
static Value emitDefaultList(DefaultListOp op, DefaultListOp::Adaptor, OpEmitter &e) {
  Value result = e.slot(op.getType());
  e.runtime("sl_default_list", {e.ctx(), e.typeDesc(op.getType()), result, e.i32(op.getCount())});
  return e.load(op.getType(), result);
}
static Value emitMakeSet(MakeSetOp op, MakeSetOp::Adaptor in, OpEmitter &e) {
  return makeCollection("sl_make_set", op.getType(), op.getType().getElement(), in.getElements(),
                        e);
}
static Value emitMakeMap(MakeMapOp op, MakeMapOp::Adaptor in, OpEmitter &e) {
  MapType map = op.getType();
  return makeCollection("sl_make_map", map, {map.getKey(), map.getValue()}, in.getEntries(), e);
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
  if (!isa<RStringType>(base))
    return e.error("takes a list, map or string");
  Value result = e.slot(base), at = e.toI64(index, in.getIndex());
  e.check(e.runtime("sl_str_at", {e.ctx(), result, e.spill(base, in.getBase()), at}));
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
  if (isa<RStringType>(type))
    e.check(e.runtime("sl_str_slice", {e.ctx(), result, base, lo, hi, hasLo, hasHi}));
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
