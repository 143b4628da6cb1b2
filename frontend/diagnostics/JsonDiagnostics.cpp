//===- JsonDiagnostics.cpp - diagnostics for programs ---------------------===//
#include "frontend/diagnostics/JsonDiagnostics.h"
#include "llvm/Support/JSON.h"

using namespace sluice;
namespace json = llvm::json;

static const char *severityName(mlir::DiagnosticSeverity severity) {
  switch (severity) {
  case mlir::DiagnosticSeverity::Error:
    return "error";
  case mlir::DiagnosticSeverity::Warning:
    return "warning";
  case mlir::DiagnosticSeverity::Note:
    return "note";
  case mlir::DiagnosticSeverity::Remark:
    return "remark";
  }
  llvm_unreachable("unknown severity");
}

/// The message and its place. A text that is no UTF-8 is mended.
static json::Object describe(const mlir::Diagnostic &diagnostic) {
  json::Object object;
  object["message"] = json::fixUTF8(diagnostic.str());
  auto place = diagnostic.getLocation()->findInstanceOf<mlir::FileLineColRange>();
  if (!place || !place.getStartLine())
    return object;
  object["file"] = json::fixUTF8(place.getFilename().getValue());
  object["line"] = place.getStartLine();
  object["column"] = place.getStartColumn();
  object["endLine"] = place.getEndLine();
  object["endColumn"] = place.getEndColumn();
  return object;
}

JsonDiagnostics::JsonDiagnostics(Diagnostics &diagnostics, llvm::raw_ostream &os)
    : diagnostics(diagnostics) {
  handler =
      diagnostics.context()->getDiagEngine().registerHandler([&os](mlir::Diagnostic &diagnostic) {
        json::Object object = describe(diagnostic);
        object["severity"] = severityName(diagnostic.getSeverity());
        if (unsigned code = codeOf(diagnostic))
          object["code"] = codeText(code);
        json::Array notes;
        for (const mlir::Diagnostic &note : diagnostic.getNotes())
          notes.push_back(describe(note));
        if (!notes.empty())
          object["notes"] = std::move(notes);
        os << json::Value(std::move(object)) << "\n";
        os.flush();
        return mlir::success();
      });
}

JsonDiagnostics::~JsonDiagnostics() {
  diagnostics.context()->getDiagEngine().eraseHandler(handler);
}
