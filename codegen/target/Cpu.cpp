//===- Cpu.cpp - the processors that code is made for ---------------------===//
#include "codegen/target/Cpu.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/TargetParser/Host.h"
#include "llvm/TargetParser/SubtargetFeature.h"

using namespace sluice;
using llvm::StringRef;

namespace {
struct Cpu {
  std::string name, features; // as LLVM calls them
};
} // namespace

/// Batches of large rows are short: what is left of a loop in vectors of 8, four at a time, is to
/// be done in vectors as well. LLVM leaves that to scalars below 16 unless it is told, and there is
/// no other way to tell it.
static void vectorizeRests() {
  StringRef name = "epilogue-vectorization-minimum-VF";
  auto &options = llvm::cl::getRegisteredOptions();
  if (auto it = options.find(name); it != options.end() && !it->second->getNumOccurrences())
    it->second->addOccurrence(0, name, "2");
}

static void initialise() {
  static bool once = [] {
    llvm::InitializeNativeTarget();
    llvm::InitializeNativeTargetAsmPrinter();
    LLVMInitializePowerPCTargetInfo();
    LLVMInitializePowerPCTarget();
    LLVMInitializePowerPCTargetMC();
    LLVMInitializePowerPCAsmPrinter();
    vectorizeRests();
    return true;
  }();
  (void)once;
}

static llvm::Triple hostTriple() { return llvm::Triple(llvm::sys::getDefaultTargetTriple()); }

static Cpu nativeCpu() {
  llvm::SubtargetFeatures features;
  for (auto &feature : llvm::sys::getHostCPUFeatures())
    features.AddFeature(feature.first(), feature.second);
  return {llvm::sys::getHostCPUName().str(), features.getString()};
}

/// What every machine has; of ppc64le, every system with this byte order.
static Cpu baselineCpu(const llvm::Triple &triple) {
  return {triple.isPPC64() ? "pwr8" : "x86-64", ""};
}

static std::unique_ptr<llvm::MCSubtargetInfo>
machineOf(const llvm::Target &target, const llvm::Triple &triple, const Cpu &cpu) {
  return std::unique_ptr<llvm::MCSubtargetInfo>(
      target.createMCSubtargetInfo(triple, cpu.name, cpu.features));
}

/// The processors that are known by their names.
static bool isKnown(const llvm::Target &target, const llvm::Triple &triple, StringRef cpu) {
  // A name of 32-bit processors is one, too, but has no code for this triple.
  return machineOf(target, triple, baselineCpu(triple))->isCPUStringValid(cpu) &&
         machineOf(target, triple, {cpu.str(), ""})
             ->checkFeatures(triple.isX86() ? "+64bit" : "+64bit-support");
}

/// The names of extensions in Cpus.def; their bits are their indices.
static llvm::ArrayRef<const char *> checkedExtensions(const llvm::Triple &triple) {
  static constexpr const char *x86[] = {
#define SLUICE_CPU_X86(name) name,
#include "sluice/Cpus.def"
  };
  static constexpr const char *power[] = {
#define SLUICE_CPU_POWER(name, supported) name,
#include "sluice/Cpus.def"
  };
  return triple.isX86() ? llvm::ArrayRef(x86) : llvm::ArrayRef(power);
}

/// Processors that together have all that a program can ask for when it starts.
static std::vector<Cpu> checkedCpus(const llvm::Triple &triple) {
  if (!triple.isX86()) // an extension of Cpus.def is a version of Power, with all that it brings
    return {baselineCpu(triple), {"pwr9", ""}, {"pwr10", ""}};
  llvm::SubtargetFeatures features;
  for (StringRef extension : checkedExtensions(triple))
    features.AddFeature(extension);
  return {{baselineCpu(triple).name, features.getString()}};
}

/// The processor without what a program does not ask for when it starts. What LLVM only prefers
/// stays (how fast an instruction is, say).
static Cpu checkable(const llvm::Target &target, const llvm::Triple &triple, Cpu cpu) {
  auto machine = machineOf(target, triple, cpu);
  llvm::FeatureBitset kept;
  for (const Cpu &each : checkedCpus(triple))
    kept |= machineOf(target, triple, each)->getFeatureBits();
  for (const llvm::SubtargetSubTypeKV &each : machine->getAllProcessorDescriptions())
    kept |= each.TuneImplies.getAsBitset();
  llvm::SubtargetFeatures features(cpu.features);
  for (const llvm::SubtargetFeatureKV &feature : machine->getEnabledProcessorFeatures())
    if (!kept.test(feature.Value))
      features.AddFeature(feature.Key, false);
  return {std::move(cpu.name), features.getString()};
}

static llvm::Expected<std::vector<Cpu>> parseCpus(const llvm::Target &target,
                                                  const llvm::Triple &triple, StringRef cpu) {
  const bool isHost = triple.getArch() == hostTriple().getArch();
  if (cpu.empty())
    cpu = isHost ? "native" : "baseline";
  if (cpu == "native") {
    if (!isHost)
      return llvm::createStringError("`--cpu=native` means the processor of this machine, and `" +
                                     triple.str() + "` is another kind of machine");
    return std::vector{nativeCpu()};
  }
  if (cpu == "levels" && triple.isX86())
    return std::vector<Cpu>{
#define SLUICE_CPU_LEVEL(name) {name, ""},
#include "sluice/Cpus.def"
    };
  if (cpu == "baseline" || cpu == "levels")
    return std::vector{baselineCpu(triple)};
  if (!isKnown(target, triple, cpu))
    return llvm::createStringError(
        "`--cpu=" + cpu + "`: no such processor of " + triple.str() + ". It may be native, " +
        "baseline, " +
        (triple.isX86() ? "levels, x86-64-v2, x86-64-v3, x86-64-v4, znver4" : "pwr9") +
        " or another name that LLVM knows");
  return std::vector<Cpu>{{cpu.str(), ""}};
}

llvm::Expected<Targets> sluice::createTargets(StringRef name, StringRef cpu) {
  initialise();
  llvm::Triple triple(name.empty() ? hostTriple() : llvm::Triple(llvm::Triple::normalize(name)));
  std::string error;
  const llvm::Target *target = llvm::TargetRegistry::lookupTarget(triple, error);
  if (!target)
    return llvm::createStringError("no such target: `" + name +
                                   "` (known: x86_64-linux-gnu, powerpc64le-linux-gnu)");
  auto cpus = parseCpus(*target, triple, cpu);
  if (!cpus)
    return cpus.takeError();
  llvm::TargetOptions options;
  options.AllowFPOpFusion = llvm::FPOpFusion::Strict; // checksums do not depend on the target
  if (triple.isX86()) // a short loop across two lines of code can take half as long again
    options.LoopAlignment = 64;
  Targets targets;
  for (const Cpu &each : *cpus) {
    Cpu checked = checkable(*target, triple, each);
    targets.emplace_back(target->createTargetMachine(triple, checked.name, checked.features,
                                                     options, llvm::Reloc::PIC_, std::nullopt,
                                                     llvm::CodeGenOptLevel::Default));
  }
  return targets;
}

llvm::Expected<std::unique_ptr<llvm::TargetMachine>> sluice::createTarget(StringRef triple,
                                                                          StringRef cpu) {
  auto targets = createTargets(triple, cpu);
  if (!targets)
    return targets.takeError();
  if (targets->size() != 1)
    return llvm::createStringError("`--cpu=" + cpu + "` means several processors: name one");
  return std::move(targets->front());
}

uint64_t sluice::extensionsOf(const llvm::TargetMachine &target) {
  const llvm::MCSubtargetInfo &machine = *target.getMCSubtargetInfo();
  uint64_t result = 0;
  for (auto [bit, name] : llvm::enumerate(checkedExtensions(target.getTargetTriple())))
    if (machine.checkFeatures("+" + std::string(name)))
      result |= uint64_t(1) << bit;
  return result;
}
