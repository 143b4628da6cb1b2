//===- RunOptions.cpp - options of running programs -----------------------===//
#include "tools/driver/OptionTable.h"

using namespace sluice::driver;

llvm::ArrayRef<OptionInfo> sluice::driver::runOptions() {
  static const OptionInfo table[] = {
#define SLUICE_RUN_OPTION(name, argument, help) {name, argument, bit(Command::Run), help, nullptr},
#include "sluice/RunOptions.def"
  };
  return table;
}
