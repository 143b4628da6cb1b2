//===- RingStore.cpp - what stores with a ring share ----------------------===//
#include "passes/expand/window/RingStore.h"

using namespace mlir;
using namespace sluice;
using namespace sluice::window;

RingStore::RingStore(Record &window, ArrayRef<mlir::Type> marks)
    : window(window), entry(window.context()) {
  for (mlir::Type type : marks)
    entry.add("mark", type);
}

Value RingStore::push(HandlerBuilder &code, Value window, ArrayRef<Value> marks) {
  Value place = ring->push(code, window);
  for (auto [at, mark] : llvm::enumerate(marks))
    code.store(mark, code.fieldRef(place, at));
  return place;
}

/// Each element goes from the front to the back once, or out.
void RingStore::dropIf(HandlerBuilder &code, Value window, unsigned mark, Leaves leaves,
                       llvm::function_ref<void(Value)> gone) {
  code.forEach(ring->count(code, window), [&](Value) {
    Value oldest = ring->oldest(code, window);
    Value leaving = leaves(code.load(code.fieldRef(oldest, mark)), tuplesOf(code, oldest));
    code.when(
        leaving,
        [&] {
          gone(oldest);
          ring->pop(code, window);
        },
        [&] {
          Value kept = code.copy(code.load(oldest));
          ring->pop(code, window);
          code.store(kept, ring->push(code, window));
        });
  });
}
