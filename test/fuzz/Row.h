//===- Row.h - a tuple with an attribute of many types ----------*- C++ -*-===//
#pragma once
#include "../unit/value/Types.h"

namespace sluice::test {

inline const char *const colours[] = {"red", "green"};
inline const TypeDesc colour = enumOf(colours, 2), ints = listOf(&int32), words = setOf(&rstring),
                      table = mapOf(&rstring, &ints);
inline const TupleType inner({{"a", &int16}, {"b", &rstring}});
/// Of all types that rows of text can hold.
inline const TupleType textRow({{"i", &int8},
                                {"u", &uint64},
                                {"f", &float64},
                                {"g", &float32},
                                {"b", &boolean},
                                {"s", &rstring},
                                {"t", &timestamp},
                                {"e", &colour},
                                {"l", &ints},
                                {"w", &words},
                                {"m", &table},
                                {"c", inner}});

} // namespace sluice::test
