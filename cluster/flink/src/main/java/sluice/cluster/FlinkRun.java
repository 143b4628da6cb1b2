package sluice.cluster;

import java.nio.file.Path;
import java.util.List;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

/** The main class of a program that is one jar: for `flink run` and the upload of Flink's page. */
public final class FlinkRun {
  private FlinkRun() {}

  /** Arguments are options and values of a run, as of `sluice submit`. */
  public static void main(String[] arguments) throws Exception {
    var jar = FlinkRun.class.getProtectionDomain().getCodeSource().getLocation();
    try (App app = App.at(Path.of(jar.toURI()))) {
      Plan plan = new Plan(app, List.of(arguments));
      var env = StreamExecutionEnvironment.getExecutionEnvironment(plan.configuration());
      plan.addTo(env);
      env.execute(plan.job.program);
    }
  }
}
