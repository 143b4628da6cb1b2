//===- operator.h - operators of toolkits in C++ ----------------*- C++ -*-===//
//
//   class Smooth : public sluice::Operator {
//     void start() override { in = input<SPL::float64>("value"); out =
//     output<SPL::float64>("value"); } void process(sluice::InTuple tuple, uint32_t) override {
//       sluice::OutTuple result(*this);
//       result.copy(tuple);                       // attributes of the same name and type
//       result.set(out, mean = (mean + tuple.get(in)) / 2);
//       submit(result);
//     }
//     ...
//   };
//   SLUICE_OPERATOR("com.example::Smooth", Smooth)
//
// What these functions throw, and what they call throws, becomes the failure of the operator.
// One thread at a time is inside an operator.
//
//===----------------------------------------------------------------------===//
#pragma once
#include "SPL/Runtime.h"
#include "sluice/bridge.h"
#include "sluice/columns.h"
#include "sluice/native.h"
#include "sluice/recovery.h"
#include <span>
#include <stdexcept>
#include <type_traits>

namespace sluice {

/// Where an attribute lies in the tuples of a port.
template <typename T> struct Attribute {
  uint32_t offset = ~0u;
};

/// A tuple that has arrived. It is valid until the function that got it returns.
class InTuple {
public:
  InTuple(const void *bytes, const TypeDesc *type)
      : bytes(static_cast<const char *>(bytes)), type(type) {}
  template <typename T> T get(Attribute<T> attribute) const {
    return native::Bridge<T>::in(raw(attribute));
  }
  /// As it lies in memory (sluice/value.h): without a copy of what it points to.
  template <typename T> const typename native::Bridge<T>::Raw &raw(Attribute<T> attribute) const {
    return *reinterpret_cast<const typename native::Bridge<T>::Raw *>(bytes + attribute.offset);
  }

private:
  friend class OutTuple;
  const char *bytes;
  const TypeDesc *type;
};

/// Whole batches, column by column. Attributes of nested tuples are columns of their own.
class InBatch {
public:
  InBatch(const Batch &batch, const TypeDesc *type) : batch(batch) {
    uint64_t offset = kBatchHeader;
    eachColumn(type, [&](uint32_t field, const TypeDesc *column) {
      columns.emplace_back(field, offset);
      offset = behindColumn(offset, batch.capacity, column->size);
    });
  }
  uint32_t rows() const { return batch.rows; }
  /// The values of an attribute, one a row.
  template <typename T>
  std::span<const typename native::Bridge<T>::Raw> column(Attribute<T> attribute) const {
    for (auto [field, offset] : columns)
      if (field == attribute.offset)
        return {reinterpret_cast<const typename native::Bridge<T>::Raw *>(
                    reinterpret_cast<const char *>(&batch) + offset),
                batch.rows};
    throw std::out_of_range("there is no column for this attribute");
  }

private:
  const Batch &batch;
  std::vector<std::pair<uint32_t, uint64_t>> columns; // offset in the tuple, in the batch
};

/// What an operator remembers, in a checkpoint: values of the types of SPL/Types.h, one after the
/// other. Those that are read are of the types of those that were written.
class Checkpoint {
public:
  Checkpoint(Ctx *ctx, Saver &saver) : ctx(ctx), saver(&saver) {}
  Checkpoint(Ctx *ctx, const Loader &loader) : ctx(ctx), loader(&loader) {}

  template <typename T> Checkpoint &operator<<(const T &value) {
    ArenaCheckpoint before;
    sl_arena_checkpoint(ctx, &before);
    auto raw = native::Bridge<T>::out(ctx, value);
    saver->value(std::to_string(count++), native::Bridge<T>::desc(), &raw);
    sl_arena_release(ctx, &before);
    return *this;
  }
  /// Throws std::runtime_error if the value that was written has another type.
  template <typename T> Checkpoint &operator>>(T &value) {
    typename native::Bridge<T>::Raw raw;
    memset(static_cast<void *>(&raw), 0, sizeof raw);
    const TypeDesc *type = native::Bridge<T>::desc();
    bool isThere = loader->value(std::to_string(count++), ctx->heap, type, &raw);
    if (isThere)
      value = native::Bridge<T>::in(raw);
    sl_destroy(ctx, type, &raw);
    if (!isThere)
      throw std::runtime_error(
          "value " + std::to_string(count) +
          " of its state had another type at the checkpoint, or was not there");
    return *this;
  }

private:
  Ctx *ctx;
  Saver *saver = nullptr;         // of one that is written
  const Loader *loader = nullptr; // of one that is read
  uint32_t count = 0;
};

/// A further base of an operator that checkpoints can hold. The names are those of IBM's.
class StateHandler {
public:
  virtual ~StateHandler() = default;
  /// Writes what the operator remembers. Of a source: at a savePoint() or in a wait().
  virtual void checkpoint(Checkpoint &) = 0;
  /// After start(), in a new process: reads what checkpoint() wrote.
  virtual void reset(Checkpoint &) = 0;
  /// After start(), where there is no checkpoint to go on from.
  virtual void resetToInitialState() {}
};

class Operator : public NativeOp {
public:
  /// Before the first tuple: parameters and attributes are looked up here.
  virtual void start() {}
  /// A tuple arrives at an input port.
  virtual void process(InTuple, uint32_t port) { (void)port; }
  /// A batch arrives, if the model says <batches>true</batches>.
  virtual void processBatch(const InBatch &, uint32_t port) { (void)port; }
  /// A window punctuation arrives. It goes no further by itself.
  virtual void processWindow(uint32_t port) { (void)port; }
  /// An input port has had its last tuple.
  virtual void portClosed(uint32_t port) { (void)port; }
  /// Of a source, an operator without input ports: submits its tuples until there are no more, or
  /// isShutdown().
  virtual void produce() {}
  /// At the end, also after a failure.
  virtual void stop() {}

  /// The attribute of an input port. Throws std::invalid_argument if there is none, or of another
  /// type.
  template <typename T> Attribute<T> input(std::string_view name, uint32_t port = 0) const {
    return attribute<T>(desc->inTypes[port], name);
  }
  template <typename T> Attribute<T> output(std::string_view name, uint32_t port = 0) const {
    return attribute<T>(desc->outTypes[port], name);
  }
  uint32_t inputPorts() const { return desc->inputs; }
  uint32_t outputPorts() const { return desc->outputs; }
  /// The value of a parameter, which is evaluated once; `otherwise` if it is not given. Literals
  /// and names of attributes are rstrings.
  template <typename T>
  T parameter(std::string_view name, const std::type_identity_t<T> &otherwise) const {
    SPL::list<T> values = parameters<T>(name);
    return values.empty() ? otherwise : values[0];
  }
  /// All values of a parameter.
  template <typename T> SPL::list<T> parameters(std::string_view name) const {
    SPL::list<T> result;
    const Param *given = findParam(name);
    for (size_t i = 0; given && i < given->values.size(); ++i) {
      const ParamValue &value = given->values[i];
      if (!isSame(value.type, native::Bridge<T>::desc()))
        throw std::invalid_argument("parameter " + std::string(name) + " has another type");
      result.push_back(native::Bridge<T>::in(
          *static_cast<const typename native::Bridge<T>::Raw *>(value.value)));
    }
    return result;
  }
  /// Submits a window punctuation.
  void submitWindow(uint32_t port = 0) { check(submitPunct(port, PunctuationKind::Window)); }
  void submit(const class OutTuple &);
  bool isShutdown() const { return sl_is_shutdown(ctx); }
  /// Sleeps; returns whether the program ends. Of a source it is a savePoint(), too.
  bool wait(double seconds) { return sl_wait(ctx, seconds); }
  /// Of a source: checkpoints may be made here, where the operator remembers all that it needs to
  /// go on in produce().
  void savePoint() { check(sl_save_point(ctx)); }
  /// The same; where the operator starts a consistent region with `trigger = operatorDriven` a
  /// checkpoint is made here.
  void makeConsistent() {
    if (hasRole(*desc, RecoveryRole::Triggers))
      sl_ask_checkpoint(ctx);
    savePoint();
  }

private:
  friend class OutTuple;
  template <typename Class> friend NativeOp *makeOperator(bool isStateless);
  /// The program is failing: ends the function of the operator.
  struct Failing {};
  static void check(int32_t result) {
    if (result < 0)
      throw Failing();
  }
  static bool isSame(const TypeDesc *a, const TypeDesc *b) {
    if (!a || !b || a->kind != b->kind || a->count != b->count)
      return a == b;
    for (uint32_t i = 0; a->fields && i < a->count; ++i)
      if (!isSame(a->fields[i].type, b->fields[i].type))
        return false;
    return (!a->elem || isSame(a->elem, b->elem)) && (!a->value || isSame(a->value, b->value));
  }
  template <typename T> static Attribute<T> attribute(const TypeDesc *type, std::string_view name) {
    for (uint32_t i = 0; i < type->count; ++i)
      if (name == type->fields[i].name) {
        if (!isSame(type->fields[i].type, native::Bridge<T>::desc()))
          throw std::invalid_argument("attribute " + std::string(name) + " has another type");
        return {type->fields[i].offset};
      }
    throw std::invalid_argument("there is no attribute " + std::string(name));
  }
  const Param *findParam(std::string_view name) const {
    for (const Param &p : params)
      if (p.name == name)
        return &p;
    return nullptr;
  }
  template <typename F> int32_t run(F body) {
    native::Current running(ctx, desc->kind);
    try {
      body();
      return 0;
    } catch (const Failing &) {
      return -1;
    }
  }

  int32_t open() final {
    if (isStarted) // it was restored
      return 0;
    return run([&] {
      start();
      if (handler)
        handler->resetToInitialState();
    });
  }
  Saves saves() const final {
    if (handler)
      return Saves::State;
    return isStateless
               ? Saves(Saves::Stateless)
               : Saves::no("it is neither a sluice::StateHandler, nor `<stateless/>` by its model");
  }
  void save(Saver &saver) final {
    problem.clear();
    try {
      Checkpoint to(ctx, saver);
      if (handler)
        handler->checkpoint(to);
    } catch (const std::exception &e) {
      problem = std::string(desc->name) + ": " + e.what();
    }
  }
  std::string sync() final { return problem; }
  int32_t restore(const Loader &loader) final {
    isStarted = true;
    return run([&] {
      start();
      Checkpoint from(ctx, loader);
      if (handler)
        handler->reset(from);
    });
  }
  int32_t process() final {
    return run([&] { produce(); });
  }
  int32_t tuple(uint32_t port, const void *bytes) final {
    return run([&] { process(InTuple(bytes, desc->inTypes[port]), port); });
  }
  int32_t batch(uint32_t port, const Batch &batch, const Punctuation *puncts,
                uint32_t count) final {
    return run([&] {
      if (batch.rows)
        processBatch(InBatch(batch, desc->inTypes[port]), port);
      for (uint32_t i = 0; i < count; ++i)
        punctuation(port, puncts[i].kind);
    });
  }
  int32_t punct(uint32_t port, PunctuationKind kind) final {
    return run([&] { punctuation(port, kind); });
  }
  int32_t close() final {
    return run([&] { stop(); });
  }
  void punctuation(uint32_t port, PunctuationKind kind) {
    if (kind == PunctuationKind::Window)
      processWindow(port);
    else if (isFinal(kind))
      portClosed(port);
  }

  StateHandler *handler = nullptr; // itself, if it is one
  bool isStateless = false;        // its model says so
  bool isStarted = false;
  std::string problem; // what went wrong when it was saved
};

/// `isStateless`: its model says so.
template <typename Class> NativeOp *makeOperator(bool isStateless) {
  auto *made = new Class;
  Operator *op = made;
  if constexpr (std::is_base_of_v<StateHandler, Class>)
    op->handler = made;
  op->isStateless = isStateless;
  return op;
}

// The compiler defines it where it compiles an operator whose model says <stateless>.
#ifndef SLUICE_STATELESS
#define SLUICE_STATELESS false
#endif

/// A tuple to be submitted, with default values. What its attributes point to is freed with it.
class OutTuple {
public:
  explicit OutTuple(Operator &op, uint32_t port = 0)
      : op(op), number(port), type(op.desc->outTypes[port]), bytes(type->size) {
    sl_arena_checkpoint(op.ctx, &before);
  }
  ~OutTuple() { sl_arena_release(op.ctx, &before); }
  OutTuple(const OutTuple &) = delete;
  template <typename T> void set(Attribute<T> attribute, const std::type_identity_t<T> &value) {
    auto raw = native::Bridge<T>::out(op.ctx, value);
    memcpy(bytes.data() + attribute.offset, &raw, sizeof raw);
  }
  /// Takes over the attributes that have the same name and type in `tuple`.
  void copy(const InTuple &tuple) {
    for (uint32_t i = 0; i < type->count; ++i)
      for (uint32_t j = 0; j < tuple.type->count; ++j) {
        const Field &to = type->fields[i], &from = tuple.type->fields[j];
        if (std::string_view(to.name) == from.name && Operator::isSame(to.type, from.type))
          memcpy(bytes.data() + to.offset, tuple.bytes + from.offset, to.type->size);
      }
  }

private:
  friend class Operator;
  Operator &op;
  uint32_t number;
  const TypeDesc *type;
  std::vector<char> bytes;
  ArenaCheckpoint before;
};

inline void Operator::submit(const OutTuple &tuple) {
  native::Current behind(ctx, nullptr); // what the tuple reaches is not of this operator
  check(NativeOp::submit(tuple.number, tuple.bytes.data()));
}

/// Makes a class the operator of that qualified name.
#define SLUICE_OPERATOR(name, Class)                                                               \
  static ::sluice::RegisterNative sluiceOperator_##Class(                                          \
      name, [] { return ::sluice::makeOperator<Class>(SLUICE_STATELESS); });

} // namespace sluice
