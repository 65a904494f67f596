package dev.berth.agent.pods.admission;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/// What becomes of a pod whose RuntimeClass, or its handler, is not there.
public enum UnresolvedPolicy {
  /// A RuntimeClass that does not exist fails the pod: admission refuses its successors. A handler
  /// or service that the node does not have is retried, as an error of RunPodSandbox (KEP-585).
  FAIL_MISSING_CLASS,
  /// Either fails the pod, at the pace that its controller is allowed.
  FAIL,
  /// Either is retried for ever, as the kubelet does.
  RETRY;

  public static Optional<UnresolvedPolicy> parse(String text) {
    return Arrays.stream(values()).filter(one -> one.toString().equals(text)).findFirst();
  }

  /// What [#parse] accepts, for messages.
  public static String accepted() {
    return Arrays.stream(values())
        .map(UnresolvedPolicy::toString)
        .collect(Collectors.joining(", "));
  }

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
