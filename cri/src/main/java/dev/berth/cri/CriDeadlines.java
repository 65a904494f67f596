package dev.berth.cri;

import io.grpc.CallOptions;
import java.time.Duration;

/// How long calls may take, as the kubelet has it.
///
/// @param request what an ordinary call gets
public record CriDeadlines(Duration request) {
  /// The kubelet's `--runtime-request-timeout`.
  public static final CriDeadlines KUBELET = new CriDeadlines(Duration.ofMinutes(2));

  /// Longer than any pod's grace, and short enough for arithmetic.
  private static final Duration LONGEST = Duration.ofDays(365);

  /// A runtime that cannot say at once where streams are will not serve them, and somebody waits.
  private static final Duration STREAMS = Duration.ofSeconds(10);

  public CriDeadlines {
    if (request.isNegative() || request.isZero()) {
      throw new IllegalArgumentException("a call needs time, not " + request);
    }
  }

  CallOptions ordinary() {
    return within(request);
  }

  /// For calls whose whole answer is a URL.
  CallOptions streams() {
    return within(request.compareTo(STREAMS) < 0 ? request : STREAMS);
  }

  /// A sandbox may need its pause image and its network first.
  CallOptions sandbox() {
    return within(request.multipliedBy(2));
  }

  /// For calls in which the runtime itself waits this long before it acts or gives up.
  CallOptions afterWaiting(Duration runtimeWaits) {
    return within(request.plus(clamped(runtimeWaits)));
  }

  /// Commands without a time limit of their own run as long as they want to.
  CallOptions command(Duration limit) {
    return limit.isPositive() ? afterWaiting(limit) : unlimited();
  }

  CallOptions exactly(Duration limit) {
    return within(clamped(limit));
  }

  CallOptions unlimited() {
    return CallOptions.DEFAULT;
  }

  private static Duration clamped(Duration wait) {
    if (wait.isNegative()) {
      return Duration.ZERO;
    }
    return wait.compareTo(LONGEST) > 0 ? LONGEST : wait;
  }

  private static CallOptions within(Duration time) {
    return CallOptions.DEFAULT.withDeadlineAfter(time);
  }
}
