//===- Native.cpp - the models of functions and operators in C++ -----------===//
#include "frontend/modules/ModuleTable.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

using namespace sluice;
using namespace sluice::sema;
using llvm::StringRef;
namespace path = llvm::sys::path;

SourceFiles::SourceFile *SourceFiles::addModel(StringRef name, StringRef ns) {
  auto file = std::make_unique<SourceFile>();
  file->path = name.str();
  file->file = diags.open(name);
  if (!file->file)
    return nullptr;
  file->summary.ns = ns.str();
  file->toolkitFile = true;
  byNamespace[file->summary.ns].push_back(file.get());
  all.push_back(std::move(file));
  return all.back().get();
}

static void report(Diagnostics &diags, uint32_t file,
                   const std::optional<NativeModel::Problem> &problem) {
  if (problem)
    diags.report({file, problem->offset, problem->offset + 1}, Diag::err_native_model,
                 problem->what);
}

void SourceFiles::addNative(StringRef dir, StringRef ns, const Toolkit &toolkit) {
  for (const std::string &name : entriesOf(dir)) {
    if (path::extension(name) != ".xml")
      continue;
    SourceFile *file = addModel(name, ns);
    if (!file)
      continue;
    file->native = readNativeModel(diags.text(file->file), name, ns, toolkit.dir);
    report(diags, file->file, file->native->problem);
    file->parsed = file->isOpaque = file->native->problem && file->native->entries.empty();
    file->summary = scanFile(file->native->text);
    file->summary.ns = ns.str();
  }
}

const NativeFunction *ModuleTable::nativeFunction(const ast::Unit *unit,
                                                  const ast::Function *prototype) {
  uint32_t at = prototype->name.range.begin;
  for (auto &file : all)
    if (file->native && file->unit == unit)
      for (const NativeModel::Entry &entry : file->native->entries)
        if (at >= entry.begin && at < entry.end)
          return &entry.function;
  return nullptr;
}

/// Whether a file is the model of an operator: an application may have other XML.
static bool isOperatorModel(StringRef name) {
  auto text = llvm::MemoryBuffer::getFile(name);
  return text && (*text)->getBuffer().contains("operatorModel");
}

void SourceFiles::addCppOperators(StringRef dir, StringRef ns, const Toolkit &toolkit) {
  for (const std::string &directory : entriesOf(dir)) {
    StringRef name = path::filename(directory);
    llvm::SmallString<256> model(directory);
    path::append(model, name + ".xml");
    if (!isOperatorModel(model))
      continue;
    SourceFile *file = addModel(model, ns);
    if (!file)
      continue;
    uint32_t xml = file->file;
    file->cppOperator = readCppOperator(diags.text(xml), model, name, toolkit.dir);
    report(diags, xml, file->cppOperator->problem);
    file->file = diags.addMade(file->cppOperator->declaration, xml, file->cppOperator->lines);
    file->summary.operators.insert(name);
  }
}

const CppOperatorModel *ModuleTable::cppOperator(const ast::Unit *unit) const {
  for (auto &file : all)
    if (file->cppOperator && file->unit == unit)
      return &*file->cppOperator;
  return nullptr;
}
