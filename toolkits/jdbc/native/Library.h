//===- Library.h - libpq, found when it is needed ---------------*- C++ -*-===//
#pragma once
#include "stdlib/native/connect/Foreign.h"
#include <memory>
#include <postgresql/libpq-fe.h>

namespace sluice::jdbc {

/// The functions of libpq that are called.
#define SLUICE_PQ(X)                                                                               \
  X(PQclear)                                                                                       \
  X(PQconnectPoll)                                                                                 \
  X(PQconnectStartParams)                                                                          \
  X(PQconsumeInput)                                                                                \
  X(PQenterPipelineMode)                                                                           \
  X(PQerrorMessage)                                                                                \
  X(PQexitPipelineMode)                                                                            \
  X(PQfinish)                                                                                      \
  X(PQflush)                                                                                       \
  X(PQfname)                                                                                       \
  X(PQgetResult)                                                                                   \
  X(PQgetisnull)                                                                                   \
  X(PQgetlength)                                                                                   \
  X(PQgetvalue)                                                                                    \
  X(PQhost)                                                                                        \
  X(PQhostaddr)                                                                                    \
  X(PQisBusy)                                                                                      \
  X(PQnfields)                                                                                     \
  X(PQntuples)                                                                                     \
  X(PQpipelineSync)                                                                                \
  X(PQport)                                                                                        \
  X(PQputCopyData)                                                                                 \
  X(PQputCopyEnd)                                                                                  \
  X(PQresultErrorField)                                                                            \
  X(PQresultStatus)                                                                                \
  X(PQsendPrepare)                                                                                 \
  X(PQsendQuery)                                                                                   \
  X(PQsendQueryParams)                                                                             \
  X(PQsendQueryPrepared)                                                                           \
  X(PQsetErrorVerbosity)                                                                           \
  X(PQsetNoticeReceiver)                                                                           \
  X(PQsetSingleRowMode)                                                                            \
  X(PQsetnonblocking)                                                                              \
  X(PQsocket)                                                                                      \
  X(PQstatus)                                                                                      \
  X(PQtransactionStatus)

struct Library {
  SLUICE_PQ(SLUICE_FOREIGN_POINTER)
};

/// Null if this system has no libpq.so.5 with all of them: `missing` says what to do.
const Library *library(std::string &missing);

/// A result that is given back at its end.
struct ClearResult {
  const Library *lib;
  void operator()(PGresult *result) const { lib->PQclear(result); }
};
using Result = std::unique_ptr<PGresult, ClearResult>;

} // namespace sluice::jdbc
