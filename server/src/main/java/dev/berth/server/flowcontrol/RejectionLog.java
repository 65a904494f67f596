package dev.berth.server.flowcontrol;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Logs rejections: one line per flow schema and reason, then at most one per minute with the
/// number since. A client that floods the server does not flood its log.
final class RejectionLog {
  private static final Logger log = LoggerFactory.getLogger(RejectionLog.class);

  /// A line a minute for each reason: a flood of requests must not become a flood of lines.
  private static final long PERIOD = Duration.ofMinutes(1).toNanos();

  private final LongSupplier nanos;

  /// Bounded: schemas and reasons are fixed sets.
  private final Map<String, Rejections> all = new ConcurrentHashMap<>();

  /// @param since time of the last line
  /// @param hidden rejections since that line
  /// @param shown rejections that the line reports, 0 when the last rejection wrote no line
  private record Rejections(long since, long hidden, long shown) {}

  RejectionLog(LongSupplier nanos) {
    this.nanos = nanos;
  }

  void rejected(FlowSchema schema, RejectionReason reason, String why) {
    long now = nanos.getAsLong();
    long number = all.compute(schema.name() + " " + reason, (_, last) -> next(last, now)).shown();
    if (number > 0) {
      log.warn(
          "requests rejected priorityLevel={} flowSchema={} reason={} number={} message={}",
          schema.level().title(),
          schema.name(),
          reason,
          number,
          why);
    }
  }

  private static Rejections next(@Nullable Rejections last, long now) {
    if (last == null) {
      return new Rejections(now, 0, 1);
    }
    return now - last.since() >= PERIOD
        ? new Rejections(now, 0, last.hidden() + 1)
        : new Rejections(last.since(), last.hidden() + 1, 0);
  }
}
