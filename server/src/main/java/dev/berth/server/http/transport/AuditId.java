package dev.berth.server.http.transport;

import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;

/// The `Audit-ID` of a request: the client's, or a new random one.
final class AuditId {
  static final String HEADER = "Audit-Id";

  /// Upstream truncates longer IDs of clients.
  private static final int LONGEST = 64;

  private AuditId() {}

  static String of(String given) {
    return given.isEmpty() ? random() : given.substring(0, Math.min(given.length(), LONGEST));
  }

  /// Not secret, and generated for every request, so a fast random generator is used.
  private static String random() {
    ThreadLocalRandom random = ThreadLocalRandom.current();
    // Version 4 and variant of RFC 9562, as `UUID.randomUUID` sets them.
    long high = (random.nextLong() & ~0xF000L) | 0x4000L;
    long low = (random.nextLong() >>> 2) | Long.MIN_VALUE;
    return new UUID(high, low).toString();
  }
}
