//===- KeyedParts.h - keyed state of the channels of a region ------*- C++ -*-===//
#pragma once
#include "sluice/abi.h"
#include <string>
#include <vector>

namespace sluice {
struct Program;
}

namespace sluice::checkpoint {

/// The key of the operator's state, if all streams to its port enter the region and are partitioned
/// by it; or null.
const KeyedDesc *keyOf(const Program &, uint32_t region, uint32_t op);
/// Whether the variable has an entry for each key. `keyed` may be null.
bool isKeyed(const KeyedDesc *keyed, const StateDesc &variable);
/// Deals the entries of such a variable out to channels, by the hash by which rows of the region
/// are (batch/Partition.cpp). `parts`: the values of those that were. To each of `to` it appends
/// what that channel gets, as an entry of a Saver. What is wrong with the variable; empty: nothing.
std::string dealOut(const StateDesc &, const std::string &name, const TypeDesc *key,
                    const std::vector<std::string> &parts, std::vector<std::string> &to);

} // namespace sluice::checkpoint
