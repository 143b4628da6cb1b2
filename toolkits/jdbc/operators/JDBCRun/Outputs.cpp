//===- Outputs.cpp - what JDBCRun submits ---------------------------------===//
#include "toolkits/jdbc/operators/JDBCRun/Outputs.h"
#include "toolkits/jdbc/native/Values.h"
#include "value/Value.h"
#include <algorithm>
#include <cstring>

namespace sluice::jdbc {

//===--- at the start ---------------------------------------------------------===//

static bool isSame(const TypeDesc *a, const TypeDesc *b) {
  if (a == b)
    return true;
  if (!a || !b || a->kind != b->kind || a->size != b->size || a->count != b->count ||
      a->bound != b->bound || !isSame(a->elem, b->elem) || !isSame(a->value, b->value))
    return false;
  for (uint32_t i = 0; i < a->count; ++i)
    if (a->fields ? strcmp(a->fields[i].name, b->fields[i].name) != 0 ||
                        !isSame(a->fields[i].type, b->fields[i].type)
                  : strcmp(a->names[i], b->names[i]) != 0)
      return false;
  return true;
}

/// Of attributes with the same name and type.
void Outputs::copies(const TypeDesc &to, uint32_t offset, std::vector<Copy> &list) {
  for (uint32_t i = 0; i < to.count; ++i)
    if (const Field *from = fieldOf(*op.desc->inTypes[0], to.fields[i].name);
        from && isSame(from->type, to.fields[i].type))
      list.push_back({from, offset + to.fields[i].offset, from->type->size});
}

static bool isText(const Field *field) {
  return field && (field->type->kind == Kind::RString || field->type->kind == Kind::UString);
}

/// Whether a text with names and commas, such as `problem, Errors.problem`, names an attribute.
static bool names(std::string_view list, std::string_view attribute) {
  while (!list.empty()) {
    std::string_view one = list.substr(0, list.find(','));
    list.remove_prefix(std::min(list.size(), one.size() + 1));
    while (one.starts_with(' '))
      one.remove_prefix(1);
    while (one.ends_with(' '))
      one.remove_suffix(1);
    size_t dot = one.find('.');
    if (one.substr(dot == one.npos ? 0 : dot + 1) == attribute)
      return true;
  }
  return false;
}

/// The attribute that sqlStatusAttr names; on the error port also one that looks like a status.
int32_t Outputs::findStatus(uint32_t port, Status &status) {
  const TypeDesc &type = *op.desc->outTypes[port];
  std::string given = op.text("sqlStatusAttr", "");
  const TypeDesc *holder = nullptr;
  for (uint32_t i = 0; i < type.count; ++i) {
    const Field &field = type.fields[i];
    bool isTuple = field.type->kind == Kind::Tuple;
    bool isNamed = names(given, field.name);
    if (isNamed && !isTuple)
      return sl_error(op.ctx, "the attribute %s, which sqlStatusAttr names, must be a tuple",
                      field.name);
    if (!isNamed && !(port == 1 && isTuple && fieldOf(*field.type, "sqlState")))
      continue;
    holder = field.type;
    status.offset = field.offset;
  }
  if (!holder && port == 1)
    holder = &type; // the attributes stand there by themselves
  if (!holder)
    return 0;
  status.code = fieldOf(*holder, "sqlCode");
  if (!status.code)
    status.code = fieldOf(*holder, "errorCode");
  if (status.code && status.code->type->kind != Kind::Int32)
    status.code = nullptr;
  status.state = fieldOf(*holder, "sqlState");
  status.message = fieldOf(*holder, "sqlMessage");
  if (!isText(status.state))
    status.state = nullptr;
  if (!isText(status.message))
    status.message = nullptr;
  return 0;
}

int32_t Outputs::layOut(const Library &library) {
  lib = &library;
  if (!op.desc->outputs)
    return 0;
  const TypeDesc &data = *op.desc->outTypes[0];
  copies(data, 0, toData);
  if (op.param("hasResultSetAttr")) {
    std::string name = op.text("hasResultSetAttr", "");
    hasResult = fieldOf(data, name);
    if (!hasResult || hasResult->type->kind != Kind::Boolean)
      return sl_error(op.ctx, "hasResultSetAttr: the output has no attribute `boolean %s`",
                      name.c_str());
  }
  if (findStatus(0, dataStatus))
    return 1;
  size_t size = data.size;
  if (op.desc->outputs > 1) {
    const TypeDesc &error = *op.desc->outTypes[1];
    size = std::max<size_t>(size, error.size);
    copies(error, 0, toError);
    for (uint32_t i = 0; i < error.count; ++i)
      if (error.fields[i].type->kind == Kind::Tuple && !fieldOf(*error.fields[i].type, "sqlState"))
        copies(*error.fields[i].type, error.fields[i].offset, toError);
    if (findStatus(1, errorStatus))
      return 1;
  }
  tuple.resize(size / 8 + 1);
  bytes = reinterpret_cast<char *>(tuple.data());
  return 0;
}

//===--- tuples ---------------------------------------------------------------===//

void Outputs::begin(const char *input, const std::vector<Copy> &list, uint32_t port) {
  memset(bytes, 0, op.desc->outTypes[port]->size);
  for (const Copy &copy : list)
    memcpy(bytes + copy.to, input + copy.from->offset, copy.size);
}

/// Texts of PostgreSQL are UTF-8.
void Outputs::setStatus(const Status &status, const Problem &problem) {
  char *at = bytes + status.offset;
  if (status.code)
    store(at + status.code->offset, int32_t(problem.state == "00000" ? 0 : 1));
  for (auto [field, text] :
       {std::pair{status.state, &problem.state}, {status.message, &problem.text}})
    if (field) {
      auto *to = reinterpret_cast<Str *>(at + field->offset);
      *to = strView(text->data(), text->size());
      (void)textValue(field->type, to, arena); // cuts it; fails for xml only
    }
}

static const Problem kSuccess = {"00000", ""};

bool Outputs::rows(const char *input, const Result &result, Problem &problem, int32_t &failure) {
  if (!op.desc->outputs)
    return true;
  const TypeDesc &type = *op.desc->outTypes[0];
  std::vector<const Field *> columns;
  for (int i = 0; i < lib->PQnfields(result.get()); ++i)
    columns.push_back(columnOf(type, lib->PQfname(result.get(), i)));
  for (int row = 0; row < lib->PQntuples(result.get()) && !failure; ++row) {
    begin(input, toData, 0);
    if (hasResult)
      bytes[hasResult->offset] = 1;
    setStatus(dataStatus, kSuccess);
    for (int i = 0; i < int(columns.size()); ++i) {
      const Field *field = columns[size_t(i)];
      if (!field || !isColumnType(*field->type))
        continue;
      if (lib->PQgetisnull(result.get(), row, i)) {
        setNull(*field->type, bytes + field->offset);
        continue;
      }
      std::string_view text{lib->PQgetvalue(result.get(), row, i),
                            size_t(lib->PQgetlength(result.get(), row, i))};
      if (!setText(*field->type, text, bytes + field->offset, arena)) {
        problem = {"22018", "the column " + std::string(field->name) +
                                " is no value of its attribute's type"};
        arenaReset(&arena);
        return false;
      }
    }
    failure = op.submit(0, bytes);
    arenaReset(&arena);
  }
  return true;
}

int32_t Outputs::done(const char *input, bool hadRows) {
  if (!op.desc->outputs)
    return 0;
  if (hadRows)
    return op.submitPunct(0, PunctuationKind::Window);
  begin(input, toData, 0);
  setStatus(dataStatus, kSuccess);
  int32_t result = op.submit(0, bytes);
  arenaReset(&arena);
  return result;
}

int32_t Outputs::error(const char *input, const Problem &problem) {
  if (op.desc->outputs < 2)
    return 0;
  begin(input, toError, 1);
  setStatus(errorStatus, problem);
  int32_t result = op.submit(1, bytes);
  arenaReset(&arena);
  return result;
}

} // namespace sluice::jdbc
