//===- Types.td - types of both dialects --------------------------------===//

#ifndef SLUICE_TYPES
#define SLUICE_TYPES
include "ir/Dialects.td"
include "mlir/IR/AttrTypeBase.td"

class Spl_Type<string name, string mn, string summ> : TypeDef<Spl_Dialect, name> {
  let mnemonic = mn;
  let summary = summ;
}

def Spl_RStringType : Spl_Type<"RString", "rstring", "a string of bytes, of at most `bound` ones "
    "unless that is 0: `!spl.rstring<8>`"> {
  let parameters = (ins DefaultValuedParameter<"uint32_t", "0">:$bound);
  let assemblyFormat = "(`<` $bound^ `>`)?";
  let builders = [TypeBuilder<(ins), [{ return $_get($_ctxt, 0); }]>];
}
def Spl_UStringType : Spl_Type<"UString", "ustring", "a string of code points">;
def Spl_BlobType : Spl_Type<"Blob", "blob", "bytes">;
def Spl_XmlType : Spl_Type<"Xml", "xml", "a well-formed XML document">;
def Spl_TimestampType : Spl_Type<"Timestamp", "timestamp", "seconds, nanoseconds, machine id">;
def Spl_EnumType : Spl_Type<"Enum", "enum", "an enumeration: `!spl.enum<\"a\", \"b\">`"> {
  let parameters = (ins ArrayRefParameter<"::mlir::StringAttr">:$members);
  let assemblyFormat = "`<` $members `>`";
}

/// A collection with at most `bound` elements, unless that is 0: `!spl.list<si32, 4>`.
class Spl_CollectionType<string name, string mn> : Spl_Type<name, mn, mn> {
  let parameters = (ins "::mlir::Type":$element, DefaultValuedParameter<"uint32_t", "0">:$bound);
  let assemblyFormat = "`<` $element (`,` $bound^)? `>`";
  let builders = [TypeBuilder<(ins "::mlir::Type":$element),
                              [{ return $_get($_ctxt, element, 0); }]>];
}
def Spl_ListType : Spl_CollectionType<"List", "list">;
def Spl_SetType : Spl_CollectionType<"Set", "set">;
def Spl_MapType : Spl_Type<"Map", "map", "map, bounded as a list may be"> {
  let parameters = (ins "::mlir::Type":$key, "::mlir::Type":$value,
      DefaultValuedParameter<"uint32_t", "0">:$bound);
  let assemblyFormat = "`<` $key `,` $value (`,` $bound^)? `>`";
  let builders = [TypeBuilder<(ins "::mlir::Type":$key, "::mlir::Type":$value),
                              [{ return $_get($_ctxt, key, value, 0); }]>];
}
def Spl_DecimalType : Spl_Type<"Decimal", "decimal", "a decimal number of 32, 64 or 128 bits: "
    "`!spl.decimal<64>`"> {
  let parameters = (ins "unsigned":$width);
  let assemblyFormat = "`<` $width `>`";
}
def Spl_OptionalType : Spl_Type<"Optional", "optional", "a value or none: a record of an i1, "
    "whether there is a value, and the value, which is the default value if there is none"> {
  let parameters = (ins "::mlir::Type":$element);
  let assemblyFormat = "`<` $element `>`";
}
def Spl_TupleType : Spl_Type<"Tuple", "tuple", "named attributes in order: `!spl.tuple<\"a\": "
    "si32, \"b\": !spl.rstring>`"> {
  let parameters = (ins ArrayRefParameter<"::mlir::StringAttr">:$names,
      ArrayRefParameter<"::mlir::Type">:$types);
  let hasCustomAssemblyFormat = 1;
  let extraClassDeclaration = [{
    /// The index of the attribute with a name, if there is one.
    std::optional<unsigned> indexOf(::mlir::StringAttr name);
  }];
}
def Spl_RefType : Spl_Type<"Ref", "ref", "a place that holds a T: mutable variable, state, or "
    "part of one"> {
  let parameters = (ins "::mlir::Type":$element);
  let assemblyFormat = "`<` $element `>`";
}
def Spl_ArenaCheckpointType : Spl_Type<"ArenaCheckpoint", "arena_checkpoint",
    "a position of the scratch arena">;

class Stream_Type<string name, string mn, string summ> : TypeDef<Stream_Dialect, name> {
  let mnemonic = mn;
  let summary = summ;
}
def Stream_StreamType : Stream_Type<"Stream", "stream", "a stream of tuples: "
    "`!stream.stream<!spl.tuple<...>>`"> {
  let parameters = (ins "::sluice::spl::TupleType":$tuple);
  let assemblyFormat = "`<` $tuple `>`";
}

def Spl_UI32 : UI<32>;
def Spl_UI64 : UI<64>;
def Spl_Scalar : AnyTypeOf<[AnySignedInteger, AnyUnsignedInteger, I1, F32, F64, Spl_EnumType],
    "SPL scalar">;
def Spl_Number : AnyTypeOf<[Spl_Scalar, Spl_DecimalType, Complex<AnyTypeOf<[F32, F64]>>],
    "SPL number">;
def Spl_String : AnyTypeOf<[Spl_RStringType, Spl_UStringType], "SPL string">;
def Spl_Text : AnyTypeOf<[Spl_String, Spl_BlobType, Spl_XmlType], "SPL value of bytes">;
def Spl_Value : AnyTypeOf<[Spl_Number, Spl_Text, Spl_TimestampType, Spl_ListType,
    Spl_SetType, Spl_MapType, Spl_OptionalType, Spl_TupleType], "SPL value">;
def Spl_Record : AnyTypeOf<[Spl_TupleType, Spl_OptionalType], "tuple or optional">;
def Spl_Collection : AnyTypeOf<[Spl_ListType, Spl_SetType, Spl_MapType], "list, set or map">;
def Spl_AnyRef : AnyTypeOf<[Spl_RefType], "place">;
def Spl_ValueOrRef : AnyTypeOf<[Spl_Value, Spl_RefType], "value or place">;
#endif
