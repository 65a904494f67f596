package dev.berth.server.http.transport;

import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;

/// The name of one request in the logs of everybody who sees it: the client's, or a new one.
final class AuditId {
  static final String HEADER = "Audit-Id";
  private static final int LONGEST = 64;

  private AuditId() {}

  static String of(String given) {
    return given.isEmpty() ? random() : given.substring(0, Math.min(given.length(), LONGEST));
  }

  /// It need not be hard to guess, and it is made for every request.
  private static String random() {
    ThreadLocalRandom random = ThreadLocalRandom.current();
    long high = (random.nextLong() & ~0xF000L) | 0x4000L;
    long low = (random.nextLong() >>> 2) | Long.MIN_VALUE;
    return new UUID(high, low).toString();
  }
}
