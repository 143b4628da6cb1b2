package sluice.cluster;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.flink.metrics.Gauge;
import org.apache.flink.metrics.MetricGroup;

/**
 * The counters of a PE as metrics of its task. The PE sends them as text for Prometheus: {@code
 * sluice_operator_tuples_total{operator="Words",kind="Custom",direction="out",pe="1"} 17} becomes
 * the gauge {@code pe.Words.tuples_total_out}, and one without an operator {@code pe.NAME}.
 */
final class PeMetrics {
  private static final String PREFIX = "sluice_";
  private static final String OF_OPERATORS = "operator_";

  /** Labels that say nothing new of a task's operator, and those of what is left out here. */
  private static final Set<String> SILENT = Set.of("pe", "kind");

  private static final Set<String> LEFT_OUT = Set.of("le", "program");

  private final MetricGroup group;
  private final Map<String, Double> values = new ConcurrentHashMap<>(); // by the name of a gauge

  PeMetrics(MetricGroup group) {
    this.group = group.addGroup("pe");
  }

  /** By the thread that reads. */
  void take(String text) {
    for (String line : text.split("\n")) { // a name may have other ends of lines in it
      if (line.startsWith(PREFIX)) {
        takeLine(line);
      }
    }
  }

  private record Label(String name, String value) {}

  private void takeLine(String line) {
    int space = line.lastIndexOf(' ');
    int brace = line.indexOf('{');
    String name = line.substring(PREFIX.length(), brace < 0 ? space : brace);
    String operator = "";
    StringBuilder parts = new StringBuilder(name);
    for (Label label : brace < 0 ? List.<Label>of() : labels(line, brace + 1)) {
      if (LEFT_OUT.contains(label.name)) {
        return;
      }
      if (label.name.equals("operator")) {
        operator = label.value;
      } else if (!SILENT.contains(label.name)) {
        parts.append('_').append(label.value);
      }
    }
    set(operator, parts.toString(), Double.parseDouble(line.substring(space + 1)));
  }

  private void set(String operator, String name, double value) {
    String key = operator + "\n" + name;
    if (values.put(key, value) != null) {
      return;
    }
    MetricGroup owner = operator.isEmpty() ? group : group.addGroup(operator);
    boolean isPlain = operator.isEmpty() || !name.startsWith(OF_OPERATORS);
    owner.gauge(
        isPlain ? name : name.substring(OF_OPERATORS.length()),
        (Gauge<Double>) () -> values.get(key));
  }

  /** Those from there on: {@code name="value",...}} with a backslash before what is escaped. */
  private static List<Label> labels(String line, int at) {
    List<Label> labels = new ArrayList<>();
    while (line.charAt(at) != '}') {
      int equals = line.indexOf('=', at);
      StringBuilder value = new StringBuilder();
      int i = equals + 2;
      for (; line.charAt(i) != '"'; i++) {
        boolean isEscaped = line.charAt(i) == '\\';
        char c = line.charAt(isEscaped ? ++i : i);
        value.append(isEscaped && c == 'n' ? '\n' : c);
      }
      labels.add(new Label(line.substring(at, equals), value.toString()));
      at = line.charAt(i + 1) == ',' ? i + 2 : i + 1;
    }
    return labels;
  }
}
