package sluice.cluster;

/** The commands of `sluice` that are about a cluster. The driver has checked their words. */
public final class Main {
  private Main() {}

  /** Ends with the exit code of the command. */
  public static void main(String[] arguments) {
    int code;
    try {
      code = run(new Options(arguments));
    } catch (UsageException wrong) {
      code = fail(wrong.getMessage());
    } catch (Exception wrong) {
      Throwable cause = wrong;
      while (cause.getCause() != null) {
        cause = cause.getCause();
      }
      code = fail(cause.getMessage() == null ? cause.toString() : cause.getMessage());
    }
    System.out.flush();
    Runtime.getRuntime().halt(code); // threads of Flink's client wait for some seconds
  }

  private static int fail(String message) {
    System.err.println("sluice: error: " + message);
    return 1;
  }

  private static int run(Options options) throws Exception {
    return switch (options.command) {
      case "up" -> LocalCluster.up(options);
      case "down" -> LocalCluster.down(options);
      case "pack" -> Pack.run(options);
      case "submit" -> Submit.run(options);
      case "jobs" -> Jobs.list(options);
      case "stop" -> Stop.run(options);
      default -> throw new UsageException("there is no command " + options.command);
    };
  }
}
