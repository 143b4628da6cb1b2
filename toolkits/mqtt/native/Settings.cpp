//===- Settings.cpp - what both operators of MQTT are told ----------------===//
#include "runtime/base/os.h"
#include "stdlib/native/connect/Configuration.h"
#include "stdlib/native/jobs/Names.h"
#include "toolkits/mqtt/native/Client.h"
#include "value/Value.h"
#include <cstring>
#include <sys/epoll.h>
#include <sys/timerfd.h>

namespace sluice::mqtt {

bool isData(const Field &field) {
  return field.type->kind == Kind::RString || field.type->kind == Kind::Blob;
}

const Field *attributeOf(const ParamOp &op, const TypeDesc &type, const char *parameter,
                         const char *name) {
  std::string wanted = op.text(parameter, name);
  if (!op.param(parameter) && type.count == 1 && isData(type.fields[0]))
    return &type.fields[0];
  for (uint32_t i = 0; i < type.count; ++i)
    if (type.fields[i].name == wanted)
      return &type.fields[i];
  return nullptr;
}

std::vector<std::string> listOf(const Param *param) {
  std::vector<std::string> result;
  for (size_t i = 0; param && i < param->values.size(); ++i) {
    std::string_view text = viewOf(*static_cast<const Str *>(param->values[i].value));
    for (size_t at = 0; at <= text.size();) {
      size_t end = std::min(text.find(',', at), text.size());
      std::string_view one = text.substr(at, end - at);
      while (one.starts_with(' '))
        one.remove_prefix(1);
      while (one.ends_with(' '))
        one.remove_suffix(1);
      result.emplace_back(one);
      at = end + 1;
    }
  }
  return result;
}

int32_t Client::readLogin() {
  Properties configuration;
  if (readConfiguration(*op, configuration))
    return 1;
  user = op->text("userID", "");
  password = op->text("password", "");
  for (auto [parameter, otherwise, to] :
       {std::tuple{"userPropName", "userID", &user}, {"passwordPropName", "password", &password}})
    if (auto found = configuration.find(op->text(parameter, otherwise));
        found != configuration.end())
      *to = found->second;
  return 0;
}

/// libmosquitto asks for the password of a key; there may be none.
static int passwordOf(char *to, int size, int, void *handle) {
  std::string missing;
  auto *client =
      static_cast<Client *>(library(missing)->mosquitto_userdata(static_cast<mosquitto *>(handle)));
  const std::string &password = client->keyPassword();
  if (password.size() >= size_t(size))
    return 0;
  memcpy(to, password.data(), password.size());
  return int(password.size());
}

std::string Client::useTls(mosquitto *with, const Place &at) const {
  if (!at.isTls)
    return "";
  const char *key = at.key.empty() ? nullptr : at.key.c_str();
  const char *trust = at.trust.empty() ? nullptr : at.trust.c_str();
  // Without a trustStore those authorities count that the system trusts.
  int result =
      lib->mosquitto_tls_set(with, trust, trust ? nullptr : "/etc/ssl/certs", key, key, passwordOf);
  if (result == MOSQ_ERR_SUCCESS)
    result = lib->mosquitto_tls_opts_set(with, 1, "tlsv1.2", nullptr); // certificates are checked
  return result == MOSQ_ERR_SUCCESS ? ""
                                    : std::string("trustStore or keyStore cannot be used: ") +
                                          lib->mosquitto_strerror(result);
}

/// Of this process alone: two clients of one name throw each other out.
static std::string ownName(const ParamOp &op) {
  return "sluice-" + std::to_string(getpid()) + "-" + std::to_string(sl_now(op.ctx) % 1000000007) +
         "-" + op.desc->name;
}

std::string Client::use(const Properties &wanted) {
  Place at;
  if (std::string wrong = at.read(wanted, sl_app_dir(home)); !wrong.empty())
    return wrong;
  std::string name = op->text("clientID", "");
  // A name is known to the broker again: it keeps what comes meanwhile.
  mosquitto *fresh =
      lib->mosquitto_new((name.empty() ? ownName(*op) : name).c_str(), name.empty(), this);
  if (!fresh)
    return "clientID is no name for a client of MQTT";
  // Else it sends PUBACK and PUBCOMP before it calls back. There is no other thread.
  lib->mosquitto_threaded_set(fresh, answersLater);
  if (!user.empty())
    lib->mosquitto_username_pw_set(fresh, user.c_str(),
                                   password.empty() ? nullptr : password.c_str());
  if (std::string wrong = useTls(fresh, at); !wrong.empty()) {
    lib->mosquitto_destroy(fresh);
    return wrong;
  }
  leave();
  handle = fresh;
  place = std::move(at);
  settings = wanted;
  shown = toText(place.endpoint);
  setCallbacks();
  return "";
}

std::string Client::move(const Properties &changes, bool &hasMoved) {
  Properties wanted = settings;
  for (const auto &[name, value] : changes)
    wanted[name] = value;
  hasMoved = false;
  if (wanted == settings)
    return "";
  std::string wrong = use(wanted);
  hasMoved = wrong.empty();
  wasMoved |= hasMoved;
  return wrong;
}

static const std::string kSaved = "connection "; // of texts in checkpoints: a name follows

void Client::save(Saver &saver) const {
  for (const auto &[name, value] : settings)
    if (wasMoved && name != "keyStorePassword")
      saver.text(kSaved + name, value);
}

void Client::restore(const Loader &loader) {
  for (const char *name : Place::kNames)
    if (auto value = loader.text(kSaved + name)) {
      settings[name] = *value;
      wasMoved = true;
    }
}

int32_t Client::open(ParamOp &of) {
  op = &of;
  home = of.ctx;
  std::string missing;
  if (!(lib = library(missing)))
    return sl_error(op->ctx, "%s", missing.c_str());
  if (readLogin())
    return 1;
  Properties wanted = settings; // of a checkpoint
  for (const char *name : Place::kNames)
    if (op->param(name) && (!wasMoved || name == std::string_view("keyStorePassword")))
      wanted[name] = op->text(name, "");
  if (std::string wrong = use(wanted); !wrong.empty())
    return sl_error(op->ctx, "%s", wrong.c_str());
  keepAlive = int(op->number("keepAliveInterval", 60));
  bound = int64_t(op->number("reconnectionBound", -1));
  backoff = Backoff(op->number("period", 10000) / 1000, uint64_t(getpid()) * 31);
  isConnectedMetric = sl_make_metric(op->ctx, op->desc, "isConnected",
                                     "whether there is a connection", MetricKind::Gauge, 0);
  lostMetric = sl_make_metric(op->ctx, op->desc, "nConnectionLost",
                              "connections that have broken off", MetricKind::Counter, 0);
  waits = epoll_create1(EPOLL_CLOEXEC);
  timer = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK | TFD_CLOEXEC);
  epoll_event event = {};
  event.events = EPOLLIN;
  event.data.fd = timer;
  epoll_ctl(waits, EPOLL_CTL_ADD, timer, &event);
  return 0;
}

} // namespace sluice::mqtt
