//===- Attempts.cpp - requests of a sink, tried again ---------------------===//
#include "toolkits/inet/operators/shared/Attempts.h"

namespace sluice::inet {

Answer tryAgain(ParamOp &op, Client &client, const Request &request, const Attempts &attempts,
                Warnings &warnings, const std::string &shown) {
  Backoff backoff(10, reinterpret_cast<uintptr_t>(&op));
  for (int64_t retries = 0;; ++retries) {
    Answer answer = client.run(op.ctx, request, kPatience);
    bool maySend = !attempts.onlySafe || !answer.wasSent || isIdempotent(request.method);
    if (answer.problem.empty() || answer.isStopped || !maySend ||
        (attempts.most >= 0 && retries >= attempts.most))
      return answer;
    warnings.warn(op.ctx, op.desc, shown + ": " + answer.problem + "; it tries again");
    if (sl_wait(op.ctx, attempts.seconds < 0 ? backoff.next() : attempts.seconds))
      return answer; // the program ends
  }
}

} // namespace sluice::inet
