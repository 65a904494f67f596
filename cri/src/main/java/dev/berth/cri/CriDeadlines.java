package dev.berth.cri;

import io.grpc.CallOptions;
import java.time.Duration;

/// The deadlines of calls, as the kubelet sets them.
///
/// A deadline is fixed when the options are made, so they must be made for each call.
///
/// @param request the deadline of an ordinary call
public record CriDeadlines(Duration request) {
  /// The kubelet's `--runtime-request-timeout`.
  public static final CriDeadlines KUBELET = new CriDeadlines(Duration.ofMinutes(2));

  /// Upper bound of a deadline: longer than any grace period, and safe for arithmetic in
  /// nanoseconds.
  private static final Duration LONGEST = Duration.ofDays(365);

  /// Deadline of calls that return a streaming URL. A user waits, and a runtime that needs longer
  /// will not serve the stream either.
  private static final Duration STREAMS = Duration.ofSeconds(10);

  public CriDeadlines {
    if (request.isNegative() || request.isZero()) {
      throw new IllegalArgumentException("the deadline of a call must be positive, not " + request);
    }
  }

  CallOptions ordinary() {
    return within(request);
  }

  /// Makes the options of calls that return a streaming URL.
  CallOptions streams() {
    return within(request.compareTo(STREAMS) < 0 ? request : STREAMS);
  }

  /// Makes the options of `RunPodSandbox`, which may pull the pause image and set up the network
  /// first.
  CallOptions sandbox() {
    return within(request.multipliedBy(2));
  }

  /// Makes the options of calls in which the runtime itself waits this long before it acts or gives
  /// up.
  CallOptions afterWaiting(Duration runtimeWaits) {
    return within(request.plus(clamped(runtimeWaits)));
  }

  /// Makes the options of commands. A command without a limit runs as long as it takes.
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
