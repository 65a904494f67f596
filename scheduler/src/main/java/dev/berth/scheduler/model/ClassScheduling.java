package dev.berth.scheduler.model;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Arrays;
import java.util.Optional;
import java.util.stream.Collectors;

/// Which nodes are feasible for the pods of a RuntimeClass.
public enum ClassScheduling {
  /// Nodes that offer the handler: a pod whose handler no node offers stays Pending with that
  /// reason.
  OFFERED("offered"),
  /// Nodes that match the class's node selector, as upstream: a pod may be bound to a node that
  /// does not offer the handler, and waits there.
  SELECTOR("selector");

  /// The annotation of a RuntimeClass with one of the values below; it overrides the scheduler's
  /// flag.
  public static final String ANNOTATION = "runtimeclass.berth.dev/scheduling";

  private final String word;

  ClassScheduling(String word) {
    this.word = word;
  }

  public String word() {
    return word;
  }

  public static Optional<ClassScheduling> of(String word) {
    return Arrays.stream(values()).filter(one -> one.word.equals(word)).findFirst();
  }

  /// The value of a RuntimeClass's annotation; empty without a valid one.
  static Optional<ClassScheduling> ofClass(JsonNode tree) {
    return of(tree.path("metadata").path("annotations").path(ANNOTATION).asText());
  }

  /// Such as `offered or selector`, for messages.
  public static String words() {
    return Arrays.stream(values()).map(ClassScheduling::word).collect(Collectors.joining(" or "));
  }
}
