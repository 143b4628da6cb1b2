package sluice.cluster;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** What the driver says: `COMMAND [WORD] --name=value...`. */
final class Options {
  final String command;
  final List<String> words = new ArrayList<>();
  private final Map<String, List<String>> named = new HashMap<>();

  Options(String[] arguments) {
    if (arguments.length == 0) {
      throw new UsageException("no command was given");
    }
    command = arguments[0];
    for (int i = 1; i < arguments.length; i++) {
      String word = arguments[i];
      if (word.startsWith("--")) {
        String[] parts = word.substring(2).split("=", 2);
        named
            .computeIfAbsent(parts[0], name -> new ArrayList<>())
            .add(parts.length > 1 ? parts[1] : "");
      } else {
        words.add(word);
      }
    }
  }

  boolean has(String name) {
    return named.containsKey(name);
  }

  List<String> all(String name) {
    return named.getOrDefault(name, List.of());
  }

  String one(String name) {
    if (!has(name)) {
      throw new UsageException("--" + name + " is missing");
    }
    return named.get(name).get(named.get(name).size() - 1);
  }

  /** Words for the program, of which some may be secret: variables of the environment have them. */
  List<String> programWords() {
    List<String> found = new ArrayList<>();
    for (int i = 0; i < number("words", 0); i++) {
      found.add(System.getenv("SLUICE_WORD_" + i));
    }
    return found;
  }

  int number(String name, int otherwise) {
    try {
      return has(name) ? Integer.parseInt(one(name)) : otherwise;
    } catch (NumberFormatException wrong) {
      throw new UsageException("--" + name + " needs a number, not `" + one(name) + "`");
    }
  }
}
