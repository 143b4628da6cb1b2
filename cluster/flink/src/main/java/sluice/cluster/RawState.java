package sluice.cluster;

import java.io.IOException;
import java.io.InputStream;
import java.util.Map;
import org.apache.flink.runtime.state.CheckpointStreamFactory;
import org.apache.flink.runtime.state.CheckpointedStateScope;
import org.apache.flink.runtime.state.DefaultOperatorStateBackend;
import org.apache.flink.runtime.state.OperatorStateHandle;
import org.apache.flink.runtime.state.OperatorStreamStateHandle;
import org.apache.flink.runtime.state.SnapshotResult;

/** What a PE has saved, as raw operator state of one part: `[u64 layout of the job][state]`. */
final class RawState {
  private static final int NUMBER = 8; // bytes in front, which belong to the frame

  private RawState() {}

  /** Reads the state of a PE. */
  static byte[] read(InputStream stream) throws IOException {
    stream.skipNBytes(Long.BYTES);
    return stream.readAllBytes();
  }

  /** Which operators were in which PEs (JobSpec.layout). */
  static long layoutOf(OperatorStateHandle part) throws IOException {
    try (InputStream stream = part.openInputStream()) {
      return Wire.wrap(stream.readNBytes(Long.BYTES)).getLong();
    }
  }

  static SnapshotResult<OperatorStateHandle> write(
      byte[] frame, PeSpec spec, CheckpointStreamFactory factory) throws IOException {
    try (var stream = factory.createCheckpointStateOutputStream(CheckpointedStateScope.EXCLUSIVE)) {
      long[] offsets = {stream.getPos()};
      stream.write(Wire.number(spec.layout));
      stream.write(frame, NUMBER, frame.length - NUMBER);
      var part =
          new OperatorStateHandle.StateMetaInfo(
              offsets, OperatorStateHandle.Mode.SPLIT_DISTRIBUTE);
      return SnapshotResult.of(
          new OperatorStreamStateHandle(
              Map.of(DefaultOperatorStateBackend.DEFAULT_OPERATOR_STATE_NAME, part),
              stream.closeAndGetHandle()));
    }
  }
}
