//===- SplOps.td - operations on values -----------------------===//

#ifndef SLUICE_SPL_OPS
#define SLUICE_SPL_OPS
include "ir/Types.td"
include "mlir/IR/EnumAttr.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "mlir/Interfaces/InferTypeOpInterface.td"

class Spl_Op<string mnemonic, list<Trait> traits = []> : Op<Spl_Dialect, mnemonic, traits>;

/// May fail: the enclosing handler or function ends. `source` is the text of the
/// expression; its location is the site.
def Spl_CanFail : NativeOpTrait<"CanFail"> { let cppNamespace = "::sluice::spl"; }

def Spl_UnaryKind : I32EnumAttr<"UnaryKind", "", [
  I32EnumAttrCase<"neg", 0>, I32EnumAttrCase<"not_", 1, "not">, I32EnumAttrCase<"bitnot", 2>]> {
  let cppNamespace = "::sluice::spl";
}
def Spl_BinaryKind : I32EnumAttr<"BinaryKind", "", [
  I32EnumAttrCase<"add", 0>, I32EnumAttrCase<"sub", 1>, I32EnumAttrCase<"mul", 2>,
  I32EnumAttrCase<"bit_and", 3>, I32EnumAttrCase<"bit_or", 4>, I32EnumAttrCase<"bit_xor", 5>,
  I32EnumAttrCase<"shl", 6>, I32EnumAttrCase<"shr", 7>]> {
  let cppNamespace = "::sluice::spl";
}
def Spl_CompareKind : I32EnumAttr<"CompareKind", "", [
  I32EnumAttrCase<"eq", 0>, I32EnumAttrCase<"ne", 1>, I32EnumAttrCase<"lt", 2>,
  I32EnumAttrCase<"le", 3>, I32EnumAttrCase<"gt", 4>, I32EnumAttrCase<"ge", 5>]> {
  let cppNamespace = "::sluice::spl";
}

//===--- values -------------------------------------------------------------===//

def Spl_ConstOp : Spl_Op<"const", [Pure, ConstantLike]> {
  let summary = "a literal, or (without a value) the default value of any type";
  let description = [{
    `value` is an integer, float or string attribute; an enum's is its position, a decimal's its
    text, a complex number's its real part.
    ```mlir
    %0 = spl.const 7 : si32
    %1 = spl.const "abc" : !spl.rstring
    %2 = spl.const : !spl.list<si32>
    ```
  }];
  let arguments = (ins OptionalAttr<AnyAttr>:$value);
  let results = (outs Spl_Value:$result);
  let hasCustomAssemblyFormat = 1;
  let hasFolder = 1;
  let hasVerifier = 1;
}

def Spl_UnaryOp : Spl_Op<"unary", [Pure, SameOperandsAndResultType]> {
  let summary = "negation, boolean not, complement";
  let description = [{
    ```mlir
    %1 = spl.unary neg %0 : si32
    ```
  }];
  let arguments = (ins Spl_UnaryKind:$kind, Spl_Value:$operand);
  let results = (outs Spl_Value:$result);
  let assemblyFormat = "$kind $operand attr-dict `:` type($result)";
  let hasVerifier = 1;
  let hasFolder = 1;
}

def Spl_BinaryOp : Spl_Op<"binary", [Pure, AllTypesMatch<["lhs", "result"]>]> {
  let summary = "arithmetic and bit operators that cannot fail; `+` of strings, timestamps";
  let description = [{
    Operands have one type, but for shifts, whose count may be any integer and is
    taken modulo the width. Integers wrap.
    ```mlir
    %2 = spl.binary add %0, %1 : si32, si32
    ```
  }];
  let arguments = (ins Spl_BinaryKind:$kind, Spl_Value:$lhs, Spl_Value:$rhs);
  let results = (outs Spl_Value:$result);
  let assemblyFormat = "$kind $lhs `,` $rhs attr-dict `:` type($lhs) `,` type($rhs)";
  let hasVerifier = 1;
  let hasFolder = 1;
}

def Spl_DivOp : Spl_Op<"div", [SameOperandsAndResultType, Spl_CanFail]> {
  let summary = "`/`; on integers fails for a zero divisor and for the least value / -1";
  let description = [{
    ```mlir
    %2 = spl.div %0, %1 : si32
    ```
  }];
  let arguments = (ins Spl_Number:$lhs, Spl_Number:$rhs, OptionalAttr<StrAttr>:$source);
  let results = (outs Spl_Number:$result);
  let assemblyFormat = "$lhs `,` $rhs attr-dict `:` type($result)";
  let hasFolder = 1;
}

def Spl_RemOp : Spl_Op<"rem", [SameOperandsAndResultType, Spl_CanFail]> {
  let summary = "`%` of integers, with the sign of the dividend; fails as spl.div does";
  let description = [{
    ```mlir
    %2 = spl.rem %0, %1 : si32
    ```
  }];
  let arguments = (ins Spl_Scalar:$lhs, Spl_Scalar:$rhs, OptionalAttr<StrAttr>:$source);
  let results = (outs Spl_Scalar:$result);
  let assemblyFormat = "$lhs `,` $rhs attr-dict `:` type($result)";
  let hasFolder = 1;
}

def Spl_CompareOp : Spl_Op<"compare", [Pure, AllTypesMatch<["lhs", "rhs"]>]> {
  let summary = "equality of any type, order of ordered types";
  let description = [{
    ```mlir
    %2 = spl.compare lt %0, %1 : !spl.rstring
    ```
  }];
  let arguments = (ins Spl_CompareKind:$kind, Spl_Value:$lhs, Spl_Value:$rhs);
  let results = (outs I1:$result);
  let assemblyFormat = "$kind $lhs `,` $rhs attr-dict `:` type($lhs)";
  let hasFolder = 1;
}

def Spl_CastOp : Spl_Op<"cast", [Spl_CanFail]> {
  let summary = "an SPL cast (language.md 3.5); casts from strings and to enums can fail";
  let description = [{
    ```mlir
    %1 = spl.cast %0 : !spl.rstring to si32
    ```
  }];
  let arguments = (ins Spl_Value:$operand, OptionalAttr<StrAttr>:$source);
  let results = (outs Spl_Value:$result);
  let assemblyFormat = "$operand attr-dict `:` type($operand) `to` type($result)";
  let hasFolder = 1;
  let extraClassDeclaration = [{
    /// Whether this cast can fail at all: numbers among each other cannot, unless to an enum.
    bool canFail();
  }];
}

def Spl_MakeTupleOp : Spl_Op<"make_tuple", [Pure]> {
  let summary = "a tuple from its attribute values, in order; an optional from its two parts";
  let description = [{
    ```mlir
    %2 = spl.make_tuple %0, %1 : !spl.tuple<"a": si32, "b": !spl.rstring>
    %4 = spl.make_tuple %3, %0 : !spl.optional<si32>
    ```
  }];
  let arguments = (ins Variadic<Spl_Value>:$values);
  let results = (outs Spl_Record:$result);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
  let hasFolder = 1;
}

def Spl_FieldOp : Spl_Op<"field", [Pure]> {
  let summary = "an attribute of a tuple, a part of an optional";
  let description = [{
    ```mlir
    %1 = spl.field %0[1] : !spl.tuple<"a": si32, "b": !spl.rstring> -> !spl.rstring
    %3 = spl.field %2[0] : !spl.optional<si32> -> i1
    ```
  }];
  let arguments = (ins Spl_Record:$tuple, I32Attr:$index);
  let results = (outs Spl_Value:$result);
  let assemblyFormat = "$tuple `[` $index `]` attr-dict `:` type($tuple) `->` type($result)";
  let hasFolder = 1;
  let hasVerifier = 1;
  let builders = [OpBuilder<(ins "::mlir::Value":$tuple, "unsigned":$index)>];
}

def Spl_MakeListOp : Spl_Op<"make_list", [Pure]> {
  let summary = "a list of the given elements";
  let description = [{
    ```mlir
    %2 = spl.make_list %0, %1 : !spl.list<si32>
    ```
  }];
  let arguments = (ins Variadic<Spl_Value>:$elements);
  let results = (outs Spl_ListType:$result);
  let hasCustomAssemblyFormat = 1;
}

def Spl_DefaultListOp : Spl_Op<"default_list", [Pure]> {
  let summary = "a list of `count` default values";
  let description = [{
    ```mlir
    %0 = spl.default_list 8 : !spl.list<si32>
    ```
  }];
  let arguments = (ins I32Attr:$count);
  let results = (outs Spl_ListType:$result);
  let assemblyFormat = "$count attr-dict `:` type($result)";
}

def Spl_MakeSetOp : Spl_Op<"make_set", [Pure]> {
  let summary = "a set of the given elements; equal ones collapse";
  let description = [{
    ```mlir
    %2 = spl.make_set %0, %1 : !spl.set<si32>
    ```
  }];
  let arguments = (ins Variadic<Spl_Value>:$elements);
  let results = (outs Spl_SetType:$result);
  let hasCustomAssemblyFormat = 1;
}

def Spl_MakeMapOp : Spl_Op<"make_map", [Pure]> {
  let summary = "a map of key, value, key, value ...; the last of equal keys wins";
  let description = [{
    ```mlir
    %2 = spl.make_map %k, %v : !spl.map<!spl.rstring, si32>
    ```
  }];
  let arguments = (ins Variadic<Spl_Value>:$entries);
  let results = (outs Spl_MapType:$result);
  let hasCustomAssemblyFormat = 1;
}

def Spl_IndexOp : Spl_Op<"index", [Spl_CanFail]> {
  let summary = "list[i], map[k], string[i]; fails out of range or without the key";
  let description = [{
    ```mlir
    %2 = spl.index %0[%1] : !spl.list<si32>, ui32 -> si32
    ```
  }];
  let arguments = (ins Spl_Value:$base, Spl_Value:$index, OptionalAttr<StrAttr>:$source);
  let results = (outs Spl_Value:$result);
  let assemblyFormat = "$base `[` $index `]` attr-dict `:` type($base) `,` type($index) `->` "
      "type($result)";
  let hasVerifier = 1;
}

def Spl_SliceOp : Spl_Op<"slice", [Spl_CanFail, AttrSizedOperandSegments, AllTypesMatch<["base",
    "result"]>]> {
  let summary = "base[lo:hi] of a string or list, hi exclusive and clipped";
  let description = [{
    ```mlir
    %3 = spl.slice %0 from %1 : si32 to %2 : si32 in !spl.rstring
    ```
  }];
  let arguments = (ins Spl_Value:$base, Optional<Spl_Scalar>:$lo, Optional<Spl_Scalar>:$hi,
      OptionalAttr<StrAttr>:$source);
  let results = (outs Spl_Value:$result);
  let assemblyFormat = "$base (`from` $lo^ `:` type($lo))? (`to` $hi^ `:` type($hi))? attr-dict "
      "`in` type($base)";
}

def Spl_ContainsOp : Spl_Op<"contains", [Pure]> {
  let summary = "`x in c`";
  let description = [{
    ```mlir
    %2 = spl.contains %x in %c : si32, !spl.set<si32>
    ```
  }];
  let arguments = (ins Spl_Value:$element, Spl_Collection:$collection);
  let results = (outs I1:$result);
  let assemblyFormat = "$element `in` $collection attr-dict `:` type($element) `,` "
      "type($collection)";
}

def Spl_SizeOp : Spl_Op<"size", [Pure]> {
  let summary = "the number of elements, for loops";
  let description = [{
    ```mlir
    %1 = spl.size %0 : !spl.list<si32>
    ```
  }];
  let arguments = (ins Spl_Collection:$collection);
  let results = (outs Spl_UI32:$result);
  let assemblyFormat = "$collection attr-dict `:` type($collection)";
}

def Spl_NthOp : Spl_Op<"nth", [Pure]> {
  let summary = "the element (of a map: the key) at a position below the size, for loops";
  let description = [{
    ```mlir
    %2 = spl.nth %0[%1] : !spl.list<si32> -> si32
    ```
  }];
  let arguments = (ins Spl_Collection:$collection, Spl_UI32:$position);
  let results = (outs Spl_Value:$result);
  let assemblyFormat = "$collection `[` $position `]` attr-dict `:` type($collection) `->` "
      "type($result)";
  let hasVerifier = 1;
}

def Spl_MapValueOp : Spl_Op<"map_value", [Pure]> {
  let summary = "the value of a map's entry at a position below the size, for lifted operators";
  let description = [{
    ```mlir
    %2 = spl.map_value %0[%1] : !spl.map<si32, f64> -> f64
    ```
  }];
  let arguments = (ins Spl_MapType:$map, Spl_UI32:$position);
  let results = (outs Spl_Value:$result);
  let assemblyFormat = "$map `[` $position `]` attr-dict `:` type($map) `->` type($result)";
  let hasVerifier = 1;
}

def Spl_MapEraseNthOp : Spl_Op<"map_erase_nth", [MemoryEffects<[MemWrite, MemRead]>]> {
  let summary = "removes the entry of a map at a position below the size";
  let description = [{
    As spl.map_erase, without looking for the key.
    ```mlir
    spl.map_erase_nth %0[%1] : !spl.ref<!spl.map<!spl.rstring, si32>>
    ```
  }];
  let arguments = (ins Spl_RefType:$place, Spl_UI64:$position);
  let assemblyFormat = "$place `[` $position `]` attr-dict `:` type($place)";
  let hasVerifier = 1;
}

def Spl_MapFetchNthOp : Spl_Op<"map_fetch_nth", [MemoryEffects<[MemWrite, MemRead]>]> {
  let summary = "fetches into the cache what spl.map_erase_nth will touch";
  let description = [{
    Changes nothing. Any position will do.
    ```mlir
    spl.map_fetch_nth %0[%1] : !spl.ref<!spl.map<!spl.rstring, si32>>
    ```
  }];
  let arguments = (ins Spl_RefType:$place, Spl_UI64:$position);
  let assemblyFormat = "$place `[` $position `]` attr-dict `:` type($place)";
  let hasVerifier = 1;
}

def Spl_CopyOp : Spl_Op<"copy", [SameOperandsAndResultType]> {
  let summary = "an independent copy in the scratch arena: survives writes to places";
  let description = [{
    ```mlir
    %1 = spl.copy %0 : !spl.rstring
    ```
  }];
  let arguments = (ins Spl_Value:$operand);
  let results = (outs Spl_Value:$result);
  let assemblyFormat = "$operand attr-dict `:` type($result)";
}

#endif
