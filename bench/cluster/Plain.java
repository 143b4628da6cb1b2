import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.api.java.tuple.Tuple2;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.ProcessFunction;
import org.apache.flink.streaming.api.functions.sink.v2.DiscardingSink;
import org.apache.flink.util.Collector;

/** The work of Hop.spl as a Flink job in Java: HOST PORT JAR TUPLES FILE. */
public final class Plain {
  public static void main(String[] words) throws Exception {
    var env =
        StreamExecutionEnvironment.createRemoteEnvironment(
            words[0], Integer.parseInt(words[1]), words[2]);
    env.setParallelism(1);
    env.getConfig().enableObjectReuse();
    long tuples = Long.parseLong(words[3]);
    env.fromSequence(0, tuples - 1)
        .slotSharingGroup("from")
        .map(n -> new Tuple2<>(n, 3 * n))
        .returns(Types.TUPLE(Types.LONG, Types.LONG))
        .process(new Sum(words[4]))
        .slotSharingGroup("to")
        .sinkTo(new DiscardingSink<>());
    env.execute("plain");
  }

  /** Writes how many tuples a second came, from the first to the last one, and their sum. */
  static final class Sum extends ProcessFunction<Tuple2<Long, Long>, Long> {
    private final String file;
    private long sum;
    private long count;
    private long began;

    Sum(String file) {
      this.file = file;
    }

    @Override
    public void processElement(Tuple2<Long, Long> both, Context context, Collector<Long> to) {
      if (count++ == 0) {
        began = System.nanoTime();
      }
      sum += both.f0 + both.f1;
    }

    @Override
    public void close() throws Exception {
      double rate = count / ((System.nanoTime() - began) * 1e-9);
      Files.writeString(Path.of(file), rate + "," + sum + "\n");
    }
  }
}
