//===- MessageFunctions.cpp - loadAndFormatResource -----------------------===//
#include "stdlib/native/Library.h"
#include "stdlib/native/messages/Locale.h"
#include "stdlib/native/messages/MessageSet.h"
#include "stdlib/native/messages/Pattern.h"
#include "value/Text.h"
#include <filesystem>
#include <memory>
#include <mutex>
#include <set>
#include <span>
#include <unistd.h>

using namespace sluice;
using messages::Argument;
using messages::MessageSet;

//===--- message sets ---------------------------------------------------------===//

namespace {
/// All message sets of the process, and of what was warned.
class Sets {
public:
  /// The text of a message; nothing: there is none, and a warning says why. `toolkits`: names and
  /// folders by turns, as seen from that of the application.
  std::optional<std::string> find(Ctx *, const Seq &toolkits, const Str &toolkit, const Str &set,
                                  const std::vector<std::string> &locales,
                                  std::string_view message);

private:
  std::string folderOf(Ctx *, const Seq &toolkits, std::string_view toolkit) const;
  void warn(Ctx *, const std::string &problem);

  std::mutex lock; // guards what is below
  std::map<std::pair<std::string, std::string>, std::unique_ptr<MessageSet>> sets;
  std::set<std::string> warnings;
};
} // namespace

/// Where the toolkit was when the program was compiled, or else in `toolkits` of the application.
/// Empty: in neither.
std::string Sets::folderOf(Ctx *ctx, const Seq &toolkits, std::string_view toolkit) const {
  std::filesystem::path app(sl_app_dir(ctx));
  std::vector<std::filesystem::path> folders;
  const Str *text = listData<Str>(toolkits);
  for (uint32_t i = 0; i + 1 < toolkits.len; i += 2)
    if (viewOf(text[i]) == toolkit)
      folders.push_back(app / viewOf(text[i + 1]));
  folders.push_back(app / "toolkits" / toolkit);
  for (const std::filesystem::path &folder : folders)
    if (!access((folder / "info.xml").c_str(), F_OK))
      return (folder / "").lexically_normal().parent_path().string(); // without a slash behind it
  return "";
}

/// Once for each problem.
void Sets::warn(Ctx *ctx, const std::string &problem) {
  if (sl_trace_level(ctx) < 1 || !warnings.insert(problem).second)
    return;
  std::string line = "sluice: warning: loadAndFormatResource: " + problem + "\n";
  sl_message(ctx, line.data(), line.size());
}

std::optional<std::string> Sets::find(Ctx *ctx, const Seq &toolkits, const Str &toolkit,
                                      const Str &set, const std::vector<std::string> &locales,
                                      std::string_view message) {
  std::lock_guard guard(lock);
  std::string owner(viewOf(toolkit)), name(viewOf(set));
  std::unique_ptr<MessageSet> &found = sets[{owner, name}];
  std::string folder;
  if (!found && (folder = folderOf(ctx, toolkits, owner)).empty()) {
    warn(ctx, "there is no toolkit `" + owner + "` with an info.xml");
    return std::nullopt;
  }
  if (!found)
    found = std::make_unique<MessageSet>(folder, name);
  messages::Found result = found->find(locales, message);
  if (!result.problem.empty())
    warn(ctx, result.problem);
  return std::move(result.text);
}

static Sets &sets() {
  static Sets all;
  return all;
}

//===--- arguments ------------------------------------------------------------===//

/// Nothing: a value of this type cannot be in a message.
static std::optional<Argument> argumentAt(Kind kind, const char *at) {
  if (kind == Kind::RString || kind == Kind::UString)
    return viewOf(*reinterpret_cast<const Str *>(at));
  Argument result;
  bool isNumber = withNumber(kind, [&](auto *number) {
    auto value = load<std::remove_pointer_t<decltype(number)>>(at);
    if constexpr (std::is_floating_point_v<decltype(value)>)
      result = double(value);
    else if constexpr (std::is_signed_v<decltype(value)>)
      result = int64_t(value);
    else
      result = uint64_t(value);
  });
  return isNumber ? std::optional(result) : std::nullopt;
}

//===--- functions: the compiler appends the toolkits -------------------------===//

namespace {
/// Which message, and for whom.
struct Request {
  const Str *toolkit, *set, *message;
  const Str *locale = nullptr; // null: that of the process
};
} // namespace

static int32_t put(Ctx *ctx, Str *result, const Request &request,
                   std::span<const Argument> arguments, const Seq &toolkits) {
  std::vector<std::string> locales = messages::fallbacksOf(
      request.locale ? std::string(viewOf(*request.locale)) : messages::ownLocale());
  std::string id(viewOf(*request.message)), text = id + ": ";
  std::optional<std::string> pattern =
      sets().find(ctx, toolkits, *request.toolkit, *request.set, locales, id);
  if (pattern)
    if (std::string problem = messages::putMessage(text, *pattern, arguments, locales.front());
        !problem.empty())
      return sl_error(ctx, "the message `%s`: %s", id.c_str(), problem.c_str());
  *result = keepText(ctx, text.data(), text.size());
  return 0;
}

static int32_t put(Ctx *ctx, Type type, Str *result, const Request &request, const void *tuple,
                   const Seq &toolkits) {
  std::vector<Argument> arguments;
  for (const Field &field : std::span(type->fields, type->count)) {
    const char *at = static_cast<const char *>(tuple) + field.offset;
    std::optional<Argument> argument = argumentAt(field.type->kind, at);
    if (!argument)
      return sl_error(ctx, "the attribute `%s` is neither an integer, a float nor a string",
                      field.name);
    arguments.push_back(*argument);
  }
  return put(ctx, result, request, arguments, toolkits);
}

SL(loadAndFormatResource, rrr)(Ctx *ctx, Str *result, const Str *toolkit, const Str *set,
                               const Str *message, const Seq *toolkits) {
  return put(ctx, result, {toolkit, set, message}, {}, *toolkits);
}
SL(loadAndFormatResource, rrrr)(Ctx *ctx, Str *result, const Str *toolkit, const Str *set,
                                const Str *message, const Str *locale, const Seq *toolkits) {
  return put(ctx, result, {toolkit, set, message, locale}, {}, *toolkits);
}
SL(loadAndFormatResource, rrrg)(Ctx *ctx, Type type, Str *result, const Str *toolkit,
                                const Str *set, const Str *message, const void *values,
                                const Seq *toolkits) {
  return put(ctx, type, result, {toolkit, set, message}, values, *toolkits);
}
SL(loadAndFormatResource, rrrgr)(Ctx *ctx, Type type, Str *result, const Str *toolkit,
                                 const Str *set, const Str *message, const void *values,
                                 const Str *locale, const Seq *toolkits) {
  return put(ctx, type, result, {toolkit, set, message, locale}, values, *toolkits);
}
