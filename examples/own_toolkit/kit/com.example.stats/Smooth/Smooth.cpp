#include <sluice/operator.h>
#include <stdexcept>

namespace {

class Smooth : public sluice::Operator {
  void start() override {
    in = input<SPL::float64>("value");
    out = output<SPL::float64>("value");
    weight = parameter<SPL::float64>("weight", 0.5);
    if (!(weight > 0 && weight <= 1))
      throw std::invalid_argument("weight is above 0 and at most 1");
  }
  void process(sluice::InTuple tuple, uint32_t) override {
    double value = tuple.get(in);
    mean = isFirst ? value : mean + weight * (value - mean);
    isFirst = false;
    sluice::OutTuple result(*this);
    result.copy(tuple); // attributes of the same name and type
    result.set(out, mean);
    submit(result);
  }
  void processWindow(uint32_t) override { submitWindow(); }

  sluice::Attribute<SPL::float64> in, out;
  double weight, mean = 0;
  bool isFirst = true;
};

SLUICE_OPERATOR("com.example.stats::Smooth", Smooth)

} // namespace
