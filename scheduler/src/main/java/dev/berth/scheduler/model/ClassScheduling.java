package dev.berth.scheduler.model;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Arrays;
import java.util.Optional;
import java.util.stream.Collectors;

/// Which nodes do for the pods of a RuntimeClass.
public enum ClassScheduling {
  /// Those that offer the handler: a pod whose class no node offers waits, with the reason.
  OFFERED("offered"),
  /// Those that the class's node selector admits, as upstream does: a pod may go to a node that
  /// does not offer the handler, and waits there.
  SELECTOR("selector");

  /// On a RuntimeClass: one of the words below; it counts more than the scheduler's flag.
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

  /// What a RuntimeClass says; empty when it leaves that to the scheduler.
  static Optional<ClassScheduling> ofClass(JsonNode tree) {
    return of(tree.path("metadata").path("annotations").path(ANNOTATION).asText());
  }

  /// Such as `offered or selector`, for messages.
  public static String words() {
    return Arrays.stream(values()).map(ClassScheduling::word).collect(Collectors.joining(" or "));
  }
}
