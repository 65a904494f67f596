package dev.berth.agent.pods.admission;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/// What happens to a pod whose RuntimeClass or handler does not exist.
public enum UnresolvedPolicy {
  /// A missing RuntimeClass fails the pod, because admission refuses its successors. A missing
  /// handler or service is retried like an error of RunPodSandbox (KEP-585).
  FAIL_MISSING_CLASS,
  /// Both fail the pod, at the rate that [RejectionDelay] allows.
  FAIL,
  /// Both are retried forever, as the kubelet does.
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
