package sluice.cluster;

import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.flink.api.connector.source.Boundedness;
import org.apache.flink.api.connector.source.ReaderOutput;
import org.apache.flink.api.connector.source.Source;
import org.apache.flink.api.connector.source.SourceReader;
import org.apache.flink.api.connector.source.SourceReaderContext;
import org.apache.flink.api.connector.source.SourceSplit;
import org.apache.flink.api.connector.source.SplitEnumerator;
import org.apache.flink.api.connector.source.SplitEnumeratorContext;
import org.apache.flink.core.io.InputStatus;
import org.apache.flink.core.io.SimpleVersionedSerializer;

/**
 * The input of a PE that no other one sends to. It brings nothing and ends when the PE is over: so
 * Flink asks the PE for checkpoints, and does not end it too early. It is a task of its own in the
 * slot of the PE, so both are in one process, and find each other by name. (Where Flink chains a
 * source to such an operator, another master does not find its state again. A PE that others send
 * to has none: Flink would wait for barriers of such a source, which it does not ask for.)
 */
final class IdleSource implements Source<byte[], IdleSource.NoSplit, byte[]> {
  private static final long serialVersionUID = 1;
  private static final Map<String, CompletableFuture<Void>> ENDS = new ConcurrentHashMap<>();

  private final String name;

  IdleSource(String name) {
    this.name = name;
  }

  /** Of the PE that has this name. It is completed when that is over. */
  static CompletableFuture<Void> endOf(String name) {
    return ENDS.computeIfAbsent(name, each -> new CompletableFuture<>());
  }

  static void forget(String name) {
    ENDS.remove(name);
  }

  /** There is none. */
  static final class NoSplit implements SourceSplit {
    @Override
    public String splitId() {
      return "none";
    }
  }

  @Override
  public Boundedness getBoundedness() {
    return Boundedness.CONTINUOUS_UNBOUNDED;
  }

  @Override
  public SourceReader<byte[], NoSplit> createReader(SourceReaderContext context) {
    return new Reader(name);
  }

  @Override
  public SplitEnumerator<NoSplit, byte[]> createEnumerator(
      SplitEnumeratorContext<NoSplit> context) {
    return new Enumerator();
  }

  @Override
  public SplitEnumerator<NoSplit, byte[]> restoreEnumerator(
      SplitEnumeratorContext<NoSplit> context, byte[] state) {
    return new Enumerator();
  }

  @Override
  public SimpleVersionedSerializer<NoSplit> getSplitSerializer() {
    return new SimpleVersionedSerializer<>() {
      @Override
      public int getVersion() {
        return 1;
      }

      @Override
      public byte[] serialize(NoSplit split) {
        return new byte[0];
      }

      @Override
      public NoSplit deserialize(int version, byte[] bytes) {
        return new NoSplit();
      }
    };
  }

  @Override
  public SimpleVersionedSerializer<byte[]> getEnumeratorCheckpointSerializer() {
    return new SimpleVersionedSerializer<>() {
      @Override
      public int getVersion() {
        return 1;
      }

      @Override
      public byte[] serialize(byte[] bytes) {
        return bytes;
      }

      @Override
      public byte[] deserialize(int version, byte[] bytes) {
        return bytes;
      }
    };
  }

  private static final class Reader implements SourceReader<byte[], NoSplit> {
    private final String name;
    private final CompletableFuture<Void> end;

    Reader(String name) {
      this.name = name;
      end = endOf(name);
    }

    @Override
    public void start() {}

    @Override
    public InputStatus pollNext(ReaderOutput<byte[]> output) {
      return end.isDone() ? InputStatus.END_OF_INPUT : InputStatus.NOTHING_AVAILABLE;
    }

    @Override
    public List<NoSplit> snapshotState(long checkpoint) {
      return List.of();
    }

    @Override
    public CompletableFuture<Void> isAvailable() {
      return end;
    }

    @Override
    public void addSplits(List<NoSplit> splits) {}

    @Override
    public void notifyNoMoreSplits() {}

    @Override
    public void close() {
      forget(name);
    }
  }

  private static final class Enumerator implements SplitEnumerator<NoSplit, byte[]> {
    @Override
    public void start() {}

    @Override
    public void handleSplitRequest(int subtask, String host) {}

    @Override
    public void addSplitsBack(List<NoSplit> splits, int subtask) {}

    @Override
    public void addReader(int subtask) {}

    @Override
    public byte[] snapshotState(long checkpoint) {
      return new byte[0];
    }

    @Override
    public void close() {}
  }
}
