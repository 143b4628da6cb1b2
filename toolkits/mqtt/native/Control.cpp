//===- Control.cpp - what the control ports of both operators take --------===//
#include "stdlib/native/connect/ControlPort.h"
#include "toolkits/json/native/Writer.h"

namespace sluice::mqtt {
namespace {

/// Tuples as JSON: their map is mqttConfig, and their list is topic, whatever their names.
template <bool isSource> class Control : public ControlInput {
  std::string check(const TypeDesc &type) override {
    for (uint32_t i = 0; i < type.count; ++i)
      if (isConfig(*type.fields[i].type) || (isSource && type.fields[i].type->kind == Kind::List))
        return "";
    return isSource ? "the control port takes topics, a list of tuples, and mqttConfig, a "
                      "map<rstring, rstring>: the type is MQTTSourceUpdate.ControlPortType"
                    : "the control port takes mqttConfig, a map<rstring, rstring>: the type is "
                      "MQTTSinkUpdate.ControlPortType";
  }
  std::string messageOf(const void *tuple) override {
    TextOut out;
    json::Writer writer(ctx, out, json::Times::Seconds, {});
    const TypeDesc &type = *desc->inTypes[0];
    out.put('{');
    for (uint32_t i = 0, put = 0; i < type.count; ++i) {
      const Field &field = type.fields[i];
      if (!isConfig(*field.type) && field.type->kind != Kind::List)
        continue;
      out.put(put++ ? "," : "");
      out.put(isConfig(*field.type) ? "\"mqttConfig\":" : "\"topic\":");
      writer.value(field.type, static_cast<const char *>(tuple) + field.offset);
    }
    out.put('}');
    return std::string(out.view());
  }
  static bool isConfig(const TypeDesc &type) {
    return type.kind == Kind::Map && type.elem->kind == Kind::RString &&
           type.value->kind == Kind::RString;
  }
};

RegisterNative ofSource("com.ibm.streamsx.mqtt::MQTTSource.control",
                        [] { return static_cast<NativeOp *>(new Control<true>); });
RegisterNative ofSink("com.ibm.streamsx.mqtt::MQTTSink.control",
                      [] { return static_cast<NativeOp *>(new Control<false>); });

} // namespace
} // namespace sluice::mqtt
