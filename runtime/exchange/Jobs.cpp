//===- Jobs.cpp - who exports and imports at the moment -------------------===//
#include "runtime/exchange/Jobs.h"
#include "runtime/base/os.h"
#include "runtime/base/text/Words.h"
#include "runtime/exchange/Await.h"
#include "runtime/exchange/Channel.h"

namespace sluice::exchange {

/// What a process answers that was asked, until os::now() is `until`.
static std::optional<Report> answerOf(const remote::Socket &socket, int64_t until) {
  for (Inbox inbox;;) {
    Inbox::State state = inbox.read(socket, kMostMessage);
    if (state == Inbox::State::Message)
      return decodeReport(inbox.view());
    int64_t left = until - os::now();
    if (state != Inbox::State::Waits || left <= 0)
      return std::nullopt;
    await({{socket.descriptor()}}, left);
  }
}

Problem findJobs(int64_t nanos, std::vector<RunningJob> &jobs, std::vector<int64_t> &silent) {
  Registry registry;
  if (Problem problem = registry.open(); !problem.empty())
    return problem;
  std::vector<remote::Socket> asked;
  for (const auto &[place, version] : registry.list()) {
    remote::Socket socket;
    Outbox outbox;
    if (registry.connect(place, socket) && outbox.send(socket, encodeAsk()))
      asked.push_back(std::move(socket));
  }
  int64_t until = os::now() + nanos;
  for (const remote::Socket &socket : asked)
    if (auto report = answerOf(socket, until))
      jobs.push_back({processOf(socket), std::move(*report)});
    else
      silent.push_back(processOf(socket));
  return "";
}

static std::string offerText(const Offer &offer) {
  std::string text = "  exports " + offer.stream;
  if (offer.id)
    text += " as streamId " + literalOf(Value::of(std::string_view(*offer.id)));
  else if (!offer.properties.empty())
    text += " with " + propertiesText(offer.properties);
  if (offer.scope != kUsualScope)
    text += " in scope " + literalOf(Value::of(std::string_view(offer.scope)));
  text += offer.allowsFilter ? ", filters allowed" : "";
  text += offer.waits ? "" : ", slow imports are cut off";
  return printable(text + (offer.ended ? ", ended" : "")) + "\n    " + printable(offer.type) + "\n";
}

std::string jobsText(const std::vector<RunningJob> &jobs) {
  std::string text;
  for (const auto &[process, report] : jobs) {
    text += printable(report.application) + ": process " + std::to_string(process);
    if (report.pe >= 0)
      text += ", PE " + std::to_string(report.pe);
    text += '\n';
    for (uint32_t i = 0; i < report.offers.size(); ++i) {
      text += offerText(report.offers[i]);
      for (const Taker &taker : report.takers)
        if (taker.offer == i)
          text += "    to " + printable(taker.import_) + " of " + printable(taker.job) +
                  " (process " + std::to_string(taker.process) +
                  "): " + counted(taker.tuples, "tuple") + " sent\n";
    }
    for (const Importing &import_ : report.imports) {
      text += "  imports " + printable(import_.name) + " by " + printable(import_.wants);
      if (!import_.filter.empty())
        text += ", filter " + printable(import_.filter);
      text += "\n    " + printable(import_.type) + "\n";
    }
  }
  return text;
}

} // namespace sluice::exchange
