//===- Output.cpp - where commands write ----------------------------------===//
#include "tools/driver/Output.h"
#include "tools/driver/Progress.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include <system_error>

using namespace sluice;
using llvm::StringRef;

llvm::Error driver::cannotWrite(const llvm::Twine &path, std::error_code error) {
  return llvm::createStringError("cannot write " + path + ": " + error.message());
}

int driver::fail(llvm::Error error) {
  endProgress();
  llvm::errs() << "sluice: " << llvm::toString(std::move(error)) << "\n";
  return 1;
}

int driver::refuse(llvm::Error error) {
  fail(std::move(error));
  return kUsage;
}

llvm::Error driver::writeFile(StringRef path, StringRef content) {
  std::error_code error;
  bool isNew = !llvm::sys::fs::exists(path);
  llvm::raw_fd_ostream os(path, error);
  if (!error) {
    os << content;
    os.close();
    error = os.error();
    os.clear_error(); // else the destructor ends the program
    if (error && isNew)
      llvm::sys::fs::remove(path);
  }
  return error ? cannotWrite(path, error) : llvm::Error::success();
}

int driver::writeOutput(StringRef path,
                        llvm::function_ref<llvm::Error(llvm::raw_pwrite_stream &)> print) {
  llvm::SmallString<0> text;
  llvm::raw_svector_ostream buffer(text);
  if (llvm::Error error = print(buffer))
    return fail(std::move(error));
  endProgress();
  if (path.empty() || path == "-") {
    llvm::outs() << text; // finishOutput() reports what goes wrong
    return 0;
  }
  llvm::Error error = writeFile(path, text);
  return error ? fail(std::move(error)) : 0;
}

int driver::finishOutput(int code) {
  llvm::raw_fd_ostream &os = llvm::outs();
  os.flush();
  std::error_code error = os.error();
  os.clear_error();
  llvm::errs().clear_error(); // where messages cannot be written nothing can be said about that
  // Who has closed a pipe wants no more.
  if (!error || error == std::errc::broken_pipe)
    return code;
  llvm::errs() << "sluice: " << llvm::toString(cannotWrite("standard output", error)) << "\n";
  return code ? code : 1;
}
