//===- Places.cpp - variables and memory ------------------------===//
//
// A place is an address. spl.var and spl.state are gone already: prepare()
// knows their addresses.
//
//===----------------------------------------------------------------------===//
#include "codegen/Aliasing.h"
#include "codegen/convert/ConvertSpl.h"

using namespace mlir;
using namespace sluice;
using namespace sluice::spl;
using mlir::Type;

static Type elementOf(Value place) { return cast<RefType>(place.getType()).getElement(); }

/// What a plain access touches, if that is known.
static void useTag(Operation *op, OpEmitter &e) {
  e.tag = spl::SplDialect::MemoryAttrHelper(op->getContext()).getAttr(op);
}

static Value emitLoad(LoadOp op, LoadOp::Adaptor in, OpEmitter &e) {
  useTag(op, e);
  return e.load(op.getType(), in.getPlace());
}

static Value emitStore(StoreOp op, StoreOp::Adaptor in, OpEmitter &e) {
  Type type = op.getValue().getType();
  if (layout::isPlain(type)) {
    useTag(op, e);
    e.store(type, in.getValue(), in.getPlace());
  } else {
    e.runtime(spl::SplDialect::InScratchAttrHelper(op->getContext()).isAttrPresent(op)
                  ? "sl_scratch_assign"
                  : "sl_assign",
              {e.ctx(), e.typeDesc(type), in.getPlace(), e.spill(type, in.getValue())});
  }
  return {};
}

static Value emitAppend(AppendOp op, AppendOp::Adaptor in, OpEmitter &e) {
  e.runtime("sl_str_append",
            {e.ctx(), in.getPlace(), e.spill(op.getValue().getType(), in.getValue())});
  return {};
}

static Value emitCut(CutOp op, CutOp::Adaptor in, OpEmitter &e) {
  e.runtime("sl_cut", {e.ctx(), e.typeDesc(elementOf(op.getPlace())), in.getPlace()});
  return {};
}

static Value emitFieldRef(FieldRefOp op, FieldRefOp::Adaptor in, OpEmitter &e) {
  uint64_t offset = layout::fieldOffset(elementOf(op.getPlace()), op.getIndex());
  return e.offset(in.getPlace(), offset);
}

/// Whether what the place holds may be changed through it. Only loads are known not to.
static bool isChanged(Value place) {
  return llvm::any_of(place.getUses(), [](OpOperand &use) {
    Operation *user = use.getOwner();
    if (isa<FieldRefOp, IndexRefOp, NthRefOp>(user) && use.getOperandNumber() == 0)
      return isChanged(user->getResult(0));
    return !isa<LoadOp, MapFindOp>(user);
  });
}

static Value emitIndexRef(IndexRefOp op, IndexRefOp::Adaptor in, OpEmitter &e) {
  Type base = elementOf(op.getPlace()), index = op.getIndex().getType();
  Value place = in.getPlace();
  if (auto list = dyn_cast<ListType>(base)) {
    Value at = e.toI64(index, in.getIndex());
    Value len =
        LLVM::LoadOp::create(e.b, e.loc, e.b.getI32Type(), e.offset(place, offsetof(Seq, len)));
    Value count = LLVM::ZExtOp::create(e.b, e.loc, e.b.getI64Type(), len);
    Value outside = LLVM::ICmpOp::create(e.b, e.loc, LLVM::ICmpPredicate::uge, at, count);
    e.failIf(outside, [&] {
      e.runtime("sl_list_at", {e.ctx(), e.typeDesc(list), e.slotBytes(8, 8), place, at});
    });
    Value data =
        LLVM::LoadOp::create(e.b, e.loc, e.ptrType(), e.offset(place, offsetof(Seq, data)));
    return e.element(data, at, layout::entryOf(list).stride);
  }
  Value found = e.slotBytes(8, 8);
  if (isa<BlobType>(base)) {
    e.check(e.runtime("sl_blob_at", {e.ctx(), found, place, e.toI64(index, in.getIndex())}));
    return LLVM::LoadOp::create(e.b, e.loc, e.ptrType(), found);
  }
  auto map = dyn_cast<MapType>(base);
  if (!map)
    return e.error("takes the place of a list, map or blob");
  Value key = e.spill(map.getKey(), in.getIndex());
  e.check(e.runtime(isChanged(op.getResult()) ? "sl_map_ref" : "sl_map_at",
                    {e.ctx(), e.typeDesc(map), found, place, key}));
  return LLVM::LoadOp::create(e.b, e.loc, e.ptrType(), found);
}

static Value emitMapSlot(MapSlotOp op, MapSlotOp::Adaptor in, OpEmitter &e) {
  auto map = cast<MapType>(elementOf(op.getPlace()));
  Value found = e.slotBytes(8, 8), key = e.spill(map.getKey(), in.getKey());
  e.runtime("sl_map_slot", {e.ctx(), e.typeDesc(map), found, in.getPlace(), key});
  return LLVM::LoadOp::create(e.b, e.loc, e.ptrType(), found);
}

/// The place at what a look-up has found is changed.
static bool isChangedThere(Value position) {
  return llvm::any_of(position.getUsers(), [](Operation *user) {
    auto ref = dyn_cast<NthRefOp>(user);
    return ref && isChanged(ref.getResult());
  });
}

static Value emitMapFind(MapFindOp op, MapFindOp::Adaptor in, OpEmitter &e) {
  auto map = cast<MapType>(elementOf(op.getPlace()));
  return e.runtime(isChangedThere(op.getResult()) ? "sl_map_find_ref" : "sl_map_find",
                   {e.typeDesc(map), in.getPlace(), e.spill(map.getKey(), in.getKey())});
}

static Value emitMapErase(MapEraseOp op, MapEraseOp::Adaptor in, OpEmitter &e) {
  auto map = cast<MapType>(elementOf(op.getPlace()));
  e.runtime("sl_map_erase",
            {e.ctx(), e.typeDesc(map), in.getPlace(), e.spill(map.getKey(), in.getKey())});
  return {};
}

static Value emitMapEraseNth(MapEraseNthOp op, MapEraseNthOp::Adaptor in, OpEmitter &e) {
  e.runtime("sl_map_erase_nth",
            {e.ctx(), e.typeDesc(elementOf(op.getPlace())), in.getPlace(), in.getPosition()});
  return {};
}

static Value emitMapFetchNth(MapFetchNthOp op, MapFetchNthOp::Adaptor in, OpEmitter &e) {
  e.runtime("sl_map_fetch_nth",
            {e.typeDesc(elementOf(op.getPlace())), in.getPlace(), in.getPosition()});
  return {};
}

static Value emitPush(PushOp op, PushOp::Adaptor in, OpEmitter &e) {
  Value element = e.spill(op.getValue().getType(), in.getValue());
  e.runtime("sl_push", {e.ctx(), e.typeDesc(elementOf(op.getPlace())), in.getPlace(), element});
  return {};
}

static Value emitCheckPresent(CheckPresentOp, CheckPresentOp::Adaptor in, OpEmitter &e) {
  Value absent = LLVM::XOrOp::create(e.b, e.loc, in.getFlag(), e.integer(1, -1));
  e.failIf(absent, [&] { e.runtime("sl_error", {e.ctx(), e.cString("there is no value")}); });
  return {};
}

static Value emitNthRef(NthRefOp op, NthRefOp::Adaptor in, OpEmitter &e) {
  Type base = elementOf(op.getPlace());
  layout::Entry entry = layout::entryOf(base);
  // What was looked up to be changed is known to change.
  if (isa<MapType>(base) && isChanged(op.getResult()) &&
      !op.getPosition().getDefiningOp<MapFindOp>())
    e.runtime("sl_map_change", {in.getPlace(), in.getPosition()});
  Value data =
      LLVM::LoadOp::create(e.b, e.loc, e.ptrType(), e.offset(in.getPlace(), offsetof(Seq, data)));
  Value element = e.element(data, in.getPosition(), entry.stride);
  return isa<MapType>(base) ? e.offset(element, entry.valueOffset) : element;
}

/// Floats that must be above 0 are seconds, of which a nanosecond is the least.
static Value emitCheckSize(CheckSizeOp op, CheckSizeOp::Adaptor in, OpEmitter &e) {
  Type type = op.getSize().getType();
  Value size = in.getSize(), bad;
  bool positive = op.getPositive();
  if (isa<FloatType>(type)) {
    auto number = [&](double value) {
      return LLVM::ConstantOp::create(e.b, e.loc, e.b.getFloatAttr(type, value));
    };
    bad = LLVM::FCmpOp::create(e.b, e.loc, LLVM::FCmpPredicate::ult, size,
                               number(positive ? 1e-9 : 0.0));
    if (op.getMost()) {
      Value above = LLVM::FCmpOp::create(e.b, e.loc, LLVM::FCmpPredicate::ogt, size,
                                         number(op.getMost()->convertToDouble()));
      bad = LLVM::OrOp::create(e.b, e.loc, bad, above);
    }
  } else if (isa<DecimalType>(type)) {
    Value zero = e.spill(type, e.zero(layout::loweredType(type)));
    bad = e.isNonZero(e.runtime("sl_decimal_less",
                                {e.typeDesc(type), e.spill(type, size), zero, e.i32(positive)}));
  } else {
    auto zero = LLVM::ConstantOp::create(e.b, e.loc, e.b.getIntegerAttr(size.getType(), 0));
    bad = LLVM::ICmpOp::create(
        e.b, e.loc, positive ? LLVM::ICmpPredicate::sle : LLVM::ICmpPredicate::slt, size, zero);
  }
  e.failIf(bad, [&] {
    e.runtime("sl_bad_size",
              {e.ctx(), e.typeDesc(type), e.cString(op.getWord()), e.spill(type, size)});
  });
  return {};
}

static Value emitGrowRing(GrowRingOp op, GrowRingOp::Adaptor in, OpEmitter &e) {
  e.check(e.runtime("sl_grow_ring",
                    {e.ctx(), e.typeDesc(elementOf(op.getSlots())), in.getSlots(), in.getHead()}));
  return {};
}

/// A byte for each key: whether it is descending.
static Value directions(ArrayRef<bool> descending, OpEmitter &e) {
  return e.cString(StringRef(reinterpret_cast<const char *>(descending.data()), descending.size()));
}

static Value emitSortRows(SortRowsOp op, SortRowsOp::Adaptor in, OpEmitter &e) {
  Value result = e.slot(op.getType());
  e.runtime("sl_rows_in_order",
            {e.ctx(), e.typeDesc(elementOf(op.getRows())), result, in.getRows(), in.getCount(),
             directions(op.getDescending(), e), e.i32(op.getDescending().size())});
  return e.load(op.getType(), result);
}

template <typename Op>
static void changeHeap(Op op, typename Op::Adaptor in, OpEmitter &e, StringRef function) {
  e.runtime(function,
            {e.typeDesc(elementOf(op.getRows())), in.getRows(), directions(op.getDescending(), e),
             e.i32(op.getDescending().size()), in.getHeap(), in.getSize()});
}

static Value emitHeapPush(HeapPushOp op, HeapPushOp::Adaptor in, OpEmitter &e) {
  changeHeap(op, in, e, "sl_heap_push");
  return {};
}

static Value emitHeapPop(HeapPopOp op, HeapPopOp::Adaptor in, OpEmitter &e) {
  changeHeap(op, in, e, "sl_heap_pop");
  return {};
}

//===--- scratch and raw memory ---------------------------------------------===//

static Value emitCheckpoint(ArenaCheckpointOp, ArenaCheckpointOp::Adaptor, OpEmitter &e) {
  Value checkpoint = e.slotBytes(layout::arenaCheckpointSize, 8);
  e.runtime("sl_arena_checkpoint", {e.ctx(), checkpoint});
  return checkpoint;
}

static Value emitRelease(ReleaseOp, ReleaseOp::Adaptor in, OpEmitter &e) {
  e.runtime("sl_arena_release", {e.ctx(), in.getCheckpoint()});
  return {};
}

static Value emitGet(GetOp op, GetOp::Adaptor in, OpEmitter &e) {
  useTag(op, e);
  return e.load(op.getType(), in.getAddress());
}

static Value emitPut(PutOp op, PutOp::Adaptor in, OpEmitter &e) {
  useTag(op, e);
  e.store(op.getValue().getType(), in.getValue(), in.getAddress());
  return {};
}

static Value emitTypeDesc(TypeDescOp op, TypeDescOp::Adaptor, OpEmitter &e) {
  return e.typeDesc(op.getTypeAttr().getValue());
}

void sluice::addPlacePatterns(SplPatterns &p) {
  p.add<LoadOp>(emitLoad);
  p.add<StoreOp>(emitStore);
  p.add<AppendOp>(emitAppend);
  p.add<CutOp>(emitCut);
  p.add<FieldRefOp>(emitFieldRef);
  p.add<CheckPresentOp>(emitCheckPresent);
  p.add<IndexRefOp>(emitIndexRef);
  p.add<MapSlotOp>(emitMapSlot);
  p.add<MapFindOp>(emitMapFind);
  p.add<MapEraseOp>(emitMapErase);
  p.add<MapEraseNthOp>(emitMapEraseNth);
  p.add<MapFetchNthOp>(emitMapFetchNth);
  p.add<PushOp>(emitPush);
  p.add<NthRefOp>(emitNthRef);
  p.add<CheckSizeOp>(emitCheckSize);
  p.add<GrowRingOp>(emitGrowRing);
  p.add<SortRowsOp>(emitSortRows);
  p.add<HeapPushOp>(emitHeapPush);
  p.add<HeapPopOp>(emitHeapPop);
  p.add<ArenaCheckpointOp>(emitCheckpoint);
  p.add<ReleaseOp>(emitRelease);
  p.add<GetOp>(emitGet);
  p.add<PutOp>(emitPut);
  p.add<TypeDescOp>(emitTypeDesc);
}
