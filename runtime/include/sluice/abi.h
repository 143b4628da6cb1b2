//===- abi.h - what generated code and the runtime know of each other -*- C++ -*-===//
//
// Conventions.
// * Everything is extern "C" and starts with `sl_`. Nothing throws.
// * A helper that can fail returns int32_t: 0, or 1 after sl_error.
// * Scalars (boolean as uint8_t, integers, floats, enum as uint32_t) pass by
//   value, everything else by const pointer, places by pointer.
// * A library function `f` of the SPL toolkit is
//     int32_t sl_f_<codes>(Ctx *, const TypeDesc *perTypeVariable...,
//                          R *result, args...)
//   with one code per parameter type: that of its kind (Kinds.def) and behind it
//   those of its element types; g for a type variable of any class.
//   So `<any T> uint32 size(list<T> l)` is sl_size_Lg. An argument whose type
//   is a bare type variable passes by const pointer. void: no result argument.
//   Results are values: what they point to lies in the arguments or in
//   ctx->scratch.
// * Handlers and segments return int32_t: 0 = go on; > 0 = this operator failed
//   at that site (only between a handler's body and its wrapper); < 0 = the
//   program is failing, the report is already made: return at once.
//
//===----------------------------------------------------------------------===//
#pragma once
#include "sluice/enums.h"
#include "sluice/value.h"

namespace sluice {

/// A bump allocator that is freed as a whole or back to a checkpoint. The first two fields are read
/// by inlined helpers.
struct Arena {
  char *ptr, *end;
  struct Block *block; // the newest
};
struct ArenaCheckpoint {
  char *ptr;
  struct Block *block;
};

struct Heap;    // size-class free lists for places; one per Ctx
struct Program; // the running program
struct Receipt; // who still works at a frame
struct Replica;
struct Thread; // the running thread
struct Batch;

/// One channel of a @parallel region, or what is outside all of them. The code of
/// a region names things by the ids of its template: here is what to add.
struct Replica {
  uint32_t op = 0, in = 0, out = 0, native = 0;
  uint64_t state = 0; // bytes
  int32_t region = -1;
  uint32_t width = 0;   // of the region
  uint32_t index = 0;   // within the region
  int32_t channel = -1; // among all channels of the region, enclosing ones counted
  int32_t maxChannels = 0;
  uint32_t pathLength = 0;        // of the name of what is annotated: the channel goes behind it
  const Replica *outer = nullptr; // null: this is outside
};

/// What every generated function gets as its first argument: one per thread.
/// State is at `state`, laid out by the compiler. `ports`, `natives`, `state` and
/// the channel are those of `replica`, which changes only between segments.
struct Ctx {
  Arena *scratch;            // of this thread
  Heap *heap;                // of what it runs: changes where it enters another operator's domain
  struct OutPort *ports;     // by output port id
  struct NativeOp **natives; // by native operator id
  Program *program;
  int64_t channel, maxChannels; // -1 and 0 outside @parallel
  char *state;
  Thread *thread;         // null where no program runs (tests)
  const Replica *replica; // never null where a program runs
  uint32_t failedRow;     // of the running segment: see SegmentFn
  uint32_t op;   // whose code calls a function that touches metrics (sl_running in metrics.h)
  int64_t clock; // what sl_clock has read for the running batch; 0: nothing yet
  // Of a source: 1 while a checkpoint waits for it to come to sl_save_point. relaxed: it looks
  // again.
  uint32_t saveDue;
  uint32_t saves; // 1: checkpoints are made
  // By output port id, for ports that count (OutPortDesc::counts): the tuples that this thread
  // has made and whose consumers have run. It alone writes them; others read them (relaxed).
  uint64_t *made;
  // By row of the running batch: what to add to `channel` for the one to which it was dealt. 0,
  // unless one channel runs the batch for all (RegionDesc::wholeBatches).
  const int32_t *channels;
};

constexpr uint32_t kBatchRows = 1024, kColumnBytes = 16 * 1024, kArenaBytes = 24 * 1024;
constexpr uint32_t kMostArenaBytes = 128 * 1024; // of a batch with fewer rows than Batch::least
constexpr uint32_t kBatchHeader = 128;

struct Punctuation {
  uint32_t row; // the punctuation stands before this row
  PunctuationKind kind;
  int64_t time = 0; // of a watermark, in ns since 1970
};

/// A columnar batch. Columns start at byte offsets from the Batch's own address
/// that follow from the tuple type and the capacity (columns.h); generated code has
/// them as constants. The header is padded to kBatchHeader.
/// Whoever holds a batch with one reference may change it.
struct Batch {
  uint32_t rows;
  uint32_t limit; // forward when rows >= limit; 1 on ordered streams. A timer
                  // lowers it to 1 now and then: read it at each row
  uint32_t capacity;
  uint32_t punctCount, punctCapacity;
  uint32_t refs; // who still has to run it
  Punctuation *puncts;
  Arena arena;      // payload of strings and collections in the columns
  uint32_t pool;    // of batches of its size
  uint32_t payload; // bytes that the arena holds, plus 1; 0: nobody has asked since that changed
  Batch *next;      // in the list of those that came back
  Punctuation *otherPuncts; // room for those that a segment takes out: sl_take_puncts
  uint32_t otherCapacity;
  uint32_t least;   // rows that it is to hold before kArenaBytes end it: leastRows() in
                    // runtime/exec/batch/Batches.cpp
  uint64_t birth;   // cycles, when a source forwarded what it was made of; set where latency is
                    // measured (runtime/exec/metrics/Latency.h)
  Receipt *receipt; // of the frame that it was made of, which it holds; null: of none, or nothing
                    // is acknowledged (runtime/exec/state/Receipt.h)
};
static_assert(sizeof(Batch) <= kBatchHeader && __builtin_offsetof(Batch, next) == 64,
              "a hop touches one line");

/// The end of a segment: rows are appended to `batch` by inlined stores, and
/// sl_forward gives it to the consumers. Null between the batches of a segment that
/// forwards in place.
struct OutPort {
  Batch *batch;
};

using HandlerFn = int32_t (*)(Ctx *);
/// A segment runs every row and punctuation of the batch, in order. If it fails at row r it sets
/// ctx->failedRow to r, else to batch->rows; consumers behind it get the rows before. A segment
/// that forwards in place (InPortDesc::inPlaceOutput) owns the batch: it fills it anew, and its
/// caller forwards the result when it returns 0.
using SegmentFn = int32_t (*)(Ctx *, Batch *);
/// Rows `first` to `end` of a batch that is forwarded in place: what they become is
/// appended at batch->rows, which is at most `first`.
using RowsFn = int32_t (*)(Ctx *, Batch *, uint64_t first, uint64_t end);
/// Rows `first` to `end` of a batch, with the state of a key shard. Appends as the segment does,
/// but forwards only what is full. For each row that does not fail `made` gets a number for each
/// output port whose batches the segment fills, in the order of ids: the rows and punctuation that
/// the port's batch has after it, before that is forwarded as it is full.
using KeyedRowsFn = int32_t (*)(Ctx *, Batch *, uint64_t first, uint64_t end, uint16_t *made);
/// Submits one tuple (as a struct) or a punctuation on an output port of a native operator.
using EmitFn = int32_t (*)(Ctx *, const void *tuple);
using EmitPunctFn = int32_t (*)(Ctx *, uint32_t kind, int64_t time);

//===--- tables that the compiler emits -----------------------------------===//

#define SLUICE_DESC(Name) struct Name {
#define SLUICE_FIELD(type, name, offset) type name;
#define SLUICE_DESC_END(Name, size)                                                                \
  }                                                                                                \
  ;
#include "sluice/Descs.def"

// The compiler makes constants with these offsets.
#define SLUICE_DESC(Name)                                                                          \
  namespace layout_of_##Name {                                                                     \
    using Desc = Name;
#define SLUICE_FIELD(type, name, offset)                                                           \
  static_assert(__builtin_offsetof(Desc, name) == offset, "the offset of " #name);
#define SLUICE_DESC_END(Name, size)                                                                \
  static_assert(sizeof(Name) == size, "the size of " #Name);                                       \
  }
#include "sluice/Descs.def"

/// Operators of numbers that the runtime computes.
enum class Arithmetic : uint32_t { Add, Sub, Mul, Div, Neg };

constexpr uint32_t kMagic = 0x534c5543, kAbiVersion = 23;

extern "C" {

//===--- memory -------------------------------------------------------------===//
void *sl_scratch(Ctx *, uint64_t bytes, uint64_t align);
void sl_arena_checkpoint(Ctx *, ArenaCheckpoint *);
void sl_arena_release(Ctx *, const ArenaCheckpoint *);

//===--- values, by descriptor ----------------------------------------------===//
/// Deep copy into scratch (or `arena`): the result is independent of src.
void sl_copy(Ctx *, const TypeDesc *, void *result, const void *src);
void sl_copy_to(Arena *, const TypeDesc *, void *result, const void *src);
/// place := src, reusing what place owns. src may lie inside place.
void sl_assign(Ctx *, const TypeDesc *, void *place, const void *src);
/// Frees what the place owns and makes it the default value.
void sl_destroy(Ctx *, const TypeDesc *, void *place);
/// A list of plain elements that a function builds to return it: a place whose
/// buffer lies in scratch. Nobody frees it, and growing leaves the old one as it
/// was. `elem`: the type of its elements.
void sl_scratch_assign(Ctx *, const TypeDesc *list, void *place, const void *src);
int32_t sl_scratch_append(Ctx *, const TypeDesc *elem, Seq *place, const void *x);
/// Room for `more` elements, none if it is below 0; and an append to room that
/// there is.
int32_t sl_scratch_reserve(Ctx *, const TypeDesc *elem, Seq *place, int64_t more);
int32_t sl_scratch_push(Ctx *, const TypeDesc *elem, Seq *place, const void *x);
uint8_t sl_equal(const TypeDesc *, const void *, const void *);
int32_t sl_compare(const TypeDesc *, const void *, const void *); // -1, 0, 1
uint64_t sl_hash(const TypeDesc *, const void *);
/// Operators on decimals and complex numbers; Neg takes the first operand. None fails.
void sl_arithmetic(const TypeDesc *, Arithmetic, void *result, const void *, const void *);
/// Whether a decimal is below another one, or equal to it if `orEqual`. NaN is neither.
uint8_t sl_decimal_less(const TypeDesc *, const void *, const void *, uint32_t orEqual);
/// (T) text and (rstring) value; sl_parse fails.
int32_t sl_parse(Ctx *, const TypeDesc *, void *result, const Str *text);
void sl_to_string(Ctx *, const TypeDesc *, Str *result, const void *value);
/// Casts between collections, enum from integer, those of decimals and complex numbers ... : any
/// explicit cast that is not between integers and floats, to or from rstring. Fails, but for
/// numbers.
int32_t sl_cast(Ctx *, const TypeDesc *to, void *result, const TypeDesc *from, const void *src);

//===--- collections --------------------------------------------------------===//
/// New collections in scratch from `count` elements laid out by stride.
void sl_make_list(Ctx *, const TypeDesc *list, Seq *result, const void *elems, uint32_t count);
/// The same of `count` default values.
void sl_default_list(Ctx *, const TypeDesc *list, Seq *result, uint32_t count);
void sl_make_set(Ctx *, const TypeDesc *set, Seq *result, const void *elems, uint32_t count);
void sl_make_map(Ctx *, const TypeDesc *map, Seq *result, const void *entries, uint32_t count);
/// The address of an element; fails when out of range or missing. `at` is
/// sign-extended; reading and writing alike.
int32_t sl_list_at(Ctx *, const TypeDesc *list, void **result, const Seq *, int64_t at);
int32_t sl_map_at(Ctx *, const TypeDesc *map, void **result, const Seq *, const void *key);
/// Place only: the same, and the value will be changed. Who changes one says so in each batch
/// before it does, as blocks of large maps are saved before they change.
int32_t sl_map_ref(Ctx *, const TypeDesc *map, void **result, const Seq *, const void *key);
/// Place only: the value's address, inserting a default value if need be.
void sl_map_slot(Ctx *, const TypeDesc *map, void **result, Seq *, const void *key);
/// The position of a key; the size of the map if it is missing.
uint64_t sl_map_find(const TypeDesc *map, const Seq *, const void *key);
/// Place only: the same, and the value will be changed.
uint64_t sl_map_find_ref(const TypeDesc *map, const Seq *, const void *key);
/// Place only: the value at a position below the size will be changed.
void sl_map_change(const Seq *, uint64_t at);
/// Place only: removes the entry of a key, if there is one. The last entry takes its position.
void sl_map_erase(Ctx *, const TypeDesc *map, Seq *, const void *key);
/// The same for the entry at a position below the size.
void sl_map_erase_nth(Ctx *, const TypeDesc *map, Seq *, uint64_t at);
/// An entry that may be removed soon: fetches its place in a large index. Any position will do.
void sl_map_fetch_nth(const TypeDesc *map, const Seq *, uint64_t at);
/// Place only: appends a copy of an element to a list.
void sl_push(Ctx *, const TypeDesc *list, Seq *, const void *element);
/// Reports that the size of a window, `word(size)`, is below 0 or no number. Returns 1.
int32_t sl_bad_size(Ctx *, const TypeDesc *, const char *word, const void *size);
/// Place only: a ring is a list whose length is 0 or a power of two, and the position `head` of its
/// oldest element, modulo that length. Doubles a full one (at least 4 slots): elements move to the
/// front in their order, head becomes 0, and the other slots hold default values. Fails at 2^31.
int32_t sl_grow_ring(Ctx *, const TypeDesc *list, Seq *slots, uint64_t *head);
/// A list in scratch of the numbers (uint32) of the first `count` rows, in the order of their keys;
/// equal ones in the order of their numbers. Rows are a list of tuples whose first `keys`
/// attributes are numbers, enumerations, timestamps or rstrings; `descending` has a byte for each.
void sl_rows_in_order(Ctx *, const TypeDesc *list, Seq *result, const Seq *rows, uint64_t count,
                      const uint8_t *descending, uint32_t keys);
/// A heap is a list of {uint64 word, uint64 row}: each row has one element. The rows of the first
/// `size` elements are in the heap, the first in order at 0; the others are free. push takes the
/// row of element `size` in; pop moves the first in order to element `size` - 1.
void sl_heap_push(const TypeDesc *list, const Seq *rows, const uint8_t *descending, uint32_t keys,
                  Seq *heap, uint64_t size);
void sl_heap_pop(const TypeDesc *list, const Seq *rows, const uint8_t *descending, uint32_t keys,
                 Seq *heap, uint64_t size);
uint8_t sl_contains(const TypeDesc *collection, const Seq *, const void *key);
/// Up to kAheadRows rows will look up these keys, which lie one behind the other, in this set or
/// map: hashes them and fetches their places in a large index. `hashes` has kAheadRows elements. A
/// processor drops what it is to fetch while some twenty lines are on their way: so few rows.
constexpr uint32_t kAheadRows = 16;
void sl_ahead(const TypeDesc *, const Seq *, const void *keys, uint64_t count, uint32_t *hashes);
/// Later, when these places have come: fetches the entries, and guesses a slot for each hash, which
/// it replaces, ~0 where none is known. The table may have changed, and rows need not change it as
/// guessed.
void sl_ahead_entries(const TypeDesc *, const Seq *, uint64_t count, uint32_t *hashes);
/// The values at these slots have a ring: a list, the position of its oldest element and the number
/// of elements, at these bytes of the value. Fetches where an element leaves and where one comes.
void sl_ahead_ring(const TypeDesc *map, const Seq *, const uint32_t *slots, uint64_t count,
                   uint32_t list, uint32_t head, uint32_t elements, uint32_t stride);
/// Place only: the next look-up tries this slot first.
void sl_try_first(const Seq *, uint32_t slot);
int32_t sl_str_at(Ctx *, Str *result, const Str *, int64_t at);
/// Of a ustring: positions count code points.
int32_t sl_ustr_at(Ctx *, Str *result, const Str *, int64_t at);
int32_t sl_ustr_slice(Ctx *, Str *result, const Str *, int64_t lo, int64_t hi, uint8_t hasLo,
                      uint8_t hasHi);
/// The address of a byte of a blob; reading and writing alike.
int32_t sl_blob_at(Ctx *, void **result, const Str *, int64_t at);
int32_t sl_blob_slice(Ctx *, Str *result, const Str *, int64_t lo, int64_t hi, uint8_t hasLo,
                      uint8_t hasHi);
/// hasLo, hasHi: whether the bounds were written.
int32_t sl_list_slice(Ctx *, const TypeDesc *, Seq *result, const Seq *, int64_t lo, int64_t hi,
                      uint8_t hasLo, uint8_t hasHi);
int32_t sl_str_slice(Ctx *, Str *result, const Str *, int64_t lo, int64_t hi, uint8_t hasLo,
                     uint8_t hasHi);
void sl_str_concat(Ctx *, Str *result, const Str *, const Str *);
/// place += s, in place.
void sl_str_append(Ctx *, Str *place, const Str *);
/// Place only: drops what is beyond the bound of the type.
void sl_cut(Ctx *, const TypeDesc *, void *place);

//===--- streams ------------------------------------------------------------===//
// Ids of ports, operators and natives are those of the template: see Replica.
/// A Str or Seq about to be stored in the next row of the batch: payload is copied
/// into the batch's arena.
void sl_batch_keep(Batch *, const TypeDesc *, void *value);
/// Takes the punctuation out of a batch. It stays valid until the next call.
Punctuation *sl_take_puncts(Batch *);
/// The batch of the port is full, or must go now: run the consumers. Like
/// sl_wait and whatever may wait, it may forward other ports as well: no batch's
/// row count lives in a register across it.
int32_t sl_forward(Ctx *, uint32_t outPort);
/// A punctuation whose kind this release does not have: an internal error, says so and aborts.
[[noreturn]] void sl_unknown_punct(uint32_t kind);
/// Submits a punctuation on a port that ends a segment. `time`: of a watermark, else 0.
int32_t sl_port_punct(Ctx *, uint32_t outPort, uint32_t kind, int64_t time);
/// One Final arrived at an input port. 1: it was the last, the port closes now.
int32_t sl_port_final(Ctx *, uint32_t inPort);
/// After sl_port_final returned 1: are all input ports of the operator closed?
int32_t sl_op_closed(Ctx *, uint32_t op);
/// A Final is about to leave on an output port: 1 the first time only.
int32_t sl_out_close(Ctx *, uint32_t outPort);
/// A punctuation arrives at the only input port of an operator that has one output port and does
/// nothing about punctuation: 1 if a Final is to leave on the output port now. It is the three
/// functions above in one call, as most operators of large programs are of this kind.
int32_t sl_passes_final(Ctx *, uint32_t kind, uint32_t inPort, uint32_t op, uint32_t outPort);
/// Rows may still be submitted on this port (a Final was not).
int32_t sl_out_open(Ctx *, uint32_t outPort);
/// Whether the operator wants no more tuples at an input port for now: sources whose tuples come to
/// it wait (runtime/exec/source/Holds.h).
void sl_hold(Ctx *, uint32_t inPort, int32_t held);
/// Of an operator that delays (InPortDesc::delays): for how many ns what comes waits at its input
/// port, and how many tuples may wait there before sources wait. By open().
void sl_delay(Ctx *, const OperatorDesc *, int64_t nanos, uint64_t tuples);
/// Native operators: a tuple struct or a punctuation arrives. 0, or -1 if the program
/// is failing. Final: after sl_port_final returned 1; it is forwarded on the
/// operator's outputs (by emitPunct, which asks sl_out_close) once all of its
/// ports have had it. Sources: the runtime sends it when process() returns. A watermark goes on to
/// all outputs; the operator does not see it.
int32_t sl_native_tuple(Ctx *, uint32_t native, uint32_t port, const void *tuple);
int32_t sl_native_punct(Ctx *, uint32_t native, uint32_t port, uint32_t kind, int64_t time);
/// A batch for a native operator that takes whole batches (NativeOp::batch).
int32_t sl_native_batch(Ctx *, uint32_t native, uint32_t port, Batch *);
/// Whether this process runs the operator: it may be in another PE.
int32_t sl_is_here(Ctx *, uint32_t op);
/// From OperatorDesc::setParams: one value of a parameter. Enumerators of
/// custom literals come as rstrings.
void sl_param(Ctx *, uint32_t native, const char *name, const TypeDesc *, const void *value);
/// Sleeps (interruptibly); 1 = the program ends, or the source is a daemon that is to end.
int32_t sl_wait(Ctx *, double seconds);
/// The same, until sl_now is `due`. `spin`: ns before that in which it does not sleep but looks at
/// the clock all the time, as a sleep may take longer.
int32_t sl_wait_until(Ctx *, int64_t due, int64_t spin);
int32_t sl_is_shutdown(Ctx *);
/// By the code of a source, whose state variables say where it is. `step`: SaveStep. 0; or below 0:
/// the program ends with a checkpoint that has been made.
int32_t sl_point_of_source(Ctx *, uint32_t step);
/// The same for a generated source whose port has no batch: it has submitted
/// `tuples` by now; or one more.
int32_t sl_source_made(Ctx *, uint32_t outPort, uint64_t tuples);
int32_t sl_source_submitted(Ctx *, uint32_t outPort);
void sl_submission(Ctx *, uint32_t index, void *result); // Str, or Seq of Str
/// The operator leaves out so many more; `what` is a LeftOut (leftout.h). Any thread, also while
/// others are in the operator.
void sl_left_out(Ctx *, uint32_t op, uint32_t what, uint64_t count);
/// Of operators that ask for them: a tuple, or a punctuation, has come to a port, or leaves it.
void sl_tuple_in(Ctx *, uint32_t inPort);
void sl_punct_in(Ctx *, uint32_t inPort, uint32_t kind);
void sl_tuple_out(Ctx *, uint32_t outPort);
void sl_punct_out(Ctx *, uint32_t outPort, uint32_t kind);

//===--- failure ------------------------------------------------------------===//
/// Say what went wrong (printf); the site is added by who fails. Returns 1.
int32_t sl_error(Ctx *, const char *format, ...) __attribute__((format(printf, 2, 3)));
/// Before a recursive call: fails if the stack of this thread is nearly full.
int32_t sl_check_stack(Ctx *);
/// An operator failed at a site. Uncaught: remember it as the failure to report
/// and return -1. Caught: trace it, forget it, return 0.
/// op: index into ProgramDesc::operators; site: index into sites, plus 1.
int32_t sl_fail(Ctx *, uint32_t op, int32_t site);
int32_t sl_caught(Ctx *, uint32_t op, int32_t site);
/// A segment's end after a failure (< 0): forwards its ports' pending rows, and
/// reports the failure unless one of those failed first. Returns -1; or 0 when
/// nothing failed and the program was told to stop: a source then goes on to
/// its Final as if its onProcess had returned.
int32_t sl_unwind(Ctx *, const uint32_t *outPorts, uint32_t count);

//===--- time (runtime/exec/state/Clock.h) -----------------------------------===//
// All that operators and library functions know of time. ns of a clock that never goes back.
/// Read at most once for each batch that a thread runs: where a batch begins, where a source has
/// forwarded or asks whether to end, and after a wait it is read again. So it never goes back for
/// the operators of a domain.
int64_t sl_clock(Ctx *);
/// Read at this moment.
int64_t sl_now(Ctx *);
/// Seconds and nanoseconds since 1970, which may jump: for dates only.
void sl_wall_clock(Ctx *, int64_t *seconds, uint32_t *nanos);

//===--- services for library functions and native operators -----------------===//
/// Standard output, buffered. That it fails is reported once; 64 KiB of text later the result is 1:
/// whoever prints ends then, as after sl_error.
int32_t sl_out(Ctx *, const char *text, size_t length);
void sl_out_flush(Ctx *);
/// Writes whole lines to standard error, behind what was written to standard output.
void sl_message(Ctx *, const char *text, size_t length);
/// A line on stderr that begins like a failure of the operator, unless traces are off.
void sl_warn(Ctx *, const OperatorDesc *, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/// Absolute; both end without a slash.
const char *sl_data_dir(Ctx *);
const char *sl_app_dir(Ctx *);
/// 0 off, 1 error, 2 warn, 3 info, 4 debug, 5 trace
int32_t sl_trace_level(Ctx *);
/// The program is to end as after SIGTERM.
void sl_request_shutdown(Ctx *);
/// Waits until a descriptor can be read; 1 = the program ends.
int32_t sl_await_readable(Ctx *, int fd);

/// Runs a compiled program with command line arguments; returns the exit code.
int sl_main(const ProgramDesc *, int argc, char **argv);
/// The same for the last of the variants that this processor can run; an error if there is none.
int sl_main_by_cpu(const CpuVariant *, uint32_t count, int argc, char **argv);
}

/// Whether the punctuation ends its stream.
inline bool isFinal(PunctuationKind kind) {
  switch (kind) {
  case PunctuationKind::Window:
  case PunctuationKind::Watermark:
    return false;
  case PunctuationKind::Final:
    return true;
  }
  sl_unknown_punct(uint32_t(kind));
}

} // namespace sluice
