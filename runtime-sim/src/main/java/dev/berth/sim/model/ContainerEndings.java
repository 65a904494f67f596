package dev.berth.sim.model;

import dev.berth.sim.knobs.ExitRule.Exit;
import dev.berth.sim.knobs.ExitRules;
import dev.berth.sim.time.DurationText;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/// Decides whether and how a container that starts will end: by annotations of the container or its
/// pod, else by an exit rule. Annotations let a test with kubectl alone end its own pods.
final class ContainerEndings {
  private static final String AFTER = "sim.berth.dev/exit-after";
  private static final String CODE = "sim.berth.dev/exit-code";
  private static final String REASON = "sim.berth.dev/exit-reason";

  private ContainerEndings() {}

  /// Annotations of the container override those of its pod, and both override the rules. A text
  /// that cannot be read counts as zero: an annotation has no place to report a mistake.
  static Optional<Exit> of(SimContainer container, ExitRules rules) {
    Map<String, String> annotations = new HashMap<>(container.sandbox.config.getAnnotationsMap());
    annotations.putAll(container.config.getAnnotationsMap());
    if (!annotations.containsKey(AFTER) && !annotations.containsKey(CODE)) {
      return rules.on(container.facts());
    }
    Duration after =
        DurationText.parse(annotations.getOrDefault(AFTER, "0s")).orElse(Duration.ZERO);
    return Optional.of(
        new Exit(after, code(annotations.get(CODE)), annotations.getOrDefault(REASON, "")));
  }

  private static int code(@org.jspecify.annotations.Nullable String text) {
    try {
      return text == null ? 0 : Integer.parseInt(text);
    } catch (NumberFormatException _) {
      return 0;
    }
  }
}
