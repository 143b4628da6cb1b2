//===- StreamHandlerOps.td - what stands in handlers ----------------------===//

#ifndef SLUICE_STREAM_HANDLER_OPS
#define SLUICE_STREAM_HANDLER_OPS
include "ir/StreamOps.td"

def Stream_NowOp : Stream_Op<"now"> {
  let summary = "ns of a clock that never goes back; read once a batch, or virtual";
  let description = [{
    ```mlir
    %0 = stream.now : si64
    ```
  }];
  let results = (outs SI64:$nanos);
  let assemblyFormat = "attr-dict `:` type($nanos)";
}

def Stream_HistoryOp : Stream_Op<"history", [Pure]> {
  let summary = "the tuple that came `back` tuples before the current one on an input port";
  let description = [{
    Its attributes have default values if fewer tuples came. `stream-keep-history` replaces it.
    ```mlir
    %0 = stream.history 0[1] : !spl.tuple<"a": si32>
    ```
  }];
  let arguments = (ins I32Attr:$port, I32Attr:$back);
  let results = (outs Spl_TupleType:$tuple);
  let assemblyFormat = "$port `[` $back `]` attr-dict `:` type($tuple)";
  let hasVerifier = 1;
}

def Stream_YieldOp : Stream_Op<"yield", [Terminator, Pure, ReturnLike]> {
  let summary = "the values of a parameter, output or initialiser region";
  let description = [{
    ```mlir
    stream.yield %0 : si32
    ```
  }];
  let arguments = (ins Variadic<Spl_Value>:$values);
  let assemblyFormat = "($values^ `:` type($values))? attr-dict";
}

def Stream_EndOp : Stream_Op<"end", [Terminator]> {
  let summary = "the end of a handler";
  let description = [{
    ```mlir
    stream.end
    ```
  }];
  let assemblyFormat = "attr-dict";
}

def Stream_SubmitOp : Stream_Op<"submit"> {
  let summary = "submits a tuple on an output port; its consumers run before this returns, unless "
      "a boundary lies between";
  let description = [{
    ```mlir
    stream.submit 0, %t : !spl.tuple<"a": si32>
    ```
    `in_room`: of a source, which has asked `stream.room` for this one, too.
  }];
  let arguments = (ins I32Attr:$port, Spl_TupleType:$tuple, UnitAttr:$in_room);
  let assemblyFormat = "$port `,` $tuple attr-dict `:` type($tuple)";
  let hasVerifier = 1;
}

def Stream_SubmitPunctOp : Stream_Op<"submit_punct", [AttrSizedOperandSegments]> {
  let summary = "submits a punctuation on an output port";
  let description = [{
    The marker says whether it is window or final punctuation. A watermark says instead that no
    tuple will follow whose event time is earlier; it is in nanoseconds since 1970.
    ```mlir
    stream.submit_punct 0, %m : !spl.enum<"WindowMarker", "FinalMarker">
    stream.submit_punct 0, watermark %t
    ```
  }];
  let arguments = (ins I32Attr:$port, Optional<Spl_EnumType>:$marker, Optional<SI64>:$watermark);
  let assemblyFormat = "$port `,` ($marker^ `:` type($marker))? (`watermark` $watermark^)? "
      "attr-dict";
  let builders = [OpBuilder<(ins "uint32_t":$port, "::mlir::Value":$marker),
      [{ build($_builder, $_state, port, marker, {}); }]>];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    /// Which kind it is, unless that is known only when it is submitted.
    ::std::optional<::sluice::PunctuationKind> constantKind();
  }];
}

def Stream_HoldOp : Stream_Op<"hold"> {
  let summary = "whether the operator wants no more tuples at an input port for now";
  let description = [{
    The port is **held** from a true value to the next false one. Sources whose tuples come to it
    wait meanwhile. What is on the way still arrives, and the operator has to keep it.
    ```mlir
    stream.hold 0, %held
    ```
  }];
  let arguments = (ins I32Attr:$port, I1:$held);
  let assemblyFormat = "$port `,` $held attr-dict";
  let hasVerifier = 1;
}

def Stream_LeftOutOp : Stream_Op<"left_out"> {
  let summary = "counts what the operator leaves out; nothing in the graph sees it";
  let description = [{
    ```mlir
    stream.left_out late, %n : ui64
    ```
  }];
  let arguments = (ins Stream_LeftOutAttr:$what, AnyType:$count);
  let assemblyFormat = "$what `,` $count attr-dict `:` type($count)";
  let hasVerifier = 1;
}

def Stream_WaitOp : Stream_Op<"wait"> {
  let summary = "sleeps, interruptibly; true: the program is ending";
  let description = [{
    ```mlir
    %stop = stream.wait %seconds
    ```
  }];
  let arguments = (ins F64:$seconds);
  let results = (outs I1:$stop);
  let assemblyFormat = "$seconds attr-dict";
}

def Stream_IsShutdownOp : Stream_Op<"is_shutdown"> {
  let summary = "whether the program is ending; loops of generated sources ask it";
  let description = [{
    `made`: how many tuples the source has submitted so far, on its only port.
    ```mlir
    %stop = stream.is_shutdown
    ```
  }];
  let arguments = (ins Optional<AnyType>:$made);
  let results = (outs I1:$stop);
  let assemblyFormat = "($made^ `:` type($made))? attr-dict";
}

def Stream_SaveDueOp : Stream_Op<"save_due"> {
  let summary = "whether a source is to save where it is";
  let description = [{
    True while a checkpoint is asked for; with `waits`, in runs that make checkpoints. The code
    behind it stores what the source needs in state variables and then says so by
    `stream.save_point`.
    ```mlir
    %due = stream.save_due
    ```
  }];
  let arguments = (ins UnitAttr:$waits);
  let results = (outs I1:$due);
  let assemblyFormat = "(`waits` $waits^)? attr-dict";
}

def Stream_SavePointOp : Stream_Op<"save_point"> {
  let summary = "the state variables of a source say where it is";
  let description = [{
    `stay`: it stays here while a checkpoint is made. `wait`: it is about to wait, and a checkpoint
    may be made meanwhile. `go`: it has waited and goes on. `ask`: it asks for a checkpoint, to be
    made at its next save point.
    ```mlir
    stream.save_point stay
    ```
  }];
  let arguments = (ins Stream_SaveStepAttr:$step);
  let assemblyFormat = "$step attr-dict";
}

def Stream_RoomOp : Stream_Op<"room", [AllTypesMatch<["wanted", "rows"]>]> {
  let summary = "how many of `wanted` tuples a source may submit `in_room` before it asks again; "
      "at least one";
  let description = [{
    All batches on the way have room for them: the loop that submits them need not
    look after each. Forwards what the tuples before have filled.
    ```mlir
    %rows = stream.room %wanted : ui64
    ```
  }];
  let arguments = (ins AnyType:$wanted);
  let results = (outs AnyType:$rows);
  let assemblyFormat = "$wanted attr-dict `:` type($wanted)";
}
#endif
