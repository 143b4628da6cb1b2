package sluice.cluster;

import java.io.IOException;
import java.nio.file.Path;
import org.apache.flink.runtime.jobgraph.SavepointRestoreSettings;
import org.apache.flink.streaming.api.environment.RemoteStreamEnvironment;

/** `sluice submit`. */
final class Submit {
  private Submit() {}

  static int run(Options options) throws Exception {
    try (App app = App.at(Path.of(options.one("app")))) {
      Plan plan = new Plan(app, options.programWords());
      if (options.has("from") && !plan.saves) {
        throw new UsageException(
            "--from needs a job with checkpoints: --checkpoint-every, or @consistent in the"
                + " program");
      }
      Rest rest = new Rest(Rest.Address.parseAll(options.one("at")));
      String id = submit(plan, rest, options);
      System.out.println(id);
      return options.has("wait") ? Jobs.await(rest, id) : 0;
    }
  }

  private static String submit(Plan plan, Rest rest, Options options) throws Exception {
    int free = rest.get("/overview").path("slots-available").asInt();
    Rest.Address at = rest.address();
    if (free < plan.job.pes.size()) {
      System.err.printf(
          "sluice: warning: the job waits for slots: it needs %d, and %d are free at %s%n",
          plan.job.pes.size(), free, at);
    }
    var env =
        new RemoteStreamEnvironment(
            at.host(),
            at.port(),
            plan.configuration(),
            new String[] {options.one("host-jar")},
            null,
            restoreSettings(options, plan.job));
    plan.addTo(env);
    return env.executeAsync(plan.job.program).getJobID().toString();
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
    String savepoint = Rescale.fit(options.one("from"), job, Plan.MAX_PARALLELISM);
    return SavepointRestoreSettings.forPath(savepoint, true);
  }
}
