//===- Listing.cpp - a module as text for people --------------------------===//
#include "tools/driver/ir/Listing.h"
#include "ir/Stream.h"
#include "mlir/IR/AsmState.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "tools/driver/Suggestion.h"
#include "tools/driver/ir/Aliases.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Path.h"
#include <set>

using namespace mlir;
using namespace sluice;
using namespace sluice::driver;
using llvm::StringRef;

//===--- what belongs to an operator ----------------------------------------===//

/// Whether `wanted` is the instance path, its end, or that of a composite around it.
static bool matches(StringRef path, StringRef wanted) {
  return ("." + path + ".").str().find("." + wanted.str() + ".") != std::string::npos;
}

namespace {
/// Finds operations by what the program calls them.
class Finder {
public:
  explicit Finder(StringRef wanted) : wanted(wanted) {}

  SmallVector<Operation *> find(ModuleOp module) {
    if (auto table = module->getAttrOfType<stream::TableAttr>(stream::TableAttr::kModuleAttr))
      findFunctions(module, table);
    module.walk<WalkOrder::PreOrder>([&](Operation *op) {
      StringRef path;
      if (auto item = dyn_cast<stream::OperatorOp>(op))
        path = item.getName();
      else if (auto composite = dyn_cast<stream::CompositeOp>(op))
        path = composite.getPath();
      else
        return WalkResult::advance();
      if (!add(path, op))
        return WalkResult::advance();
      return WalkResult::skip(); // with all that is inside
    });
    return found;
  }
  /// For a message: what is like `wanted`, or else what there is.
  std::string hint() const {
    if (std::string nearest = suggestion(wanted, all); !nearest.empty())
      return nearest;
    constexpr size_t kShown = 10;
    std::set<std::string> names(all.begin(), all.end());
    names.erase("");
    std::vector<std::string> shown(names.begin(),
                                   std::next(names.begin(), std::min(kShown, names.size())));
    return "; there are " + llvm::join(shown, ", ") + (names.size() > kShown ? ", ..." : "");
  }

private:
  void know(StringRef path) {
    all.push_back(path.str());
    all.push_back(path.rsplit('.').second.str());
  }
  bool add(StringRef path, Operation *op) {
    know(path);
    if (matches(path, wanted))
      found.push_back(op);
    return matches(path, wanted);
  }
  /// Those of the operator with index i are called `op<i>.*`.
  void findFunctions(ModuleOp module, stream::TableAttr table) {
    std::set<std::string> prefixes;
    for (auto [index, op] : llvm::enumerate(table.getOperators())) {
      know(op.getName());
      if (matches(op.getName(), wanted))
        prefixes.insert("op" + std::to_string(index));
    }
    for (auto function : module.getOps<FunctionOpInterface>())
      if (prefixes.contains(function.getName().split('.').first.str()))
        found.push_back(function);
  }

  StringRef wanted;
  SmallVector<Operation *> found;
  std::vector<std::string> all;
};
} // namespace

//===--- stable names -------------------------------------------------------===//

/// Names for values that a listing uses: functions and handlers count anew.
static void nameValues(ModuleOp module) {
  llvm::StringMap<unsigned> counts;
  auto name = [&](StringRef kind, Location loc) {
    unsigned count = counts[kind]++;
    std::string text = count ? (kind + "." + Twine(count + 1)).str() : kind.str();
    return NameLoc::get(StringAttr::get(module.getContext(), text), loc);
  };
  module.walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (isa_and_nonnull<stream::OperatorOp>(op->getParentOp()) || op->getParentOp() == module)
      counts.clear();
    if (auto item = dyn_cast<stream::OperatorOp>(op))
      op->setLoc(NameLoc::get(StringAttr::get(module.getContext(), item.getName()), op->getLoc()));
    else if (op->getNumResults())
      op->setLoc(name(op->getName().stripDialect(), op->getLoc()));
    for (Region &region : op->getRegions())
      for (Block &block : region)
        for (BlockArgument argument : block.getArguments())
          argument.setLoc(name("arg", argument.getLoc()));
  });
}

//===--- the text -----------------------------------------------------------===//

namespace {
class Lister {
public:
  Lister(ModuleOp module, const Diagnostics &sources, const ListingOptions &options)
      : sources(sources), options(options),
        state(module, OpPrintingFlags().printNameLocAsPrefix(options.stableNames), &places) {}

  void list(Operation *op) {
    std::string text;
    llvm::raw_string_ostream out(text);
    places.clear();
    op->print(out, state);
    if (!options.source)
      result += text + "\n";
    else
      addSource(op, text);
  }
  /// The definitions of the names of types that are used, where `module` was not listed whole.
  std::string definitions(ModuleOp module) {
    std::string text;
    llvm::raw_string_ostream out(text);
    module->print(out, state);
    return definitionsFor(result, text);
  }
  std::string result;

private:
  /// The program's line before the first operation that was made of it.
  void addSource(Operation *op, StringRef text) {
    SmallVector<StringRef> lines;
    text.split(lines, '\n');
    std::vector<std::string> before(lines.size());
    op->walk<WalkOrder::PreOrder>([&](Operation *inner) {
      auto place = places.find(inner);
      if (place == places.end() || place->second.first > lines.size())
        return;
      std::string &comment = before[place->second.first - 1];
      if (comment.empty())
        comment = sourceLine(inner->getLoc());
    });
    std::string last;
    for (auto [line, comment] : llvm::zip_equal(lines, before)) {
      if (!comment.empty() && comment != last)
        result += std::string(line.size() - line.ltrim(' ').size(), ' ') + (last = comment) + "\n";
      result += line.str() + "\n";
    }
  }

  /// `// Hello.spl:5: text`, or nothing.
  std::string sourceLine(Location loc) const {
    auto range = loc->findInstanceOf<FileLineColRange>();
    if (!range)
      return "";
    StringRef path = range.getFilename();
    return "// " + llvm::sys::path::filename(path).str() + ":" +
           std::to_string(range.getStartLine()) + ": " +
           lineOf(path, range.getStartLine()).trim().str();
  }

  StringRef lineOf(StringRef path, unsigned number) const {
    for (uint32_t file = 1; file <= sources.files(); ++file)
      if (sources.path(file) == path)
        return sources.line(file, number);
    return "";
  }

  const Diagnostics &sources;
  const ListingOptions &options;
  AsmState::LocationMap places; // by operation, its line, from 1
  AsmState state;
};
} // namespace

llvm::Expected<SmallVector<Operation *>> driver::findOperations(ModuleOp module,
                                                                llvm::ArrayRef<std::string> only) {
  llvm::SmallPtrSet<Operation *, 16> wanted;
  for (StringRef name : only) {
    Finder finder(name);
    SmallVector<Operation *> found = finder.find(module);
    if (found.empty())
      return llvm::createStringError("--only: there is no operator `" + name + "`" + finder.hint());
    wanted.insert(found.begin(), found.end());
  }
  // One that is inside another belongs to that.
  SmallVector<Operation *> found;
  module->walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (!wanted.contains(op))
      return WalkResult::advance();
    found.push_back(op);
    return WalkResult::skip();
  });
  return found;
}

llvm::Expected<std::string> driver::listModule(ModuleOp module, const Diagnostics &sources,
                                               const ListingOptions &options) {
  SmallVector<Operation *> found{module};
  if (!options.only.empty()) {
    auto some = findOperations(module, options.only);
    if (!some)
      return some.takeError();
    found = std::move(*some);
  }
  if (options.stableNames)
    nameValues(module);
  Lister lister(module, sources, options);
  for (Operation *op : found)
    lister.list(op);
  return (options.only.empty() ? "" : lister.definitions(module)) + lister.result;
}
