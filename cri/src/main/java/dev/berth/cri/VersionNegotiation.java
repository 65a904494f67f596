package dev.berth.cri;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;

/// What is known about the server behind a connection. A lost connection resets it.
///
/// There is no version request in advance: calls try v1 first, and remember the methods that the
/// server refuses as unimplemented.
///
/// Everything known carries the number of losses at which it was learned. A later loss makes it
/// void without a reset, so no thread can restore knowledge about a server that is gone. Safe for
/// any number of threads.
final class VersionNegotiation {
  private final LongSupplier losses;
  private final Map<CriOperation<?, ?>, Long> unserved = new ConcurrentHashMap<>();
  private volatile Decision decision = new Decision(-1, false);

  VersionNegotiation(LongSupplier losses) {
    this.losses = losses;
  }

  boolean isDecided() {
    return decision.at == losses.getAsLong();
  }

  boolean usesV1alpha2() {
    Decision now = decision;
    return now.v1alpha2 && now.at == losses.getAsLong();
  }

  void decide(boolean v1alpha2) {
    decision = new Decision(losses.getAsLong(), v1alpha2);
  }

  boolean isServed(CriOperation<?, ?> operation) {
    Long at = unserved.get(operation);
    return at == null || at != losses.getAsLong();
  }

  void unserved(CriOperation<?, ?> operation) {
    unserved.put(operation, losses.getAsLong());
  }

  private record Decision(long at, boolean v1alpha2) {}
}
