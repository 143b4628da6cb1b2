package sluice.cluster;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.apache.flink.api.common.typeinfo.PrimitiveArrayTypeInfo;
import org.apache.flink.util.OutputTag;

/** What the operator of a PE has to know. */
final class PeSpec implements Serializable {
  private static final long serialVersionUID = 1;

  final int pe;
  final String name; // no other PE has it, of this job or another one
  final long program; // the structure that the executable has to have
  final boolean saves;
  final List<String> arguments;
  final Map<String, String> environment; // what the arguments name as @env:, so that nobody sees it
  final int inputs; // from other PEs
  final long layout; // of the job
  private final Map<Integer, Integer> targets = new HashMap<>(); // by receiver of a link: its PE

  PeSpec(
      JobSpec job,
      int pe,
      boolean saves,
      List<String> arguments,
      Map<String, String> environment) {
    this.pe = pe;
    this.name = uid(pe) + "-" + UUID.randomUUID();
    this.program = job.hash;
    this.saves = saves;
    this.arguments = new ArrayList<>(arguments);
    this.environment = new HashMap<>(environment);
    this.inputs = job.sendersTo(pe).size();
    this.layout = job.layout();
    for (JobSpec.Link link : job.links) {
      if (link.from().contains(pe)) {
        targets.put(link.receiver(), link.to());
      }
    }
  }

  /** Where frames of a link go; null: this PE has no such link. */
  OutputTag<byte[]> tagOf(int receiver) {
    Integer target = targets.get(receiver);
    return target == null ? null : tagTo(target);
  }

  /** Its own links, as frames name them: the receiver, this PE. */
  List<byte[]> links() {
    return targets.keySet().stream()
        .map(receiver -> Wire.buffer(Wire.LINK).putInt(receiver).putInt(pe).array())
        .toList();
  }

  /** To each PE that this one sends to. */
  List<OutputTag<byte[]>> tags() {
    return targets.values().stream().distinct().map(PeSpec::tagTo).toList();
  }

  static OutputTag<byte[]> tagTo(int pe) {
    return new OutputTag<>("to PE " + pe, PrimitiveArrayTypeInfo.BYTE_PRIMITIVE_ARRAY_TYPE_INFO);
  }

  /** By which Flink finds its state again. */
  static String uid(int pe) {
    return "pe-" + pe;
  }

  /** The name of the executable for a processor, in the cache of files. */
  static String executableFor(String arch) {
    return "pe-" + (arch.equals("amd64") ? "x86_64" : arch);
  }
}
