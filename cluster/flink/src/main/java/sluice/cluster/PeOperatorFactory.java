package sluice.cluster;

import org.apache.flink.streaming.api.operators.AbstractStreamOperatorFactory;
import org.apache.flink.streaming.api.operators.ChainingStrategy;
import org.apache.flink.streaming.api.operators.StreamOperator;
import org.apache.flink.streaming.api.operators.StreamOperatorParameters;

/** Makes the operator of a PE where Flink has placed it. */
final class PeOperatorFactory extends AbstractStreamOperatorFactory<byte[]> {
  private static final long serialVersionUID = 1;

  private final PeSpec spec;

  PeOperatorFactory(PeSpec spec) {
    this.spec = spec;
    setChainingStrategy(ChainingStrategy.HEAD);
  }

  @Override
  @SuppressWarnings("unchecked")
  public <T extends StreamOperator<byte[]>> T createStreamOperator(
      StreamOperatorParameters<byte[]> parameters) {
    return (T) new PeOperator(parameters, spec);
  }

  @Override
  @SuppressWarnings("rawtypes")
  public Class<? extends StreamOperator> getStreamOperatorClass(ClassLoader loader) {
    return PeOperator.class;
  }
}
