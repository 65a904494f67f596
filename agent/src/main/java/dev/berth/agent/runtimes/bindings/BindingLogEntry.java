package dev.berth.agent.runtimes.bindings;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.List;
import java.util.Optional;
import java.util.zip.CRC32C;

/// One line of the binding log: a checksum, then the event.
sealed interface BindingLogEntry {
  record Bound(PodBinding binding) implements BindingLogEntry {}

  record Released(String podUid) implements BindingLogEntry {}

  record Drained(String service, Instant since) implements BindingLogEntry {}

  /// The service is no longer drained, or was removed.
  record Resumed(String service) implements BindingLogEntry {}

  /// From here on the log has every pod that was ever bound, whatever was lost before.
  record Completed() implements BindingLogEntry {}

  default String line() {
    String text =
        switch (this) {
          case Bound(PodBinding(var pod, var service, var handler)) ->
              String.join("\t", "bound", pod, service, handler);
          case Released(var pod) -> "released\t" + pod;
          case Drained(var service, var since) ->
              String.join("\t", "drained", service, since.toString());
          case Resumed(var service) -> "resumed\t" + service;
          case Completed() -> "completed";
        };
    return checksum(text) + "\t" + text;
  }

  /// Parses a line; empty when its checksum does not match.
  static Optional<BindingLogEntry> parse(String line) {
    int tab = line.indexOf('\t');
    if (tab < 0 || !checksum(line.substring(tab + 1)).equals(line.substring(0, tab))) {
      return Optional.empty();
    }
    List<String> fields = List.of(line.substring(tab + 1).split("\t", -1));
    return switch (fields.getFirst() + "/" + fields.size()) {
      case "bound/4" ->
          Optional.of(new Bound(new PodBinding(fields.get(1), fields.get(2), fields.get(3))));
      case "released/2" -> Optional.of(new Released(fields.get(1)));
      case "drained/3" -> drained(fields.get(1), fields.get(2));
      case "resumed/2" -> Optional.of(new Resumed(fields.get(1)));
      case "completed/1" -> Optional.of(new Completed());
      default -> Optional.empty();
    };
  }

  private static Optional<BindingLogEntry> drained(String service, String since) {
    try {
      return Optional.of(new Drained(service, Instant.parse(since)));
    } catch (DateTimeParseException _) {
      return Optional.empty();
    }
  }

  private static String checksum(String text) {
    var checksum = new CRC32C();
    checksum.update(text.getBytes(UTF_8));
    return "%08x".formatted(checksum.getValue());
  }
}
