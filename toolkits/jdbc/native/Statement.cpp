//===- Statement.cpp - SQL with question marks ----------------------------===//
#include "toolkits/jdbc/native/Statement.h"
#include <algorithm>
#include <cctype>
#include <strings.h>

namespace sluice::jdbc {

static bool isWordStart(char c) { return isalpha(uint8_t(c)) || c == '_' || uint8_t(c) >= 0x80; }
static bool isWord(char c) { return isWordStart(c) || isdigit(uint8_t(c)) || c == '$'; }

namespace {
/// Finds where the parts of a statement end.
class Scanner {
public:
  explicit Scanner(std::string_view sql) : sql(sql) {}
  /// The part at `at` that is to be kept as it is: a text, a name, a word; or one byte.
  size_t end(size_t at) const {
    char c = sql[at];
    if (c == '\'' || c == '"')
      return quoted(at, isEscape(at));
    if (c == '$')
      return dollar(at);
    if (isWordStart(c)) {
      while (at < sql.size() && isWord(sql[at]))
        ++at;
      return at;
    }
    return at + 1;
  }
  /// Behind a comment that begins at `at`; `at` if there is none.
  size_t comment(size_t at) const {
    std::string_view two = sql.substr(at, 2);
    if (two == "--")
      return std::min(sql.find('\n', at), sql.size());
    if (two != "/*")
      return at;
    size_t depth = 0;
    do {
      two = sql.substr(at, 2);
      depth += two == "/*" ? 1 : two == "*/" ? -1 : 0;
      at += two == "/*" || two == "*/" ? 2 : 1;
    } while (depth && at < sql.size());
    return std::min(at, sql.size());
  }

private:
  /// E'...': a backslash escapes.
  bool isEscape(size_t at) const {
    return sql[at] == '\'' && at > 0 && (sql[at - 1] | 32) == 'e' &&
           (at < 2 || !isWord(sql[at - 2]));
  }
  size_t quoted(size_t at, bool escapes) const {
    char quote = sql[at++];
    for (; at < sql.size(); ++at)
      if (escapes && sql[at] == '\\')
        ++at;
      else if (sql[at] == quote)
        return at + 1; // a doubled one begins the next part
    return sql.size();
  }
  /// $tag$ ... $tag$; or one byte.
  size_t dollar(size_t at) const {
    size_t end = at + 1;
    while (end < sql.size() && isWord(sql[end]) && sql[end] != '$')
      ++end;
    if (end >= sql.size() || sql[end] != '$' || (end > at + 1 && isdigit(uint8_t(sql[at + 1]))))
      return at + 1;
    std::string_view tag = sql.substr(at, end + 1 - at);
    size_t last = sql.find(tag, end + 1);
    return last == sql.npos ? sql.size() : last + tag.size();
  }

  std::string_view sql;
};

/// Words, names and signs of a statement, one after the other.
class Tokens {
public:
  explicit Tokens(std::string_view sql) : sql(sql), scanner(sql) { next(); }
  bool take(std::string_view word) {
    bool is = token.size() == word.size() && !strncasecmp(token.data(), word.data(), word.size());
    if (is)
      next();
    return is;
  }
  /// A name, perhaps in quotes; or empty.
  std::string name() {
    bool isName = !token.empty() && (token[0] == '"' || isWordStart(token[0]));
    std::string result;
    do { // "a""b" is two parts
      result += isName ? token : "";
      if (isName)
        next();
    } while (isName && isDirect && token.starts_with('"') && result.ends_with('"'));
    return result;
  }
  bool isDone() const { return token.empty(); }

private:
  void next() {
    size_t before = at;
    while (at < sql.size() && isspace(uint8_t(sql[at])))
      ++at;
    isDirect = at == before;
    size_t end = at < sql.size() ? scanner.end(at) : at;
    if (at + 1 < sql.size() && sql[at] == '$' && isdigit(uint8_t(sql[at + 1])))
      for (end = at + 1; end < sql.size() && isdigit(uint8_t(sql[end])); ++end) {
      }
    token = sql.substr(at, end - at);
    at = end;
  }

  std::string_view sql, token;
  Scanner scanner;
  size_t at = 0;
  bool isDirect = false; // no blank stands before the token
};
} // namespace

/// Finds the table and the columns of an INSERT of parameters, and nothing else.
static void readInsert(Statement &s) {
  Tokens in(s.sql);
  if (!in.take("insert") || !in.take("into"))
    return;
  std::string table = in.name();
  while (!table.empty() && in.take("."))
    table += "." + in.name();
  if (table.empty() || table.ends_with(".") || !in.take("("))
    return;
  std::vector<std::string> columns;
  do
    columns.push_back(in.name());
  while (in.take(","));
  if (!in.take(")") || !in.take("values") || !in.take("("))
    return;
  for (uint32_t i = 1; i <= columns.size(); ++i)
    if (columns[i - 1].empty() || (i > 1 && !in.take(",")) || !in.take("$" + std::to_string(i)))
      return;
  if (!in.take(")") || (in.take(";"), !in.isDone()))
    return;
  s.table = std::move(table);
  s.columns = std::move(columns);
}

Statement Statement::parse(std::string_view sql) {
  Statement s;
  Scanner scanner(sql);
  for (size_t at = 0; at < sql.size();) {
    if (size_t behind = scanner.comment(at); behind != at) {
      s.sql += ' ';
      at = behind;
    } else if (sql.substr(at, 2) == "??") {
      s.sql += '?';
      at += 2;
    } else if (sql[at] == '?') {
      s.sql += "$" + std::to_string(++s.parameters);
      ++at;
    } else {
      size_t end = scanner.end(at);
      s.sql += sql.substr(at, end - at);
      at = end;
    }
  }
  for (const char *word : {"insert", "update", "delete", "merge"})
    s.isChange |= Tokens(s.sql).take(word);
  readInsert(s);
  return s;
}

std::string Statement::copy() const {
  std::string list;
  for (const std::string &column : columns)
    list += (list.empty() ? "" : ", ") + column;
  return "COPY " + table + " (" + list + ") FROM STDIN";
}

} // namespace sluice::jdbc
