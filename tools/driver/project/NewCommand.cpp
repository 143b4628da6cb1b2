//===- NewCommand.cpp - sluice new ----------------------------------------===//
#include "frontend/Frontend.h"
#include "frontend/diagnostics/Diagnostics.h"
#include "tools/driver/Compile.h"
#include "tools/driver/Output.h"
#include "tools/driver/project/Template.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace sluice;
using namespace sluice::driver;
using llvm::StringRef;

static bool isWord(StringRef name) {
  return !name.empty() && !llvm::isDigit(name[0]) &&
         llvm::all_of(name, [](char c) { return llvm::isAlnum(c) || c == '_'; });
}

/// Whether a composite may have the name: an identifier that is no keyword.
static bool isIdentifier(StringRef name) {
  mlir::MLIRContext context;
  context.getDiagEngine().registerHandler([](mlir::Diagnostic &) { return mlir::success(); });
  Diagnostics diagnostics(&context);
  ASTContext ast;
  uint32_t file = diagnostics.add(
      llvm::MemoryBuffer::getMemBufferCopy(("type " + name + " = int32;").str(), name));
  return isWord(name) && parse(ast, diagnostics, file) && !diagnostics.errors();
}

/// Whether the program of the template uses an operator of this name. A composite of the same file
/// would hide it.
static bool isOperatorOfTemplate(StringRef name) {
  return llvm::any_of(templateFiles(), [&](const TemplateFile &file) {
    return StringRef(file.text).contains(("= " + name + "(").str());
  });
}

/// `MyApp` of `my-app`.
static std::string asIdentifier(StringRef name) {
  std::string result;
  bool up = true;
  for (char c : name) {
    bool fits = llvm::isAlnum(c) && !(result.empty() && llvm::isDigit(c));
    if (fits)
      result += up ? llvm::toUpper(c) : c;
    up = !fits;
  }
  return isIdentifier(result) && !isOperatorOfTemplate(result) ? result : "MyProgram";
}

static llvm::Error write(StringRef path, StringRef text) {
  namespace fs = llvm::sys::fs;
  if (std::error_code error = fs::create_directories(llvm::sys::path::parent_path(path),
                                                     /*IgnoreExisting=*/true, fs::perms::all_all))
    return cannotWrite(path, error);
  if (llvm::Error error = writeFile(path, text))
    return error;
  if (text.starts_with("#!"))
    if (std::error_code error = fs::setPermissions(path, fs::perms(0755)))
      return cannotWrite(path, error);
  return llvm::Error::success();
}

int driver::newCommand(const DriverOptions &options) {
  const std::string &name = options.input;
  if (!isIdentifier(name))
    return fail(llvm::createStringError(
        "`" + name +
        "` cannot be the name of a program, which is a word of letters, digits and `_` "
        "that SPL has no other use for: try `sluice new " +
        asIdentifier(name) + "`"));
  if (isOperatorOfTemplate(name))
    return fail(llvm::createStringError(
        "the program that is made uses the operator `" + name +
        "` of the standard toolkit, which a composite of the same name would hide: try `sluice "
        "new My" +
        name + "`"));
  if (llvm::sys::fs::exists(name))
    return fail(llvm::createStringError("`" + name + "` exists already"));
  auto named = [&](std::string text) {
    for (size_t at; (at = text.find("%NAME%")) != std::string::npos;)
      text.replace(at, 6, name);
    return text;
  };
  for (const TemplateFile &file : templateFiles())
    if (llvm::Error error = write(name + "/" + named(file.path), named(file.text))) {
      llvm::sys::fs::remove_directories(name); // half a project is none
      return fail(std::move(error));
    }
  llvm::outs() << "The project " << name << " is made. Try:\n  cd " << name << "\n  sluice run "
               << name << ".spl\n  ./test.sh\n";
  return 0;
}
