//===- Structure.cpp - what makes two builds one program ------------------===//
#include "runtime/exec/table/Structure.h"
#include "runtime/base/hash/Digest.h"
#include <string_view>

namespace sluice {

uint64_t structureHash(const ProgramDesc &desc) {
  Digest digest;
  digest.add(std::string_view(desc.mainName));
  for (uint32_t i = 0; i < desc.operatorCount; ++i) {
    const OperatorDesc &op = desc.operators[i];
    for (const char *text : {op.name, op.kind})
      digest.add(std::string_view(text));
    for (uint64_t number : {uint64_t(op.pe), uint64_t(uint32_t(op.link)), uint64_t(op.inputs),
                            uint64_t(op.outputs), op.stateBytes})
      digest.add(number);
    for (uint32_t state = 0; state < op.stateCount; ++state)
      digest.add(std::string_view(op.states[state].name ? op.states[state].name : ""));
  }
  for (uint32_t out = 0; out < desc.outPortCount; ++out)
    for (uint32_t i = 0; i < desc.outPorts[out].consumerCount; ++i)
      digest.add(uint64_t(desc.outPorts[out].consumers[i]));
  return digest.value();
}

} // namespace sluice
