//===- Address.cpp - where a database is, and who asks --------------------===//
#include "toolkits/jdbc/native/Address.h"
#include "simdjson/singleheader/simdjson.h"
#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <span>
#include <utility>

namespace sluice::jdbc {

namespace {
/// A property of Java's driver. Without a `name` it means nothing here.
struct Renamed {
  std::string_view java;
  const char *name;
};
} // namespace

static constexpr Renamed kRenamed[] = {
    {"ApplicationName", "application_name"},
    {"binaryTransfer", nullptr},
    {"connectTimeout", "connect_timeout"},
    {"defaultRowFetchSize", nullptr},
    {"gssEncMode", "gssencmode"},
    {"kerberosServerName", "krbsrvname"},
    {"loginTimeout", "connect_timeout"},
    {"options", "options"},
    {"password", "password"},
    {"preferQueryMode", nullptr},
    {"prepareThreshold", nullptr},
    {"preparedStatementCacheQueries", nullptr},
    {"reWriteBatchedInserts", nullptr}, // batches are written fast
    {"sslcert", "sslcert"},
    {"sslfactory", nullptr},
    {"sslkey", "sslkey"},
    {"sslmode", "sslmode"},
    {"sslpassword", "sslpassword"},
    {"sslrootcert", "sslrootcert"},
    {"stringtype", nullptr}, // always unspecified
    {"tcpKeepAlive", "keepalives"},
    {"user", "user"},
};

/// Names of Java's driver for what is not here, each with blanks around it.
static constexpr std::string_view kMissing =
    " adaptiveFetch adaptiveFetchMaximum adaptiveFetchMinimum allowEncodingChanges "
    "assumeMinServerVersion authenticationPluginClassName autosave binaryTransferDisable "
    "binaryTransferEnable cancelSignalTimeout channelBinding cleanupSavepoints "
    "databaseMetadataCacheFields databaseMetadataCacheFieldsMiB disableColumnSanitiser "
    "escapeSyntaxCallMode groupStartupParameters gsslib gssResponseTimeout gssUseDefaultCreds "
    "hideUnprivilegedObjects hostRecheckSeconds jaasApplicationName jaasLogin loadBalanceHosts "
    "localSocketAddress loggerFile loggerLevel logLevel logServerErrorDetail "
    "logUnclosedConnections maxResultBuffer maxSendBufferSize preparedStatementCacheSizeMiB "
    "protocolVersion queryTimeout quoteReturningIdentifiers readOnly readOnlyMode "
    "receiveBufferSize replication requireAuth sendBufferSize service socketFactory "
    "socketFactoryArg socketTimeout sslfactoryarg sslhostnameverifier sslNegotiation "
    "sslpasswordcallback sslResponseTimeout sspiServiceClass tcpNoDelay unknownLength useSpnego "
    "xmlFactoryFactory ";

/// Other systems that drivers of Java reach.
static constexpr std::string_view kSystems[] = {
    "as400", "db2",       "derby",   "edb",    "h2",        "hive2",    "hsqldb",
    "ids",   "informix",  "mariadb", "mysql",  "netezza",   "oracle",   "redshift",
    "sap",   "snowflake", "solidDB", "sqlite", "sqlserver", "teradata", "vertica",
};

/// Without %41.
static std::string decoded(std::string_view text) {
  std::string result;
  for (size_t i = 0; i < text.size(); ++i) {
    bool isCode = text[i] == '%' && i + 2 < text.size() && isxdigit(uint8_t(text[i + 1])) &&
                  isxdigit(uint8_t(text[i + 2]));
    result +=
        isCode ? char(strtol(std::string(text.substr(i + 1, 2)).c_str(), nullptr, 16)) : text[i];
    i += isCode ? 2 : 0;
  }
  return result;
}

static bool isTrue(std::string_view value) {
  return value.empty() || value == "true" || value == "TRUE";
}

/// The word that a text begins with, if it is one of these; or empty. Any other may be a password
/// that was not written as one, and is for no message.
static std::string_view wordOf(std::string_view text, std::span<const std::string_view> known) {
  auto *end =
      std::find_if_not(text.begin(), text.end(), [](unsigned char c) { return isalnum(c); });
  std::string_view word = text.substr(0, size_t(end - text.begin()));
  return std::find(known.begin(), known.end(), word) == known.end() ? "" : word;
}

/// Of a property that nothing is done with.
static std::string unknown(const std::string &name) {
  return kMissing.find(" " + name + " ") == kMissing.npos
             ? "jdbcUrl: it has a property that is not known"
             : "jdbcUrl: the property " + name + " is not in this release";
}

/// Which of several servers, as libpq calls it; null: Java's driver has no such word.
static const char *serverType(std::string_view value) {
  static constexpr std::pair<std::string_view, const char *> words[] = {
      {"any", "any"},
      {"primary", "read-write"},
      {"master", "read-write"},
      {"secondary", "standby"},
      {"slave", "standby"},
      {"preferSecondary", "prefer-standby"},
      {"preferSlave", "prefer-standby"},
      {"preferPrimary", "read-write"}, // a standby takes no changes
  };
  for (auto [java, name] : words)
    if (java == value)
      return name;
  return nullptr;
}

/// Takes over one property. What is wrong, or empty.
static std::string setProperty(Properties &settings, const std::string &name,
                               const std::string &value) {
  if (name == "ssl") {
    if (isTrue(value))
      settings.try_emplace("sslmode", "verify-full");
    return "";
  }
  if (name == "targetServerType") {
    const char *type = serverType(value);
    if (!type)
      return "jdbcUrl: targetServerType is any, primary, secondary, preferPrimary or "
             "preferSecondary";
    settings["target_session_attrs"] = type;
    return "";
  }
  if (name == "currentSchema") {
    settings["options"] += " -csearch_path=" + value;
    return "";
  }
  auto known = std::find_if(std::begin(kRenamed), std::end(kRenamed),
                            [&](const Renamed &r) { return r.java == name; });
  if (known == std::end(kRenamed))
    return unknown(name);
  if (known->name)
    settings[known->name] = name == "tcpKeepAlive" ? (isTrue(value) ? "1" : "0") : value;
  return "";
}

/// "a:1,b" as libpq's host and port.
static void setHosts(Properties &settings, std::string_view hosts) {
  std::string names, ports;
  while (!hosts.empty()) {
    std::string_view one = hosts.substr(0, hosts.find(','));
    hosts.remove_prefix(std::min(hosts.size(), one.size() + 1));
    size_t bracket = one.rfind(']'), colon = one.rfind(':');
    bool hasPort = colon != one.npos && (bracket == one.npos || colon > bracket);
    std::string_view host = one.substr(0, hasPort ? colon : one.npos);
    if (host.starts_with('[') && host.ends_with(']'))
      host = host.substr(1, host.size() - 2);
    names += (names.empty() ? "" : ",") + decoded(host);
    ports += (ports.empty() ? "" : ",") + std::string(hasPort ? one.substr(colon + 1) : "5432");
  }
  settings["host"] = names.empty() ? "localhost" : names;
  settings["port"] = ports.empty() ? "5432" : ports;
}

std::string Address::parse(std::string_view url) {
  constexpr std::string_view scheme = "jdbc:postgresql:";
  if (!url.starts_with(scheme)) {
    // Only the name of the other system: what follows may have a password.
    bool isJdbc = url.starts_with("jdbc:");
    std::string_view other = isJdbc ? wordOf(url.substr(5), kSystems) : "";
    return "jdbcUrl" + (other.empty() ? "" : " (jdbc:" + std::string(other) + ")") +
           ": only PostgreSQL can be reached: jdbc:postgresql://host:port/database";
  }
  url.remove_prefix(scheme.size());
  size_t question = url.find('?');
  std::string_view query = question == url.npos ? "" : url.substr(question + 1);
  url = url.substr(0, question);
  std::string_view hosts;
  if (url.starts_with("//")) {
    hosts = url.substr(2, url.find('/', 2) - 2);
    size_t slash = url.find('/', 2);
    url = slash == url.npos ? "" : url.substr(slash + 1);
  }
  setHosts(settings, hosts);
  if (!url.empty())
    settings["dbname"] = decoded(url);
  while (!query.empty()) {
    std::string_view one = query.substr(0, query.find('&'));
    query.remove_prefix(std::min(query.size(), one.size() + 1));
    size_t equals = one.find('=');
    std::string value = equals == one.npos ? "" : decoded(one.substr(equals + 1));
    if (std::string wrong = setProperty(settings, decoded(one.substr(0, equals)), value);
        !one.empty() && !wrong.empty())
      return wrong;
  }
  return "";
}

/// The first of the names that has a value.
static void takeNamed(const Properties &from, std::initializer_list<const char *> names,
                      std::string &to) {
  for (const char *name : names)
    if (auto found = from.find(name); found != from.end()) {
      to = found->second;
      return;
    }
}

void Login::take(const Properties &from) {
  takeNamed(from, {"jdbcUrl", "jdbcurl", "url"}, url);
  takeNamed(from, {"jdbcUser", "user", "username"}, user);
  takeNamed(from, {"jdbcPassword", "password"}, password);
}

/// The texts of an object of JSON. What is wrong, or empty.
static std::string readObject(const std::string &json, Properties &to) {
  simdjson::dom::parser parser;
  simdjson::dom::object object;
  if (parser.parse(json).get(object))
    return "it is no object of JSON";
  for (auto [key, value] : object) {
    std::string_view text;
    if (!value.get(text))
      to.insert_or_assign(std::string(key), std::string(text));
    else if (!value.is_null())
      return std::string(key) + " is no text";
  }
  return "";
}

/// `credentials` is an object of JSON; its names are those of a service of IBM's.
static std::string takeCredentials(const Properties &from, Login &to) {
  auto found = from.find("credentials");
  if (found == from.end() || found->second.empty())
    return "";
  Properties credentials;
  std::string wrong = readObject(found->second, credentials);
  to.take(credentials);
  return wrong.empty() ? "" : "credentials: " + wrong;
}

/// The files of the parameters for SSL, which are PEM. What is wrong, or empty.
static std::string readSsl(ParamOp &op, Properties &settings) {
  if (!op.flag("sslConnection", false))
    return "";
  settings.try_emplace("sslmode", "verify-full");
  for (auto [parameter, first, second] :
       {std::tuple{"trustStore", "sslrootcert", ""}, {"keyStore", "sslcert", "sslkey"}}) {
    std::string file = op.text(parameter, "");
    if (file.empty())
      continue;
    if (file.ends_with(".jks") || file.ends_with(".JKS") || file.ends_with(".p12"))
      return std::string(parameter) + ": " + file +
             " is a store of Java, and libpq needs a PEM file: keytool -importkeystore "
             "-srckeystore STORE.jks -destkeystore store.p12 -deststoretype pkcs12; openssl pkcs12 "
             "-in store.p12 -out store.pem";
    settings[first] = op.appPath(parameter);
    if (*second)
      settings[second] = op.appPath(parameter);
  }
  if (op.param("keyStorePassword"))
    settings["sslpassword"] = op.text("keyStorePassword", "");
  return "";
}

/// Makes the settings, of what was said. What is wrong, or empty.
std::string Address::use(ParamOp &op) {
  if (login.url.empty())
    return "nothing says where the database is: jdbcUrl is missing, also in jdbcProperties, in "
           "credentials and in the configuration that appConfigName names";
  if (std::string wrong = parse(login.url); !wrong.empty())
    return wrong;
  if (!login.user.empty())
    settings["user"] = login.user;
  if (!login.password.empty())
    settings["password"] = login.password;
  if (std::string wrong = readSsl(op, settings); !wrong.empty())
    return wrong;
  if (auto given = settings.find("connect_timeout"); given != settings.end())
    if (double seconds = atof(given->second.c_str()); seconds > 0)
      patience = seconds;
  const Properties defaults = {{"client_encoding", "UTF8"},
                               {"keepalives_idle", "30"},
                               {"keepalives_interval", "10"},
                               {"keepalives_count", "3"},
                               {"application_name", "sluice"}};
  settings.insert(defaults.begin(), defaults.end());
  if (!options.empty())
    settings["options"] += options;
  shown = settings["host"] + ":" + settings["port"] + "/" + settings["dbname"];
  return "";
}

int32_t Address::read(ParamOp &op) {
  Properties configuration, file;
  if (readConfiguration(op, configuration) || readPropertiesFile(op, "jdbcProperties", file))
    return 1;
  login.take(configuration);
  for (auto [name, to] : {std::pair{"jdbcUrl", &login.url},
                          {"jdbcUser", &login.user},
                          {"jdbcPassword", &login.password}})
    if (op.param(name))
      *to = op.text(name, "");
  login.take(file);
  if (op.param("credentials"))
    configuration["credentials"] = op.text("credentials", "");
  std::string wrong = takeCredentials(configuration, login);
  if (wrong.empty())
    wrong = use(op);
  return wrong.empty() ? 0 : sl_error(op.ctx, "%s", wrong.c_str());
}

std::string Address::follow(ParamOp &op, const std::string &json) {
  Address next;
  next.options = options;
  next.login = login;
  Properties order, file;
  std::string wrong = readObject(json, order);
  for (const auto &[name, value] : order) {
    constexpr std::string_view known[] = {"jdbcClassName", "jdbcUrl",        "jdbcUser",
                                          "jdbcPassword",  "jdbcProperties", "credentials"};
    if (std::find(std::begin(known), std::end(known), name) == std::end(known))
      wrong = "it takes no " + name;
  }
  next.login.take(order);
  if (auto named = order.find("jdbcProperties");
      wrong.empty() && named != order.end() && !named->second.empty()) {
    wrong = readProperties(op, named->second, file);
    next.login.take(file);
  }
  if (wrong.empty())
    wrong = takeCredentials(order, next.login);
  if (wrong.empty())
    wrong = next.use(op);
  if (wrong.empty())
    *this = std::move(next);
  return wrong;
}

} // namespace sluice::jdbc
