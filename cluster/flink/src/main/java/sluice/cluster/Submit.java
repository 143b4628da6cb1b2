package sluice.cluster;

import java.io.File;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import org.apache.flink.api.common.RuntimeExecutionMode;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.typeinfo.PrimitiveArrayTypeInfo;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.dag.Transformation;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.runtime.jobgraph.SavepointRestoreSettings;
import org.apache.flink.streaming.api.environment.RemoteStreamEnvironment;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.transformations.MultipleInputTransformation;
import org.apache.flink.streaming.api.transformations.SideOutputTransformation;

/** Makes Flink's job of a program and submits it. */
final class Submit {
  /** Work is dealt out by Sluice: of Flink's key groups this is only the bound of a parallelism. */
  private static final int MAX_PARALLELISM = 128;

  private static final TypeInformation<byte[]> BYTES =
      PrimitiveArrayTypeInfo.BYTE_PRIMITIVE_ARRAY_TYPE_INFO;

  private Submit() {}

  static int run(Options options) throws Exception {
    JobSpec job = JobSpec.read(new File(options.one("job")));
    double seconds =
        options.has("every") ? Double.parseDouble(options.one("every")) : job.period;
    boolean saves = seconds > 0;
    if (options.has("from") && !saves) {
      throw new UsageException(
          "--from needs a job with checkpoints: --checkpoint-every, or @consistent in the program");
    }
    Rest rest = new Rest(Rest.Address.parseAll(options.one("at")));
    int free = rest.get("/overview").path("slots-available").asInt();
    Rest.Address at = rest.address();
    if (free < job.pes.size()) {
      System.err.printf(
          "sluice: warning: the job waits for slots: it needs %d, and %d are free at %s%n",
          job.pes.size(), free, at);
    }
    StreamExecutionEnvironment env =
        new RemoteStreamEnvironment(
            at.host(),
            at.port(),
            configuration(saves),
            new String[] {options.one("host-jar")},
            null,
            restoreSettings(options, job));
    env.setRuntimeMode(RuntimeExecutionMode.STREAMING);
    env.setParallelism(1);
    env.setMaxParallelism(MAX_PARALLELISM);
    if (saves) {
      env.enableCheckpointing(Math.max(10, Math.round(seconds * 1000)));
      env.getCheckpointConfig().setTolerableCheckpointFailureNumber(Integer.MAX_VALUE);
      env.getCheckpointConfig().setMaxConcurrentCheckpoints(1);
    }
    for (String executable : options.all("pe")) {
      String[] parts = executable.split("=", 2);
      env.registerCachedFile(
          new File(parts[1]).toURI().toString(), PeSpec.executableFor(parts[0]), true);
    }
    build(env, job, saves, options);
    var client = env.executeAsync(job.program);
    System.out.println(client.getJobID());
    return options.has("wait") ? Jobs.await(rest, client.getJobID().toString()) : 0;
  }

  /**
   * A program with other PEs has other idle sources. The state of those that it has not is none:
   * Flink is to ignore that. PeOperator sees whether all else has its place.
   */
  private static SavepointRestoreSettings restoreSettings(Options options, JobSpec job)
      throws IOException {
    if (!options.has("from")) {
      return SavepointRestoreSettings.none();
    }
    String savepoint = Rescale.fit(options.one("from"), job, MAX_PARALLELISM);
    return SavepointRestoreSettings.forPath(savepoint, true);
  }

  /** Without checkpoints a job that was started again would do all of its work twice. */
  private static Configuration configuration(boolean saves) {
    Configuration conf = new Configuration();
    conf.setString("restart-strategy.type", saves ? "exponential-delay" : "none");
    conf.setString("restart-strategy.exponential-delay.initial-backoff", "100 ms");
    conf.setString("restart-strategy.exponential-delay.max-backoff", "10 s");
    conf.setString("restart-strategy.exponential-delay.reset-backoff-threshold", "1 min");
    return conf;
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

  /** Values of the program that are on no command line: the driver has named them so. */
  private static Map<String, String> hiddenValues() {
    Map<String, String> values = new HashMap<>(System.getenv());
    values.keySet().removeIf(name -> !name.startsWith("SLUICE_VALUE_"));
    return values;
  }

  private static void build(
      StreamExecutionEnvironment env, JobSpec job, boolean saves, Options options)
      throws Exception {
    Map<Integer, Transformation<byte[]>> made = new HashMap<>();
    for (int pe : job.inOrder()) {
      String group = PeSpec.uid(pe);
      PeSpec spec = new PeSpec(job, pe, saves, options.rest, hiddenValues());
      var operator =
          new MultipleInputTransformation<>(
              "PE " + pe + ": " + job.pes.get(pe), new PeOperatorFactory(spec), BYTES, 1);
      if (spec.inputs == 0) {
        operator.addInput(idle(env, spec, group));
      }
      for (int sender : job.sendersTo(pe)) {
        operator.addInput(
            new SideOutputTransformation<>(made.get(sender), PeSpec.tagTo(pe)));
      }
      operator.setUid(group);
      operator.setSlotSharingGroup(group);
      env.addOperator(operator);
      made.put(pe, operator);
    }
  }
}
