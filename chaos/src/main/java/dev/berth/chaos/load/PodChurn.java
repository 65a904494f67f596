package dev.berth.chaos.load;

import java.time.Duration;
import java.util.function.BooleanSupplier;

/// Creates a pod, waits until it runs, deletes it, and repeats. Requests are repeated until they
/// have their effect, because each may get lost during a fault.
final class PodChurn extends LoadWorker {
  private static final Duration POLL = Duration.ofMillis(300);

  /// Time in which each step must succeed, including the faults of that time.
  private static final Duration LIMIT = Duration.ofMinutes(6);

  private final String name;
  private final PodLoad pods;
  private final String node;
  private int number;

  PodChurn(String name, PodLoad pods, String node) {
    super(name);
    this.name = name;
    this.pods = pods;
    this.node = node;
  }

  @Override
  void round() {
    String pod = name + "-" + number;
    number++;
    await("created", pod, () -> pods.create(pod, node));
    await("running", pod, () -> pods.isRunning(pod));
    await(
        "gone",
        pod,
        () -> {
          pods.delete(pod);
          return pods.isGone(pod);
        });
    if (!isEnded()) {
      pods.log().count("pods that ran and were deleted");
    }
  }

  private void await(String what, String pod, BooleanSupplier condition) {
    long end = System.nanoTime() + LIMIT.toNanos();
    while (!isEnded() && !condition.getAsBoolean()) {
      if (System.nanoTime() > end) {
        pods.log().violation("convergence", "%s is not %s within %s".formatted(pod, what, LIMIT));
        return;
      }
      pause(POLL);
    }
  }
}
