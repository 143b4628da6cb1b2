//===- HandlerBuilder.cpp - writes the body of a handler ------------------===//
#include "passes/expand/HandlerBuilder.h"
#include "ir/Kinds.h"
#include "mlir/IR/IRMapping.h"
#include "sluice/enums.h"

using namespace mlir;
using namespace sluice;
using namespace sluice::spl;

HandlerBuilder::HandlerBuilder(Location loc, Region &region, TypeRange arguments)
    : location(loc), region(region), builder(loc.getContext()) {
  enter(newBlock(arguments));
}

HandlerBuilder::HandlerBuilder(Operation *at)
    : location(at->getLoc()), region(*at->getParentRegion()), builder(at) {}

Block *HandlerBuilder::newBlock(TypeRange arguments) {
  auto *block = new Block;
  region.push_back(block);
  for (mlir::Type type : arguments)
    block->addArgument(type, location);
  return block;
}

void HandlerBuilder::enter(Block *block) {
  if (block != &region.back())
    block->moveBefore(&region, region.end());
  builder.setInsertionPointToEnd(block);
}

SmallVector<Value> HandlerBuilder::inlineBody(Region &source, ValueRange arguments) {
  IRMapping mapping;
  mapping.map(source.getArguments(), arguments.take_front(source.getNumArguments()));
  Block *here = builder.getInsertionBlock();
  Block *last = &region.back();
  source.cloneInto(&region, mapping);

  SmallVector<Operation *> exits;
  for (Block &block : llvm::make_range(std::next(last->getIterator()), region.end())) {
    if (isa<stream::YieldOp, stream::EndOp>(block.back()))
      exits.push_back(&block.back());
    for (auto variable : llvm::make_early_inc_range(block.getOps<VarOp>()))
      variable->moveBefore(&entry(), entry().begin()); // one place per activation
  }
  // The entry of a body has no predecessors: it becomes part of this block.
  Block *first = &*std::next(last->getIterator());
  here->getOperations().splice(here->end(), first->getOperations());
  first->erase();

  if (exits.size() == 1 && exits.front()->getBlock() == here) {
    SmallVector<Value> yielded(exits.front()->getOperands());
    exits.front()->erase();
    builder.setInsertionPointToEnd(here);
    return yielded;
  }
  Block *behind =
      newBlock(exits.empty() ? TypeRange() : TypeRange(exits.front()->getOperandTypes()));
  for (Operation *exit : exits) {
    builder.setInsertionPoint(exit);
    branch(behind, exit->getOperands());
    exit->erase();
  }
  enter(behind);
  return SmallVector<Value>(behind->getArguments().begin(), behind->getArguments().end());
}

void HandlerBuilder::branch(Block *to, ValueRange arguments) {
  cf::BranchOp::create(builder, location, to, arguments);
}

void HandlerBuilder::branch(Value condition, Block *yes, Block *no) {
  cf::CondBranchOp::create(builder, location, condition, yes, ValueRange(), no, ValueRange());
}

void HandlerBuilder::end() { stream::EndOp::create(builder, location); }

Value HandlerBuilder::constant(mlir::Type type, int64_t value) {
  return ConstOp::create(builder, location, type, builder.getI64IntegerAttr(value));
}

Value HandlerBuilder::compare(CompareKind kind, Value lhs, Value rhs) {
  return CompareOp::create(builder, location, kind, lhs, rhs);
}

Value HandlerBuilder::binary(BinaryKind kind, Value lhs, Value rhs) {
  return BinaryOp::create(builder, location, lhs.getType(), kind, lhs, rhs);
}

Value HandlerBuilder::cast(Value value, mlir::Type type) {
  return builder.createOrFold<CastOp>(location, type, value, StringAttr());
}

Value HandlerBuilder::field(Value tuple, unsigned index) {
  return builder.createOrFold<FieldOp>(location, tuple, index);
}

Value HandlerBuilder::tuple(spl::TupleType type, ValueRange values) {
  Value result = builder.createOrFold<MakeTupleOp>(location, type, values);
  for (Value value : values) // the tuple was put together from itself
    if (auto field = value.getDefiningOp<FieldOp>(); field && field.use_empty())
      field.erase();
  return result;
}

Value HandlerBuilder::load(Value place) { return LoadOp::create(builder, location, place); }

void HandlerBuilder::store(Value value, Value place) {
  StoreOp::create(builder, location, value, place);
}

Value HandlerBuilder::size(Value collection) {
  mlir::Type count = IntegerType::get(builder.getContext(), 32, IntegerType::Unsigned);
  return SizeOp::create(builder, location, count, collection);
}

Value HandlerBuilder::call(StringRef symbol, ArrayRef<mlir::Type> typeArgs, ValueRange arguments,
                           ArrayRef<int32_t> generic, mlir::Type result, Effect effects) {
  auto facts =
      CallFactsAttr::get(builder.getContext(), effects, CallTrait::scratchFree, Intrinsic::none);
  return NativeOp::create(builder, location, result, symbol, arguments,
                          builder.getTypeArrayAttr(typeArgs), generic, StringAttr(), facts)
      .getResult();
}

void HandlerBuilder::submit(unsigned port, Value tuple, bool inRoom) {
  stream::SubmitOp::create(builder, location, port, tuple, inRoom);
}

static void submitMarker(HandlerBuilder &code, unsigned port, PunctuationKind kind) {
  Value marker = code.constant(spl::markerType(code.ops().getContext()), int64_t(kind));
  stream::SubmitPunctOp::create(code.ops(), code.loc(), port, marker);
}

void HandlerBuilder::submitWindow(unsigned port) {
  submitMarker(*this, port, PunctuationKind::Window);
}

void HandlerBuilder::submitFinal(unsigned port) {
  submitMarker(*this, port, PunctuationKind::Final);
}

void HandlerBuilder::submitWatermark(unsigned port, Value time) {
  stream::SubmitPunctOp::create(builder, location, port, Value(), time);
}

void HandlerBuilder::hold(unsigned port, Value held) {
  stream::HoldOp::create(builder, location, port, held);
}

void HandlerBuilder::leftOut(stream::LeftOut what, Value count) {
  stream::LeftOutOp::create(builder, location, what, count);
}

void HandlerBuilder::leftOut(stream::LeftOut what) {
  leftOut(what, constant(IntegerType::get(builder.getContext(), 64, IntegerType::Unsigned), 1));
}

//===--- arithmetic and places ------------------------------------------------===//

Value HandlerBuilder::variable(StringRef name, mlir::Type type) {
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(&entry());
  return VarOp::create(builder, location, RefType::get(builder.getContext(), type), name);
}

Value HandlerBuilder::copy(Value value) {
  return value.getType().isIntOrFloat()
             ? value
             : Value(spl::CopyOp::create(builder, location, value.getType(), value));
}

Value HandlerBuilder::sizeIn(Value place) {
  auto integer = [&](unsigned bits) {
    return IntegerType::get(builder.getContext(), bits, IntegerType::Unsigned);
  };
  return cast(SizeOp::create(builder, location, integer(32), load(place)), integer(64));
}

Value HandlerBuilder::nthRef(Value place, Value position) {
  mlir::Type base = ::cast<RefType>(place.getType()).getElement();
  auto map = dyn_cast<MapType>(base);
  mlir::Type element = map ? map.getValue() : ::cast<ListType>(base).getElement();
  return NthRefOp::create(builder, location, RefType::get(builder.getContext(), element), place,
                          position);
}

Value HandlerBuilder::nthKey(Value place, Value position) {
  Value map = load(place);
  auto narrow = IntegerType::get(builder.getContext(), 32, IntegerType::Unsigned);
  return NthOp::create(builder, location, ::cast<MapType>(map.getType()).getKey(), map,
                       cast(position, narrow));
}

void HandlerBuilder::clear(Value place) {
  store(zero(::cast<RefType>(place.getType()).getElement()), place);
}

void HandlerBuilder::push(Value place, Value element) {
  PushOp::create(builder, location, element, place);
}

Value HandlerBuilder::zero(mlir::Type type) {
  return ConstOp::create(builder, location, type, Attribute());
}

Value HandlerBuilder::fieldRef(Value place, unsigned index) {
  return FieldRefOp::create(builder, location, place, index);
}

Value HandlerBuilder::increment(Value place, int64_t n) {
  Value old = load(place);
  Value sum = add(old, constant(old.getType(), n));
  store(sum, place);
  return sum;
}

//===--- control --------------------------------------------------------------===//

void HandlerBuilder::when(Value condition, Code then, Code otherwise) {
  Block *yes = newBlock(), *no = otherwise ? newBlock() : nullptr, *behind = newBlock();
  branch(condition, yes, no ? no : behind);
  enter(yes);
  then();
  branch(behind);
  if (no) {
    enter(no);
    otherwise();
    branch(behind);
  }
  enter(behind);
}

void HandlerBuilder::loop(llvm::function_ref<Value()> condition, Code body) {
  Block *head = newBlock(), *round = newBlock(), *behind = newBlock();
  branch(head);
  enter(head);
  branch(condition(), round, behind);
  enter(round);
  body();
  branch(head);
  enter(behind);
}

void HandlerBuilder::forEach(Value count, llvm::function_ref<void(Value)> body) {
  mlir::Type counter = count.getType();
  Block *head = newBlock(counter), *round = newBlock(), *behind = newBlock();
  branch(head, constant(counter, 0));
  enter(head);
  Value at = head->getArgument(0);
  branch(compare(CompareKind::lt, at, count), round, behind);
  enter(round);
  Value mark = ArenaCheckpointOp::create(builder, location);
  body(at);
  ReleaseOp::create(builder, location, mark);
  branch(head, add(at, constant(counter, 1)));
  enter(behind);
}

void HandlerBuilder::follow(Value first, llvm::function_ref<Value(Value)> body) {
  mlir::Type link = first.getType();
  Block *head = newBlock(link), *round = newBlock(), *behind = newBlock();
  branch(head, first);
  enter(head);
  Value at = head->getArgument(0);
  branch(compare(CompareKind::ne, at, constant(link, 0)), round, behind);
  enter(round);
  Value mark = ArenaCheckpointOp::create(builder, location);
  Value next = body(at);
  ReleaseOp::create(builder, location, mark);
  branch(head, next);
  enter(behind);
}
