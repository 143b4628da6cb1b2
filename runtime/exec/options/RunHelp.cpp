//===- RunHelp.cpp - what a program says about itself ---------------------===//
#include "runtime/exec/options/RunHelp.h"
#include "runtime/base/os.h"
#include "runtime/exec/options/DefaultList.h"
#include "runtime/exec/options/RunOptions.h"
#include "value/Text.h"
#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>

namespace sluice {

/// The default of a list as the command line takes it: `a,b`. None if commas cannot say it: an
/// empty list, or an element with a comma.
static std::optional<std::string> typedList(std::string_view literal) {
  Arena arena = {};
  Seq list = defaultList(&arena, literal);
  std::optional<std::string> typed;
  for (uint32_t i = 0; i < list.len; ++i) {
    std::string_view element = viewOf(static_cast<const Str *>(list.data)[i]);
    if (element.find(',') != element.npos) {
      typed.reset();
      break;
    }
    typed = (typed ? *typed + "," : "") + std::string(element);
  }
  arenaFree(&arena);
  return typed;
}

/// The default of a value, as somebody would give it.
static std::string typedDefault(const SubmissionDesc &s) {
  std::optional<std::string> text = s.isList ? typedList(s.defaultValue) : s.defaultValue;
  if (!text)
    return std::string(*s.defaultValue ? s.defaultValue : "[]") + ", which commas cannot say";
  return text->empty() ? "\"\"" : *text;
}

void printValues(const ProgramDesc &desc, FILE *to) {
  if (!desc.submissionCount)
    return;
  fputs("\nSubmission-time values:\n", to);
  for (bool required : {true, false})
    for (uint32_t i = 0; i < desc.submissionCount; ++i) {
      const SubmissionDesc &s = desc.submissions[i];
      if (required != !s.defaultValue)
        continue;
      const char *list = s.isList ? "VALUE,..." : "VALUE";
      if (required)
        fprintf(to, "  %s=%s  (required)\n", s.name, list);
      else
        fprintf(to, "  %s=%s  (default: %s)\n", s.name, list, typedDefault(s).c_str());
    }
}

void listValues(const ProgramDesc &desc) {
  size_t width = 0;
  for (uint32_t i = 0; i < desc.submissionCount; ++i)
    width = std::max(width, strlen(desc.submissions[i].name));
  for (uint32_t i = 0; i < desc.submissionCount; ++i) {
    const SubmissionDesc &s = desc.submissions[i];
    printf("%-*s  %-13s  %s%s\n", int(width), s.name, s.isList ? "list<rstring>" : "rstring",
           s.defaultValue ? "default: " : "required",
           s.defaultValue ? typedDefault(s).c_str() : "");
  }
  if (!desc.submissionCount)
    fprintf(stderr, "%s has no submission-time values\n", desc.mainName);
}

/// Prints a name and what it means, in two columns. Lines have at most 100 characters.
static void printEntry(const std::string &name, std::string_view help) {
  static constexpr size_t kIndent = 23, kColumns = 100;
  std::string line = "  " + name + "  ";
  line.resize(std::max(line.size(), kIndent), ' ');
  while (line.size() + help.size() > kColumns) {
    size_t end = help.rfind(' ', kColumns - line.size());
    printf("%s%.*s\n", line.c_str(), int(end), help.data());
    help.remove_prefix(end + 1);
    line.assign(kIndent, ' ');
  }
  printf("%s%.*s\n", line.c_str(), int(help.size()), help.data());
}

void printHelp(const ProgramDesc &desc, const char *program) {
  printf("Runs the SPL program %s.\n\nUsage: %s [OPTION]... [NAME=VALUE]...\n\nOptions:\n",
         desc.mainName, program);
  for (const RunOption &o : runOptionTable())
    printEntry(o.argument && !o.mayLackValue() ? std::string(o.name) + " " + o.argument : o.head(),
               o.help);
  printEntry("--help", "show this");
  printf(
      "SLUICE_ELASTIC, SLUICE_THREADS and SLUICE_QUEUES in the environment stand for the options "
      "of these\nnames; the command line wins.\n");
  printValues(desc, stdout);
}

int finishHelp(const ProgramDesc &desc) {
  if (fflush(stdout) == 0 && !ferror(stdout))
    return 0;
  fprintf(stderr, "%s: error: cannot write standard output: %s\n", desc.mainName,
          os::errorText(errno).c_str());
  return 1;
}

} // namespace sluice
