//===- SplCallOps.td - places, functions, memory of the runtime, windows ---===//

#ifndef SLUICE_SPL_CALL_OPS
#define SLUICE_SPL_CALL_OPS
include "ir/SplAttrs.td"
include "ir/SplOps.td"
include "mlir/Interfaces/FunctionInterfaces.td"
include "mlir/Interfaces/CallInterfaces.td"
include "mlir/Interfaces/ControlFlowInterfaces.td"
include "mlir/IR/SymbolInterfaces.td"

//===--- places -------------------------------------------------------------===//

def Spl_VarOp : Spl_Op<"var", [MemoryEffects<[MemAlloc]>]> {
  let summary = "a mutable local variable; stands in the entry block, starts as the default value";
  let description = [{
    One place per activation, so a declaration in a loop reuses its storage: the
    declaration is a spl.store. It is destroyed where the activation ends.
    ```mlir
    %0 = spl.var "count" : !spl.ref<si32>
    ```
  }];
  let arguments = (ins StrAttr:$name);
  let results = (outs Spl_RefType:$result);
  let assemblyFormat = "$name attr-dict `:` type($result)";
}

def Spl_StateOp : Spl_Op<"state", [Pure]> {
  let summary = "the place of a state variable of the enclosing operator, by index";
  let description = [{
    ```mlir
    %0 = spl.state "count"[0] : !spl.ref<si32>
    ```
  }];
  let arguments = (ins StrAttr:$name, I32Attr:$index);
  let results = (outs Spl_RefType:$result);
  let assemblyFormat = "$name `[` $index `]` attr-dict `:` type($result)";
}

def Spl_LoadOp : Spl_Op<"load", [MemoryEffects<[MemRead]>]> {
  let summary = "the value in a place, valid until the place is next written";
  let description = [{
    ```mlir
    %1 = spl.load %0 : !spl.ref<si32> -> si32
    ```
  }];
  let arguments = (ins Spl_RefType:$place);
  let results = (outs Spl_Value:$result);
  let assemblyFormat = "$place attr-dict `:` type($place) `->` type($result)";
  let builders = [OpBuilder<(ins "::mlir::Value":$place)>];
  let hasVerifier = 1;
}

def Spl_StoreOp : Spl_Op<"store", [MemoryEffects<[MemWrite]>]> {
  let summary = "copies a value into a place, which reuses its storage";
  let description = [{
    ```mlir
    spl.store %1, %0 : si32, !spl.ref<si32>
    ```
  }];
  let arguments = (ins Spl_Value:$value, Spl_RefType:$place);
  let assemblyFormat = "$value `,` $place attr-dict `:` type($value) `,` type($place)";
  let hasVerifier = 1;
}

def Spl_AppendOp : Spl_Op<"append", [MemoryEffects<[MemWrite, MemRead]>]> {
  let summary = "place += string, in place";
  let description = [{
    ```mlir
    spl.append %1, %0 : !spl.rstring, !spl.ref<!spl.rstring>
    ```
  }];
  let arguments = (ins Spl_String:$value, Spl_RefType:$place);
  let assemblyFormat = "$value `,` $place attr-dict `:` type($value) `,` type($place)";
  let hasVerifier = 1;
}

def Spl_CutOp : Spl_Op<"cut", [MemoryEffects<[MemWrite, MemRead]>]> {
  let summary = "drops what is in a place beyond the bound of its type";
  let description = [{
    Stands behind what may have made the place longer: it knows no bounds.
    ```mlir
    spl.cut %0 : !spl.ref<!spl.list<si32, 4>>
    ```
  }];
  let arguments = (ins Spl_RefType:$place);
  let assemblyFormat = "$place attr-dict `:` type($place)";
  let hasVerifier = 1;
}

def Spl_FieldRefOp : Spl_Op<"field_ref", [Pure]> {
  let summary = "the place of an attribute of a tuple, or of a part of an optional, in a place";
  let description = [{
    ```mlir
    %1 = spl.field_ref %0[1] : !spl.ref<!spl.tuple<"a": si32, "b": si32>> -> !spl.ref<si32>
    ```
  }];
  let arguments = (ins Spl_RefType:$place, I32Attr:$index);
  let results = (outs Spl_RefType:$result);
  let assemblyFormat = "$place `[` $index `]` attr-dict `:` type($place) `->` type($result)";
  let builders = [OpBuilder<(ins "::mlir::Value":$place, "unsigned":$index)>];
  let hasVerifier = 1;
}

def Spl_IndexRefOp : Spl_Op<"index_ref", [Spl_CanFail]> {
  let summary = "the place of list[i], map[k] or blob[i]; fails as spl.index does";
  let description = [{
    Valid until the collection is next written as a whole or changes its size.
    ```mlir
    %2 = spl.index_ref %0[%1] : !spl.ref<!spl.list<si32>>, ui32 -> !spl.ref<si32>
    ```
  }];
  let arguments = (ins Spl_RefType:$place, Spl_Value:$index, OptionalAttr<StrAttr>:$source);
  let results = (outs Spl_RefType:$result);
  let assemblyFormat = "$place `[` $index `]` attr-dict `:` type($place) `,` type($index) `->` "
      "type($result)";
  let hasVerifier = 1;
}

def Spl_MapSlotOp : Spl_Op<"map_slot", [MemoryEffects<[MemWrite, MemRead]>]> {
  let summary = "the place of map[k], inserting a default value if the key is missing: `m[k] = v`";
  let description = [{
    ```mlir
    %2 = spl.map_slot %0[%1] : !spl.ref<!spl.map<!spl.rstring, si32>>, !spl.rstring ->
        !spl.ref<si32>
    ```
  }];
  let arguments = (ins Spl_RefType:$place, Spl_Value:$key);
  let results = (outs Spl_RefType:$result);
  let assemblyFormat = "$place `[` $key `]` attr-dict `:` type($place) `,` type($key) `->` "
      "type($result)";
  let hasVerifier = 1;
}

def Spl_MapFindOp : Spl_Op<"map_find", [MemoryEffects<[MemRead]>]> {
  let summary = "the position of a key in a map; its size if the key is missing";
  let description = [{
    For spl.nth_ref. Valid until the map changes its size.
    ```mlir
    %2 = spl.map_find %0[%1] : !spl.ref<!spl.map<!spl.rstring, si32>>, !spl.rstring
    ```
  }];
  let arguments = (ins Spl_RefType:$place, Spl_Value:$key);
  let results = (outs Spl_UI64:$position);
  let assemblyFormat = "$place `[` $key `]` attr-dict `:` type($place) `,` type($key)";
  let hasVerifier = 1;
}

def Spl_MapEraseOp : Spl_Op<"map_erase", [MemoryEffects<[MemWrite, MemRead]>]> {
  let summary = "removes the entry of a key from a map, if there is one";
  let description = [{
    The last entry takes its position: places of values are no longer valid.
    ```mlir
    spl.map_erase %0[%1] : !spl.ref<!spl.map<!spl.rstring, si32>>, !spl.rstring
    ```
  }];
  let arguments = (ins Spl_RefType:$place, Spl_Value:$key);
  let assemblyFormat = "$place `[` $key `]` attr-dict `:` type($place) `,` type($key)";
  let hasVerifier = 1;
}

def Spl_PushOp : Spl_Op<"push", [MemoryEffects<[MemWrite, MemRead]>]> {
  let summary = "appends a copy of a value to a list";
  let description = [{
    ```mlir
    spl.push %1, %0 : si32, !spl.ref<!spl.list<si32>>
    ```
  }];
  let arguments = (ins Spl_Value:$value, Spl_RefType:$place);
  let assemblyFormat = "$value `,` $place attr-dict `:` type($value) `,` type($place)";
  let hasVerifier = 1;
}

def Spl_NthRefOp : Spl_Op<"nth_ref", [Pure]> {
  let summary = "the place of a list's element, or of a map's value, at a position below the size";
  let description = [{
    Valid until the collection is next written as a whole or changes its size.
    ```mlir
    %2 = spl.nth_ref %0[%1] : !spl.ref<!spl.list<si32>> -> !spl.ref<si32>
    ```
  }];
  let arguments = (ins Spl_RefType:$place, Spl_UI64:$position);
  let results = (outs Spl_RefType:$result);
  let assemblyFormat = "$place `[` $position `]` attr-dict `:` type($place) `->` type($result)";
  let hasVerifier = 1;
}

def Spl_ArenaCheckpointOp : Spl_Op<"arena_checkpoint", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "the present position of the scratch arena";
  let description = [{
    ```mlir
    %0 = spl.arena_checkpoint
    spl.release %0
    ```
  }];
  let results = (outs Spl_ArenaCheckpointType:$result);
  let assemblyFormat = "attr-dict";
  let builders = [OpBuilder<(ins)>];
}

def Spl_ReleaseOp : Spl_Op<"release", [MemoryEffects<[MemWrite]>]> {
  let summary = "frees every temporary made since the checkpoint";
  let description = [{
    ```mlir
    %0 = spl.arena_checkpoint
    spl.release %0
    ```
  }];
  let arguments = (ins Spl_ArenaCheckpointType:$checkpoint);
  let assemblyFormat = "$checkpoint attr-dict";
}

//===--- functions ----------------------------------------------------------===//

def Spl_FuncOp : Spl_Op<"func", [FunctionOpInterface, IsolatedFromAbove, Symbol]> {
  let summary = "a function written in SPL";
  let description = [{
    Mutable formals are `!spl.ref` arguments.
    ```mlir
    spl.func @inc(%x: si32) -> si32 {
      spl.return %x : si32
    }
    ```
  }];
  let arguments = (ins SymbolNameAttr:$sym_name, TypeAttrOf<FunctionType>:$function_type,
                       OptionalAttr<DictArrayAttr>:$arg_attrs,
                           OptionalAttr<DictArrayAttr>:$res_attrs);
  let regions = (region AnyRegion:$body);
  let hasCustomAssemblyFormat = 1;
  let extraClassDeclaration = [{
    ::mlir::ArrayRef<::mlir::Type> getArgumentTypes() { return getFunctionType().getInputs(); }
    ::mlir::ArrayRef<::mlir::Type> getResultTypes() { return getFunctionType().getResults(); }
    ::mlir::Region *getCallableRegion() { return &getBody(); }
  }];
  let builders = [OpBuilder<(ins "::llvm::StringRef":$name, "::mlir::FunctionType":$type)>];
}

def Spl_ReturnOp : Spl_Op<"return", [Pure, Terminator, ReturnLike, HasParent<"FuncOp">]> {
  let summary = "returns from a function; the value is copied outwards if it lies in a local";
  let description = [{
    ```mlir
    spl.return %x : si32
    ```
  }];
  let arguments = (ins Optional<Spl_Value>:$value);
  let assemblyFormat = "($value^ `:` type($value))? attr-dict";
  let hasVerifier = 1;
}

def Spl_CallOp : Spl_Op<"call", [Spl_CanFail, DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "calls a function written in SPL; fails if it does";
  let description = [{
    A `recursive` call may come back to the function that it stands in. It fails when the stack is
    full. The pass `convert-spl-to-llvm` finds those calls.
    ```mlir
    %1 = spl.call @inc(%0) : (si32) -> si32
    ```
  }];
  let arguments = (ins FlatSymbolRefAttr:$callee, Variadic<Spl_ValueOrRef>:$args,
      OptionalAttr<StrAttr>:$source, UnitAttr:$recursive);
  let results = (outs Optional<Spl_Value>:$result);
  let assemblyFormat = "$callee `(` $args `)` attr-dict `:` functional-type($args, results)";
}

def Spl_NativeOp : Spl_Op<"native", [Spl_CanFail]> {
  let summary = "calls a library function of the toolkit; fails if it does";
  let description = [{
    `type_args` bind the prototype's type variables; `generic` says which
    arguments pass by pointer because their formal type is a bare type variable.
    Mutable formals are `!spl.ref` arguments. `facts` are what the prototype declares
    about the function; without them it touches nothing outside its arguments and may
    leave temporaries in the scratch arena if it has to do with more than scalars.
    ```mlir
    %1 = spl.native "sl_size_Lg"(%0) [si32] generic = [] facts = <traits = scratchFree> :
        (!spl.list<si32>) -> ui32
    ```
  }];
  let arguments = (ins StrAttr:$symbol, Variadic<Spl_ValueOrRef>:$args, TypeArrayAttr:$type_args,
                       DenseI32ArrayAttr:$generic, OptionalAttr<StrAttr>:$source,
                       OptionalAttr<Spl_CallFactsAttr>:$facts);
  let results = (outs Optional<Spl_Value>:$result);
  let extraClassDeclaration = [{
    /// What the function touches outside the graph.
    Effect effects() { return getFacts() ? getFacts()->getEffects() : Effect::none; }
    bool is(CallTrait trait) {
      return getFacts() && bitEnumContainsAll(getFacts()->getTraits(), trait);
    }
    bool is(Intrinsic intrinsic) {
      return getFacts() && getFacts()->getIntrinsic() == intrinsic;
    }
    /// Whether a call may leave temporaries in the scratch arena.
    bool mayUseScratch();
  }];
  let assemblyFormat = "$symbol `(` $args `)` $type_args `generic` `=` $generic (`facts` `=` "
      "$facts^)? attr-dict `:` functional-type($args, results)";
}

def Spl_SubmissionOp : Spl_Op<"submission", [Pure]> {
  let summary = "a submission-time value, by its index in the module's `stream.submissions`";
  let description = [{
    ```mlir
    %0 = spl.submission 0 : !spl.rstring
    ```
  }];
  let arguments = (ins I32Attr:$index);
  let results = (outs AnyTypeOf<[Spl_RStringType, Spl_ListType]>:$result);
  let assemblyFormat = "$index attr-dict `:` type($result)";
}

def Spl_SuppliedOp : Spl_Op<"supplied", [Pure]> {
  let summary = "the value that the operator itself gives to an attribute of its output";
  let description = [{
    Stands in output regions only; the operator's expansion replaces it.
    ```mlir
    %0 = spl.supplied : si32
    ```
  }];
  let results = (outs Spl_Value:$result);
  let assemblyFormat = "attr-dict `:` type($result)";
}

def Spl_OutputFnOp : Spl_Op<"output_fn", [Pure]> {
  let summary = "an output function of the operator that emits";
  let description = [{
    Stands in output regions only; the operator's expansion replaces it. A function that
    says something about several tuples has one of `summary`, the number of a `stream.aggregate`
    of the operator, `fold`, that of a `stream.fold`, `counts` and `pane`. Its arguments stand
    there.
    ```mlir
    %0 = spl.output_fn "IterationCount"() : () -> ui32
    %1 = spl.output_fn "CountGroups"() counts = groups : () -> si32
    ```
  }];
  let arguments = (ins StrAttr:$name, Variadic<Spl_Value>:$args,
                       OptionalAttr<I32Attr>:$summary,
                       OptionalAttr<Spl_WindowCountAttr>:$counts, OptionalAttr<I32Attr>:$fold,
                       OptionalAttr<Spl_PaneFactAttr>:$pane);
  let results = (outs Spl_Value:$result);
  let builders = [OpBuilder<(ins "::mlir::Type":$type, "::llvm::StringRef":$name,
                                 "::mlir::ValueRange":$args)>];
  let assemblyFormat = "$name `(` $args `)` (`summary` `=` $summary^)? "
      "(`counts` `=` $counts^)? (`fold` `=` $fold^)? (`pane` `=` $pane^)? attr-dict `:` "
      "functional-type($args, $result)";
  let extraClassDeclaration = [{
    /// Whether it says something about several tuples.
    bool summarises() { return getSummary() || getCounts() || getFold() || getPane(); }
  }];
  let hasVerifier = 1;
}

//===--- memory of the runtime (phase lowered) ------------------------------===//

def Spl_GetOp : Spl_Op<"get", [MemoryEffects<[MemRead]>]> {
  let summary = "reads a value at an address, bit by bit: it shares what it points to";
  let description = [{
    ```mlir
    %1 = spl.get %p : !llvm.ptr -> si32
    ```
  }];
  let arguments = (ins AnyType:$address);
  let results = (outs Spl_Value:$result);
  let assemblyFormat = "$address attr-dict `:` type($address) `->` type($result)";
}

def Spl_PutOp : Spl_Op<"put", [MemoryEffects<[MemWrite]>]> {
  let summary = "writes a value at an address, bit by bit: nothing is owned or copied";
  let description = [{
    ```mlir
    spl.put %1, %p : si32, !llvm.ptr
    ```
  }];
  let arguments = (ins Spl_Value:$value, AnyType:$address);
  let assemblyFormat = "$value `,` $address attr-dict `:` type($value) `,` type($address)";
}

def Spl_TypeDescOp : Spl_Op<"type_desc", [Pure]> {
  let summary = "the address of the TypeDesc of a type";
  let description = [{
    ```mlir
    %0 = spl.type_desc si32 : !llvm.ptr
    ```
  }];
  let arguments = (ins TypeAttr:$type);
  let results = (outs AnyType:$result);
  let assemblyFormat = "$type attr-dict `:` type($result)";
}

//===--- windows -----------------------------------------------------------------===//

def Spl_CheckPresentOp : Spl_Op<"check_present", [Spl_CanFail]> {
  let summary = "fails unless the flag, which is whether an optional has a value, is set";
  let description = [{
    ```mlir
    spl.check_present %0
    ```
  }];
  let arguments = (ins I1:$flag, OptionalAttr<StrAttr>:$source);
  let assemblyFormat = "$flag attr-dict";
}

def Spl_CheckSizeOp : Spl_Op<"check_size", [Spl_CanFail]> {
  let summary = "fails if the size of a window is below 0, or no number";
  let description = [{
    For sizes that are known at the start only. `word` is that of the window clause. `positive`: it
    must not be 0 either; seconds (floats) are a nanosecond at least. `most`: of floats.
    ```mlir
    spl.check_size "count" %0 : si64
    ```
  }];
  let arguments = (ins StrAttr:$word, Spl_Value:$size, UnitAttr:$positive,
                       OptionalAttr<F64Attr>:$most);
  let assemblyFormat = "$word $size (`positive` $positive^)? (`most` $most^)? attr-dict `:` "
      "type($size)";
  let hasVerifier = 1;
}

def Spl_GrowRingOp : Spl_Op<"grow_ring", [Spl_CanFail]> {
  let summary = "doubles the slots of a full ring; fails if there are too many";
  let description = [{
    `slots` is a list whose size is 0 or a power of two, `head` the position of the oldest element,
    modulo the size, `count` the number of elements. The elements move to the front in their order
    and `head` becomes 0. The new slots hold default values. A list without slots gets four.
    ```mlir
    spl.grow_ring %slots, %head, %count
        : !spl.ref<!spl.list<si32>>, !spl.ref<ui64>, !spl.ref<ui64>
    ```
  }];
  let arguments = (ins Spl_RefType:$slots, Spl_RefType:$head, Spl_RefType:$count);
  let assemblyFormat = [{
    $slots `,` $head `,` $count attr-dict `:` type($slots) `,` type($head) `,` type($count)
  }];
  let hasVerifier = 1;
}

def Spl_SortRowsOp : Spl_Op<"sort_rows", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "the numbers of the first `count` elements of a list, in the order of their keys";
  let description = [{
    The elements are tuples. Their first attributes, as many as `descending` has values, are the
    keys. Equal elements are in the order of the list. The result is a temporary.
    ```mlir
    %2 = spl.sort_rows %0[%1] by [true]
        : !spl.ref<!spl.list<!spl.tuple<"a": si32>>> -> !spl.list<ui32>
    ```
  }];
  let arguments = (ins Spl_RefType:$rows, Spl_UI64:$count, DenseBoolArrayAttr:$descending);
  let results = (outs Spl_Value:$result);
  let assemblyFormat = "$rows `[` $count `]` `by` $descending attr-dict `:` type($rows) `->` "
      "type($result)";
  let hasVerifier = 1;
}

class Spl_Heap_Op<string name> : Spl_Op<name, [MemoryEffects<[MemRead, MemWrite]>]> {
  let arguments = (ins Spl_RefType:$heap, Spl_UI64:$size, Spl_RefType:$rows,
                       DenseBoolArrayAttr:$descending);
  let assemblyFormat = "$heap `[` $size `]` `,` $rows `by` $descending attr-dict `:` type($heap) "
      "`,` type($rows)";
  let hasVerifier = 1;
}

def Spl_HeapPushOp : Spl_Heap_Op<"heap_push"> {
  let summary = "takes a row into a heap of `size` rows: that of the heap's element `size`";
  let description = [{
    `rows` is a list as in `sort_rows`. `heap` has an element for each row, with the row's number;
    the words are for the runtime. Those of the first `size` elements are in the heap, the first in
    order at 0. The others are free.
    ```mlir
    spl.heap_push %0[%1], %2 by [false]
        : !spl.ref<!spl.list<!spl.tuple<"word": ui64, "row": ui64>>>,
          !spl.ref<!spl.list<!spl.tuple<"a": si32>>>
    ```
  }];
}

def Spl_HeapPopOp : Spl_Heap_Op<"heap_pop"> {
  let summary = "removes the first in order from a heap of `size` rows, which is not empty";
  let description = [{
    Its number moves to the element `size` - 1, where it is free. See `heap_push`.
    ```mlir
    spl.heap_pop %0[%1], %2 by [false]
        : !spl.ref<!spl.list<!spl.tuple<"word": ui64, "row": ui64>>>,
          !spl.ref<!spl.list<!spl.tuple<"a": si32>>>
    ```
  }];
}

#endif
