//===- Batches.cpp - many rows at once ------------------------------------===//
#include "toolkits/jdbc/native/Session.h"
#include "toolkits/jdbc/native/Values.h"

namespace sluice::jdbc {

constexpr size_t kFlushEvery = 128;       // rows
constexpr size_t kCopyBytes = 256 * 1024; // that are given to libpq at once

//===--- pipelines ------------------------------------------------------------===//

/// Takes the results of one row of a pipeline.
Outcome Session::rowOfPipeline(size_t row, Patience &patience, Problem &problem, const TakeOf &take,
                               int32_t &failure, bool &isBad) {
  for (Result result;;) {
    if (Outcome got = next(result, patience, problem); got != Outcome::Good)
      return got;
    if (!result)
      return Outcome::Good;
    ExecStatusType status = lib->PQresultStatus(result.get());
    if (status == PGRES_FATAL_ERROR) {
      refused(result, problem);
      isBad = true;
    } else if (status == PGRES_TUPLES_OK && take && !failure && !isBad) {
      failure = take(row, result);
    }
  }
}

Outcome Session::pipeline(size_t count, const Fill &fill, Patience &patience, Problem &problem,
                          const TakeOf &take, int32_t &failure, size_t &bad) {
  if (!lib->PQenterPipelineMode(connection))
    return lost(problem);
  Parameters parameters;
  for (size_t row = 0; row < count; ++row) {
    parameters.clear();
    fill(row, parameters);
    if (!lib->PQsendQueryPrepared(connection, "sluice", int(parameters.size()), parameters.values(),
                                  nullptr, nullptr, 0) ||
        (row % kFlushEvery == 0 && lib->PQflush(connection) < 0))
      return lost(problem);
  }
  if (!lib->PQpipelineSync(connection))
    return lost(problem);
  bool isBad = false;
  for (size_t row = 0; row < count; ++row) {
    bool wasBad = isBad;
    if (Outcome got = rowOfPipeline(row, patience, problem, take, failure, isBad);
        got != Outcome::Good)
      return got;
    if (isBad && !wasBad)
      bad = row;
  }
  Result sync;
  if (Outcome got = next(sync, patience, problem); got != Outcome::Good)
    return got;
  if (!lib->PQexitPipelineMode(connection))
    return lost(problem);
  return isBad ? Outcome::Refused : Outcome::Good;
}

//===--- COPY -----------------------------------------------------------------===//

void Parameters::line(TextOut &out) const {
  int64_t begin = 0;
  for (size_t i = 0; i < ends.size(); ++i) {
    if (i)
      out.put('\t');
    if (ends[i] < 0) {
      out.put("\\N");
      continue;
    }
    putEscaped(out, {bytes.data + begin, size_t(ends[i] - begin - 1)});
    begin = ends[i];
  }
  out.put('\n');
}

Outcome Session::sendCopy(size_t count, const Fill &fill, Patience &patience, Problem &problem) {
  Parameters parameters;
  TextOut lines;
  for (size_t row = 0; row < count; ++row) {
    parameters.clear();
    fill(row, parameters);
    parameters.line(lines);
    if (lines.size < kCopyBytes && row + 1 < count)
      continue;
    int sent;
    while (!(sent = lib->PQputCopyData(connection, lines.data, int(lines.size))))
      if (Outcome room = flush(patience, problem); room != Outcome::Good)
        return room;
    if (sent < 0)
      return lost(problem);
    lines.clear();
    if (Outcome room = flush(patience, problem); room != Outcome::Good)
      return room;
  }
  int sent;
  while (!(sent = lib->PQputCopyEnd(connection, nullptr)))
    if (Outcome room = flush(patience, problem); room != Outcome::Good)
      return room;
  return sent < 0 ? lost(problem) : Outcome::Good;
}

Outcome Session::copy(const Statement &statement, size_t count, const Fill &fill,
                      Patience &patience, Problem &problem) {
  if (!lib->PQsendQuery(connection, statement.copy().c_str()))
    return lost(problem);
  Result result;
  if (Outcome got = next(result, patience, problem); got != Outcome::Good)
    return got;
  if (result && lib->PQresultStatus(result.get()) == PGRES_COPY_IN) {
    if (Outcome sent = sendCopy(count, fill, patience, problem); sent != Outcome::Good)
      return sent;
  } else if (result) { // it is refused as a whole
    refused(result, problem);
    int32_t ignored = 0;
    Outcome rest = results(patience, problem, {}, ignored);
    return rest == Outcome::Good ? Outcome::Refused : rest;
  }
  int32_t ignored = 0;
  return results(patience, problem, {}, ignored);
}

} // namespace sluice::jdbc
