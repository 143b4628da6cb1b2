package sluice.cluster;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.FutureTask;
import java.util.concurrent.Semaphore;
import org.apache.flink.api.common.operators.MailboxExecutor;
import org.apache.flink.runtime.checkpoint.CheckpointOptions;
import org.apache.flink.runtime.state.CheckpointStreamFactory;
import org.apache.flink.runtime.state.StateInitializationContext;
import org.apache.flink.runtime.state.StatePartitionStreamProvider;
import org.apache.flink.streaming.api.operators.AbstractInput;
import org.apache.flink.streaming.api.operators.AbstractStreamOperatorV2;
import org.apache.flink.streaming.api.operators.BoundedMultiInput;
import org.apache.flink.streaming.api.operators.Input;
import org.apache.flink.streaming.api.operators.MultipleInputStreamOperator;
import org.apache.flink.streaming.api.operators.OperatorSnapshotFutures;
import org.apache.flink.streaming.api.operators.StreamOperatorParameters;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.shaded.guava33.com.google.common.primitives.Bytes;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One PE as a Flink operator. Its inputs are the PEs that send to it, or the idle source where
 * there are none; its side outputs are the PEs that it sends to. What the PE says comes to the
 * task's thread as mails, in its order: nobody else touches outputs.
 */
final class PeOperator extends AbstractStreamOperatorV2<byte[]>
    implements MultipleInputStreamOperator<byte[]>, BoundedMultiInput, PeProcess.Listener {
  private static final Logger LOG = LoggerFactory.getLogger(PeOperator.class);
  /** Frames that wait for the task's thread. Then the pipe fills, and the PE's senders wait. */
  private static final int MOST_WAITING = 32;

  private static final int RESTORE_PART = 1 << 20;

  private final PeSpec spec;
  private final MailboxExecutor mailbox;
  private final Semaphore room = new Semaphore(MOST_WAITING);
  private final Map<Long, Integer> credits = new HashMap<>(); // by link and sender
  private final Map<Long, CompletableFuture<byte[]>> states = new ConcurrentHashMap<>();
  private PeProcess process;
  private PeMetrics metrics;
  private byte[] restored = new byte[0];
  private long restoredCheckpoint;
  private long cut = -1; // the checkpoint whose cut was answered last
  private String givenUp = ""; // why it was not made
  private final Set<Long> ended = new HashSet<>(); // links that it has sent the end of
  private boolean drains; // its sources were told to end
  private boolean over;
  private volatile boolean closing;

  PeOperator(StreamOperatorParameters<byte[]> parameters, PeSpec spec) {
    super(parameters, Math.max(spec.inputs, 1));
    this.spec = spec;
    this.mailbox = parameters.getMailboxExecutor();
  }

  @Override
  @SuppressWarnings("rawtypes")
  public List<Input> getInputs() {
    List<Input> inputs = new ArrayList<>();
    for (int i = 1; i <= Math.max(spec.inputs, 1); i++) {
      inputs.add(
          new AbstractInput<byte[], byte[]>(this, i) {
            @Override
            public void processElement(StreamRecord<byte[]> element) throws Exception {
              give(element.getValue());
            }
          });
    }
    return inputs;
  }

  // ---- beginning ------------------------------------------------------------------------------

  @Override
  public void initializeState(StateInitializationContext context) throws Exception {
    super.initializeState(context);
    restoredCheckpoint = context.getRestoredCheckpointId().orElse(0);
    for (StatePartitionStreamProvider part : context.getRawOperatorStateInputs()) {
      try (var stream = part.getStream()) { // of a savepoint that was fitted: of each old PE
        restored = Bytes.concat(restored, RawState.read(stream));
      }
    }
  }

  @Override
  public void open() throws Exception {
    super.open();
    String name = PeSpec.executableFor(System.getProperty("os.arch"));
    File executable;
    try {
      executable = getRuntimeContext().getDistributedCache().getFile(name);
    } catch (IllegalArgumentException none) {
      throw new IOException("the job has no executable for this processor: " + name, none);
    }
    metrics = new PeMetrics(getMetricGroup());
    process = new PeProcess(spec, executable);
    long job = getRuntimeContext().getJobInfo().getJobId().getLowerPart();
    int relaunches = getRuntimeContext().getTaskInfo().getAttemptNumber();
    process.write(Wire.HELLO, Wire.hello(spec.pe, job, spec.program, spec.saves, relaunches));
    process.awaitHello();
    for (int at = 0; at < restored.length; at += RESTORE_PART) {
      process.write(Wire.RESTORE, restored, at, Math.min(RESTORE_PART, restored.length - at));
    }
    process.write(Wire.BEGIN, Wire.number(restored.length > 0 ? restoredCheckpoint : 0));
    LOG.info("PE {} is process {}; state: {} bytes", spec.pe, process.pid(), restored.length);
    restored = new byte[0];
    process.listen(this);
  }

  // ---- what the PE says -----------------------------------------------------------------------

  /** By the thread that reads. Large state goes by the task's thread. */
  @Override
  public void frame(byte type, byte[] content) throws InterruptedException {
    if (type == Wire.STATE) {
      states
          .computeIfAbsent(Wire.wrap(content).getLong(), number -> new CompletableFuture<>())
          .complete(content);
      return;
    }
    if (type == Wire.METRICS) {
      metrics.take(new String(content, StandardCharsets.UTF_8));
      return;
    }
    room.acquire();
    mailbox.execute(
        () -> {
          room.release();
          take(type, content);
        },
        "a frame of PE " + spec.pe);
  }

  @Override
  public void ended(int code, IOException wrong) {
    if (closing) {
      return;
    }
    boolean isEnd = wrong == null && code == 0 && !spec.saves;
    Exception failure = isEnd ? null : process.failure(code, wrong);
    if (failure != null) {
      states.values().forEach(state -> state.completeExceptionally(failure));
    }
    mailbox.execute(
        () -> {
          if (failure != null) {
            throw failure;
          }
          setOver();
        },
        "the end of PE " + spec.pe);
  }

  private void take(byte type, byte[] content) throws IOException {
    switch (type) {
      case Wire.DATA, Wire.END -> emit(type, content);
      case Wire.GRANT ->
          credits.merge(
              Wire.linkAt(content, 0), Wire.wrap(content).getInt(Wire.LINK), Integer::sum);
      case Wire.CUT_DONE -> {
        cut = Wire.wrap(content).getLong();
        givenUp = new String(content, 8, content.length - 8, StandardCharsets.UTF_8);
      }
      case Wire.OVER -> setOver();
      default -> throw new IOException("PE " + spec.pe + " sends a frame of type " + type);
    }
  }

  private void emit(byte type, byte[] content) throws IOException {
    if (type == Wire.END) {
      ended.add(Wire.linkAt(content, 0));
    }
    var tag = spec.tagOf(Wire.wrap(content).getInt());
    if (tag == null) {
      throw new IOException("PE " + spec.pe + " sends over a link that it does not have");
    }
    output.collect(tag, new StreamRecord<>(Wire.record(type, content)));
  }

  /** A stream that has no end, as that of an Import, is over all the same. */
  private void setOver() throws IOException {
    over = true;
    for (byte[] link : spec.links()) {
      if (!ended.contains(Wire.linkAt(link, 0))) {
        emit(Wire.GONE, link);
      }
    }
    IdleSource.endOf(spec.name).complete(null);
  }

  // ---- what it gets ---------------------------------------------------------------------------

  /** Waits until the PE has granted it. What the PE says meanwhile is carried on. */
  private void give(byte[] record) throws Exception {
    if (record[0] == Wire.STOP) {
      drain();
      return;
    }
    if (record[0] == Wire.DATA) {
      long link = Wire.linkAt(record, 1);
      while (credits.getOrDefault(link, 0) == 0) {
        mailbox.yield();
      }
      credits.merge(link, -1, Integer::sum);
    }
    process.write(record[0], record, 1, record.length - 1);
  }

  /** The end of each stream has come as a record. That of an idle source may be Flink's wish. */
  @Override
  public void endInput(int input) throws Exception {
    if (spec.inputs == 0) {
      drain();
    }
  }

  // ---- checkpoints ----------------------------------------------------------------------------

  /** When it returns all that belongs before the barrier was emitted. */
  @Override
  public void prepareSnapshotPreBarrier(long checkpoint) throws Exception {
    if (!spec.saves) { // what Flink asks for when a job was drained has nothing in it
      givenUp = over ? "" : "the job was submitted without checkpoints (--checkpoint-every)";
      return;
    }
    process.write(Wire.CUT, Wire.number(checkpoint));
    while (cut != checkpoint) {
      mailbox.yield();
    }
  }

  /** The PE saves while it goes on; another thread hands that to Flink. */
  @Override
  public OperatorSnapshotFutures snapshotState(
      long checkpoint, long time, CheckpointOptions options, CheckpointStreamFactory factory)
      throws Exception {
    OperatorSnapshotFutures futures = super.snapshotState(checkpoint, time, options, factory);
    String why = givenUp;
    if (!spec.saves && why.isEmpty()) {
      return futures;
    }
    CompletableFuture<byte[]> state =
        why.isEmpty()
            ? states.computeIfAbsent(checkpoint, number -> new CompletableFuture<>())
            : CompletableFuture.failedFuture(new IOException("PE " + spec.pe + ": " + why));
    futures.setOperatorStateRawFuture(
        new FutureTask<>(() -> RawState.write(stateOf(checkpoint, state), spec, factory)));
    return futures;
  }

  private byte[] stateOf(long checkpoint, CompletableFuture<byte[]> state) throws Exception {
    byte[] content = state.get();
    states.remove(checkpoint);
    if (content.length <= 8) {
      throw new IOException("PE " + spec.pe + " could not save its state: " + process.lastError());
    }
    return content;
  }

  @Override
  public void notifyCheckpointComplete(long checkpoint) throws Exception {
    super.notifyCheckpointComplete(checkpoint);
    if (spec.saves) {
      process.write(Wire.COMMITTED, Wire.number(checkpoint));
    }
  }

  // ---- the end --------------------------------------------------------------------------------

  /** Its sources end, and those behind it: Flink itself ends only what nobody sends to. */
  private void drain() throws IOException {
    if (drains || over) {
      return;
    }
    drains = true;
    process.write(Wire.STOP, new byte[0]);
    for (var tag : spec.tags()) {
      output.collect(tag, new StreamRecord<>(new byte[] {Wire.STOP}));
    }
  }

  /** A PE may have sources of its own, and work for longer than those that send to it. */
  @Override
  public void finish() throws Exception {
    while (!over) {
      mailbox.yield();
    }
    super.finish();
  }

  @Override
  public void close() throws Exception {
    closing = true;
    IdleSource.forget(spec.name);
    if (process != null) {
      if (over && spec.saves) {
        try {
          process.write(Wire.CLOSE, new byte[0]);
        } catch (IOException | RuntimeException gone) {
          LOG.warn("PE {} has gone before it was told to end", spec.pe);
        }
      }
      process.end(over);
    }
    super.close();
  }
}
