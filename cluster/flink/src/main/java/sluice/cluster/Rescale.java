package sluice.cluster;

import java.io.DataInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.apache.flink.core.fs.FileSystem;
import org.apache.flink.core.fs.Path;
import org.apache.flink.runtime.checkpoint.Checkpoints;
import org.apache.flink.runtime.checkpoint.OperatorState;
import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.apache.flink.runtime.checkpoint.metadata.CheckpointMetadata;
import org.apache.flink.runtime.jobgraph.OperatorID;
import org.apache.flink.runtime.state.OperatorStateHandle;
import org.apache.flink.runtime.state.OperatorStreamStateHandle;
import org.apache.flink.runtime.state.StreamStateHandle;
import org.apache.flink.runtime.state.filesystem.FileStateHandle;
import org.apache.flink.shaded.guava33.com.google.common.hash.Hashing;

/**
 * A savepoint of a job whose operators were in other PEs: each PE of the new job gets what all PEs
 * had, and takes what belongs to its operators. Nothing is copied: what is written is a list of
 * files, in the folder {@code for-...} of the savepoint.
 */
final class Rescale {
  private static final String METADATA = "_metadata"; // Flink's name

  private Rescale() {}

  /** The savepoint for this job: itself, if its operators are where they were. */
  static String fit(String savepoint, JobSpec job, int maxParallelism) throws IOException {
    Path folder = new Path(savepoint);
    if (folder.getName().equals(METADATA)) {
      folder = folder.getParent();
    }
    CheckpointMetadata before = read(folder);
    List<OperatorStateHandle> all = new ArrayList<>();
    for (OperatorState operator : before.getOperatorStates()) {
      for (OperatorSubtaskState subtask : operator.getStates()) {
        for (OperatorStateHandle part : subtask.getRawOperatorState()) {
          all.add(absolute(part));
        }
      }
    }
    if (all.isEmpty() || RawState.layoutOf(all.get(0)) == job.layout()) {
      return savepoint;
    }
    if (all.size() > maxParallelism) {
      throw new UsageException(
          "the savepoint is of "
              + all.size()
              + " PEs: of more than "
              + maxParallelism
              + " only the same PEs can go on from it");
    }
    List<OperatorState> operators = new ArrayList<>();
    for (int pe = 0; pe < job.pes.size(); pe++) {
      String uid = PeSpec.uid(pe);
      // As if it had run as several tasks, of which one is left: that one gets all parts.
      var operator = new OperatorState(null, uid, idOf(uid), all.size(), maxParallelism);
      for (int i = 0; i < all.size(); i++) {
        operator.putState(
            i, OperatorSubtaskState.builder().setRawOperatorState(all.get(i)).build());
      }
      operators.add(operator);
    }
    Path made = new Path(folder, "for-" + Long.toHexString(job.layout()));
    write(
        made,
        new CheckpointMetadata(before.getCheckpointId(), operators, before.getMasterStates()));
    return made.toString();
  }

  private static CheckpointMetadata read(Path folder) throws IOException {
    Path file = new Path(folder, METADATA);
    FileSystem files = file.getFileSystem();
    if (!files.exists(file)) {
      throw new UsageException(
          folder
              + " is no savepoint that can be read here: there is no file "
              + METADATA
              + ". This machine looks at it first, so the disk has to be one that it sees, too");
    }
    try (DataInputStream stream = new DataInputStream(files.open(file))) {
      return Checkpoints.loadCheckpointMetadata(
          stream, Rescale.class.getClassLoader(), folder.toString());
    }
  }

  private static void write(Path folder, CheckpointMetadata metadata) throws IOException {
    Path file = new Path(folder, METADATA);
    try (var stream = file.getFileSystem().create(file, FileSystem.WriteMode.OVERWRITE)) {
      Checkpoints.storeCheckpointMetadata(metadata, stream);
    }
  }

  /** A savepoint names its files from its own folder; this list is in another one. */
  private static OperatorStateHandle absolute(OperatorStateHandle part) {
    StreamStateHandle state = part.getDelegateStateHandle();
    if (state instanceof FileStateHandle file) {
      state = new FileStateHandle(file.getFilePath(), file.getStateSize());
    }
    return new OperatorStreamStateHandle(part.getStateNameToPartitionOffsets(), state);
  }

  /** As Flink makes it of an operator's uid. */
  private static OperatorID idOf(String uid) {
    return new OperatorID(
        Hashing.murmur3_128(0).hashString(uid, StandardCharsets.UTF_8).asBytes());
  }
}
