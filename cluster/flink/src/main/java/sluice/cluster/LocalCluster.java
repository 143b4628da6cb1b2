package sluice.cluster;

import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A cluster of processes on this machine: to try and to test. */
final class LocalCluster {
  private static final long PATIENCE = TimeUnit.SECONDS.toNanos(180);
  private static final List<String> JVM =
      List.of(
          "--add-opens=java.base/java.util=ALL-UNNAMED",
          "--add-opens=java.base/java.lang=ALL-UNNAMED",
          "--add-opens=java.base/java.util.concurrent=ALL-UNNAMED",
          "--add-opens=java.base/java.net=ALL-UNNAMED",
          "--add-opens=java.base/java.nio=ALL-UNNAMED",
          "--add-opens=java.base/java.time=ALL-UNNAMED",
          "--add-exports=java.base/sun.net.util=ALL-UNNAMED",
          "-XX:+UseSerialGC",
          "-XX:TieredStopAtLevel=1");
  /** Of a host: all that Flink wants to be told where no script of its own computes it. */
  private static final String[] MEMORY = {
    "task.heap.size=128m",
    "task.off-heap.size=0m",
    "framework.heap.size=64m",
    "framework.off-heap.size=64m",
    "managed.size=16m",
    "jvm-metaspace.size=128m",
    "jvm-overhead.min=192m",
    "jvm-overhead.max=192m"
  };

  private final Path folder;
  private final String here; // its address

  private LocalCluster(Options options) {
    here = options.has("address") ? options.one("address") : "127.0.0.1";
    folder = Path.of(options.one("dir")).toAbsolutePath().normalize();
  }

  static int up(Options options) throws IOException, InterruptedException {
    return new LocalCluster(options).up(options.number("hosts", 2), options.number("slots", 4),
        options.number("port", 8081), options.has("standby"));
  }

  static int down(Options options) throws IOException, InterruptedException {
    LocalCluster cluster = new LocalCluster(options);
    if (!Files.exists(cluster.pids())) {
      throw new UsageException(cluster.folder + " has no cluster that `sluice cluster up` started");
    }
    cluster.end();
    return 0;
  }

  private Path pids() {
    return folder.resolve("processes");
  }

  private int up(int hosts, int slots, int port, boolean hasStandby)
      throws IOException, InterruptedException {
    if (!running().isEmpty()) {
      throw new UsageException("a cluster runs in " + folder + " already");
    }
    for (String each : List.of("conf", "log", "checkpoints", "savepoints", "tmp")) {
      Files.createDirectories(folder.resolve(each));
    }
    List<Rest.Address> masters = new ArrayList<>(List.of(new Rest.Address(here, free(port))));
    String keeper = "";
    Files.writeString(pids(), "");
    Files.writeString(folder.resolve("conf/log4j.properties"), logging());
    if (hasStandby) {
      masters.add(new Rest.Address(here, free(0)));
      keeper = startKeeper();
    }
    Files.writeString(folder.resolve("conf/config.yaml"), configuration(free(0), keeper));
    for (Rest.Address master : masters) {
      start(
          "master" + (masters.get(0) == master ? "" : "-standby"),
          "-Xmx256m",
          "entrypoint.StandaloneSessionClusterEntrypoint",
          List.of("-D", "rest.port=" + master.port()));
    }
    for (int host = 0; host < hosts; host++) {
      startHost(host, slots);
    }
    await(new Rest(masters), hosts, hosts + masters.size() + (hasStandby ? 1 : 0));
    String address = masters.stream().map(Rest.Address::toString).collect(Collectors.joining(","));
    Files.writeString(folder.resolve("address"), address + "\n");
    System.out.println(address);
    return 0;
  }

  /** ZooKeeper, by which masters agree who leads. Its address. */
  private String startKeeper() throws IOException {
    remove(folder.resolve("zookeeper")); // else jobs of the last time would start again
    remove(folder.resolve("ha"));
    Files.createDirectories(folder.resolve("ha"));
    Rest.Address keeper = new Rest.Address(here, free(0));
    Files.writeString(
        folder.resolve("conf/zoo.cfg"),
        String.join(
            "\n",
            "dataDir=" + folder.resolve("zookeeper"),
            "clientPort=" + keeper.port(),
            "clientPortAddress=" + keeper.host(),
            "admin.enableServer=false",
            "tickTime=500",
            ""));
    start(
        "zookeeper",
        "-Xmx64m",
        "zookeeper.FlinkZooKeeperQuorumPeer",
        List.of("--zkConfigFile", folder.resolve("conf/zoo.cfg").toString(), "--peerId", "1"));
    return keeper.toString();
  }

  private static void remove(Path folder) throws IOException {
    if (!Files.exists(folder)) {
      return;
    }
    try (Stream<Path> all = Files.walk(folder)) {
      for (Path each : all.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(each);
      }
    }
  }

  private void startHost(int host, int slots) throws IOException {
    List<String> own = new ArrayList<>();
    own.addAll(List.of("-D", "taskmanager.resource-id=host" + host));
    own.addAll(List.of("-D", "taskmanager.cpu.cores=" + slots));
    own.addAll(List.of("-D", "taskmanager.numberOfTaskSlots=" + slots));
    for (String size : MEMORY) {
      own.addAll(List.of("-D", "taskmanager.memory." + size));
    }
    int network = Math.max(32, 8 * slots);
    for (String bound : List.of("min", "max")) {
      own.addAll(List.of("-D", "taskmanager.memory.network." + bound + "=" + network + "m"));
    }
    start("host" + host, "-Xmx192m", "taskexecutor.TaskManagerRunner", own);
  }

  /** The port itself, if it is free; 0: any. */
  private int free(int port) throws IOException {
    try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getByName(here))) {
      return socket.getLocalPort();
    } catch (UnknownHostException none) {
      throw new UsageException("--address: there is no address " + here);
    } catch (IOException taken) {
      throw new UsageException(
          port == 0
              ? "cannot listen at " + here + ": " + taken.getMessage()
              : "port " + port + " of " + here + " is taken: give another one by --port");
    }
  }

  private String configuration(int rpc, String keeper) {
    return String.join(
        "\n",
        "jobmanager.rpc.address: " + here,
        "jobmanager.rpc.port: " + rpc,
        "jobmanager.bind-host: " + here,
        "jobmanager.memory.process.size: 768m",
        "rest.address: " + here,
        "rest.bind-address: " + here,
        "web.submit.enable: false",
        "taskmanager.host: " + here,
        "taskmanager.bind-host: " + here,
        "taskmanager.load-balance.mode: SLOTS",
        "heartbeat.interval: 1000",
        "heartbeat.timeout: 10000",
        "io.tmp.dirs: " + folder.resolve("tmp"),
        "execution.checkpointing.dir: " + folder.resolve("checkpoints").toUri(),
        "execution.checkpointing.savepoint-dir: " + folder.resolve("savepoints").toUri(),
        "state.backend.type: hashmap",
        keeper.isEmpty() ? "" : agreement(keeper));
  }

  /** How masters agree who leads. */
  private String agreement(String keeper) {
    return String.join(
        "\n",
        "high-availability.type: zookeeper",
        "high-availability.storageDir: " + folder.resolve("ha").toUri(),
        "high-availability.zookeeper.quorum: " + keeper,
        "high-availability.zookeeper.client.session-timeout: 5000",
        "high-availability.zookeeper.client.connection-timeout: 5000",
        "");
  }

  private static String logging() {
    return String.join(
        "\n",
        "rootLogger.level = INFO",
        "rootLogger.appenderRef.f.ref = F",
        "appender.f.name = F",
        "appender.f.type = File",
        "appender.f.fileName = ${sys:log.file}",
        "appender.f.layout.type = PatternLayout",
        "appender.f.layout.charset = UTF-8",
        "appender.f.layout.pattern = %d %-5p %c{1} - %m%n",
        "");
  }

  /** In a session of its own, so that what ends this command does not end it. */
  private void start(String name, String heap, String entry, List<String> own)
      throws IOException {
    Path log = folder.resolve("log").resolve(name + ".log");
    List<String> command = new ArrayList<>(List.of("setsid", java(), heap));
    command.addAll(JVM);
    command.add("-Dlog.file=" + log);
    command.add("-Dlog4j.configurationFile=" + folder.resolve("conf/log4j.properties").toUri());
    command.addAll(List.of("-cp", System.getProperty("sluice.lib") + "/*"));
    command.add("org.apache.flink.runtime." + entry);
    if (!entry.startsWith("zookeeper.")) {
      command.addAll(List.of("--configDir", folder.resolve("conf").toString()));
    }
    command.addAll(own);
    File out = folder.resolve("log").resolve(name + ".out").toFile();
    Process process =
        new ProcessBuilder(command)
            .redirectInput(new File("/dev/null"))
            .redirectOutput(out)
            .redirectErrorStream(true)
            .start();
    Files.writeString(pids(), process.pid() + " " + name + "\n",
        java.nio.file.StandardOpenOption.APPEND);
  }

  private static String java() {
    return Path.of(System.getProperty("java.home"), "bin", "java").toString();
  }

  private void await(Rest rest, int hosts, int processes) throws IOException, InterruptedException {
    for (long end = System.nanoTime() + PATIENCE; System.nanoTime() < end; Thread.sleep(200)) {
      if (running().size() < processes) {
        end();
        throw new UsageException("a process of the cluster has ended: see " + folder + "/log");
      }
      try {
        if (rest.get("/overview").path("taskmanagers").asInt() >= hosts) {
          return;
        }
      } catch (UsageException | IOException notYet) {
        // it starts
      }
    }
    end();
    throw new UsageException("the cluster did not start in time: see " + folder + "/log");
  }

  /** Processes of this cluster, and no others that got their numbers since. */
  private List<ProcessHandle> running() throws IOException {
    List<ProcessHandle> found = new ArrayList<>();
    if (!Files.exists(pids())) {
      return found;
    }
    for (String line : Files.readAllLines(pids())) {
      long pid = Long.parseLong(line.split(" ")[0]);
      Path about = Path.of("/proc", String.valueOf(pid), "cmdline");
      if (Files.exists(about) && Files.readString(about).contains(folder.toString())) {
        ProcessHandle.of(pid).filter(ProcessHandle::isAlive).ifPresent(found::add);
      }
    }
    return found;
  }

  private void end() throws IOException, InterruptedException {
    running().forEach(ProcessHandle::destroy);
    for (int i = 0; i < 100 && !running().isEmpty(); i++) {
      Thread.sleep(100);
    }
    running().forEach(ProcessHandle::destroyForcibly);
    Files.deleteIfExists(pids());
  }
}
