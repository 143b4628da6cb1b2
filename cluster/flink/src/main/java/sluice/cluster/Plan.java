package sluice.cluster;

import java.io.File;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.flink.api.common.RuntimeExecutionMode;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.typeinfo.PrimitiveArrayTypeInfo;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.dag.Transformation;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.transformations.MultipleInputTransformation;
import org.apache.flink.streaming.api.transformations.SideOutputTransformation;

/** A program and the arguments of a run, as a job of Flink. */
final class Plan {
  /** Work is dealt out by Sluice: of Flink's key groups this is only the bound of a parallelism. */
  static final int MAX_PARALLELISM = 128;

  private static final TypeInformation<byte[]> BYTES =
      PrimitiveArrayTypeInfo.BYTE_PRIMITIVE_ARRAY_TYPE_INFO;
  private static final String EVERY = "--checkpoint-every=";
  private static final String DATA = "--data-dir";
  private static final Pattern TIME = Pattern.compile("([0-9.]+)(s|ms|us)");
  private static final Map<String, Double> UNITS = Map.of("s", 1.0, "ms", 1e-3, "us", 1e-6);

  final JobSpec job;
  final boolean saves;
  private final App app;
  private final double seconds; // from one checkpoint to the next
  private final List<String> arguments = new ArrayList<>();
  private final Map<String, String> hidden;

  Plan(App app, List<String> words) throws IOException, InterruptedException {
    this.app = app;
    double asked = 0; // of Flink, not of the PEs
    for (String word : words) {
      if (word.startsWith(EVERY)) {
        asked = parseSeconds(word.substring(EVERY.length()));
      } else {
        arguments.add(word);
      }
    }
    if (arguments.stream().noneMatch(word -> word.startsWith(DATA))) {
      arguments.add(0, DATA + "=" + new File("data").getAbsolutePath()); // on all hosts the same
    }
    job = app.describe(arguments);
    hidden = HiddenValues.take(arguments, job);
    seconds = asked > 0 ? asked : job.period;
    saves = seconds > 0;
  }

  private static double parseSeconds(String text) {
    Matcher time = TIME.matcher(text);
    try {
      double seconds =
          time.matches() ? Double.parseDouble(time.group(1)) * UNITS.get(time.group(2)) : 0;
      if (seconds > 0) {
        return seconds;
      }
    } catch (NumberFormatException wrong) {
      // as any other text
    }
    throw new UsageException("--checkpoint-every needs a time like 10s or 200ms");
  }

  /** Without checkpoints a job that was started again would do all of its work twice. */
  Configuration configuration() {
    Configuration conf = new Configuration();
    conf.setString("restart-strategy.type", saves ? "exponential-delay" : "none");
    conf.setString("restart-strategy.exponential-delay.initial-backoff", "100 ms");
    conf.setString("restart-strategy.exponential-delay.max-backoff", "10 s");
    conf.setString("restart-strategy.exponential-delay.reset-backoff-threshold", "1 min");
    return conf;
  }

  void addTo(StreamExecutionEnvironment env) throws IOException {
    env.setRuntimeMode(RuntimeExecutionMode.STREAMING);
    env.setParallelism(1);
    env.setMaxParallelism(MAX_PARALLELISM);
    if (saves) {
      env.enableCheckpointing(Math.max(10, Math.round(seconds * 1000)));
      env.getCheckpointConfig().setTolerableCheckpointFailureNumber(Integer.MAX_VALUE);
      env.getCheckpointConfig().setMaxConcurrentCheckpoints(1);
    }
    for (var executable : app.executables().entrySet()) {
      env.registerCachedFile(
          executable.getValue().toUri().toString(), executable.getKey(), true);
    }
    Map<Integer, Transformation<byte[]>> made = new HashMap<>();
    for (int pe : job.inOrder()) {
      made.put(pe, operator(env, pe, made));
    }
  }

  /** Of a PE, behind those that send to it. */
  private Transformation<byte[]> operator(
      StreamExecutionEnvironment env, int pe, Map<Integer, Transformation<byte[]>> made) {
    String group = PeSpec.uid(pe);
    PeSpec spec = new PeSpec(job, pe, saves, arguments, hidden);
    var operator =
        new MultipleInputTransformation<>(
            "PE " + pe + ": " + job.pes.get(pe), new PeOperatorFactory(spec), BYTES, 1);
    if (spec.inputs == 0) {
      operator.addInput(idle(env, spec, group));
    }
    for (int sender : job.sendersTo(pe)) {
      operator.addInput(new SideOutputTransformation<>(made.get(sender), PeSpec.tagTo(pe)));
    }
    operator.setUid(group);
    operator.setSlotSharingGroup(group);
    env.addOperator(operator);
    return operator;
  }

  private static Transformation<byte[]> idle(
      StreamExecutionEnvironment env, PeSpec spec, String group) {
    Transformation<byte[]> idle =
        env.fromSource(
                new IdleSource(spec.name),
                WatermarkStrategy.noWatermarks(),
                "until PE " + spec.pe,
                BYTES)
            .getTransformation();
    idle.setUid("idle-" + spec.pe);
    idle.setSlotSharingGroup(group);
    return idle;
  }
}
