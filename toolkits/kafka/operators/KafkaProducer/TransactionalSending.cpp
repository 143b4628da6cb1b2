//===- TransactionalSending.cpp - messages that Kafka has once ------------===//
#include "toolkits/kafka/operators/KafkaProducer/TransactionalSending.h"
#include "stdlib/native/jobs/Names.h"

namespace sluice::kafka {

/// Differs from run to run, but for those that go on from one another.
static std::string newName(const ParamOp &op) {
  char number[17];
  snprintf(number, sizeof number, "%016llx", static_cast<unsigned long long>(os::randomBits()));
  return "sluice-" + std::to_string(getuid()) + "-" + programName(op.ctx) + "-" + op.desc->name +
         "-" + number;
}

int32_t TransactionalSending::open(const Library &library, const Settings &given) {
  if (std::string why = OutputLog::refusal(op.ctx, *op.desc); !why.empty())
    return sl_error(op.ctx, "consistentRegionPolicy : Transactional %s", why.c_str());
  if (op.desc->outputs)
    return sl_error(op.ctx, "consistentRegionPolicy : Transactional has no output");
  if (given.has("transactional.id"))
    return sl_error(op.ctx, "consistentRegionPolicy : Transactional sets transactional.id itself");
  if (name.empty())
    name = newName(op);
  transactions.open(library, given);
  transactions.setNames(name, topic);
  log.open(op.ctx, op.desc, !topic.empty());
  return 0;
}

int32_t TransactionalSending::send(const Message &message) {
  if (topic.empty()) {
    topic = message.topic;
    transactions.setNames(name, topic);
  }
  message.toRow(row);
  return log.add(op.ctx, row);
}

void TransactionalSending::save(Saver &saver) {
  saver.text("name", name);
  saver.text("topic", topic);
  log.save(saver);
}

int32_t TransactionalSending::restore(const Loader &loader) {
  name = loader.text("name").value_or("");
  if (auto saved = loader.text("topic"); saved && !saved->empty())
    topic = *saved;
  return log.restore(loader);
}

} // namespace sluice::kafka
