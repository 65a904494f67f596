package dev.berth.client;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// A Lease that one of several candidates holds. The others wait until it has not been renewed for
/// its whole duration. They measure with their own clock from when they saw the last renewal, so
/// that clocks need not agree.
///
/// Used by one thread.
final class LeaseLock {
  private static final DateTimeFormatter MICRO_TIME =
      DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm:ss.SSSSSS'Z'").withZone(ZoneOffset.UTC);

  private final ResourceClient<ObjectNode> leases;
  private final ObjectKey key;
  private final String identity;
  private final Duration duration;
  private final InstantSource clock;

  /// The last observed lease, and when it was first observed in that state.
  private @Nullable ObjectNode observed;

  private Instant observedAt = Instant.MIN;

  LeaseLock(
      ApiClient client, ObjectKey key, String identity, Duration duration, InstantSource clock) {
    this.leases = client.json(ResourceType.LEASES);
    this.key = key;
    this.identity = identity;
    this.duration = duration;
    this.clock = clock;
  }

  /// Acquires or renews the lease; returns false when another candidate holds it or was faster.
  boolean tryHold() {
    try {
      Optional<ObjectNode> found = leases.find(key);
      if (found.isEmpty()) {
        observe(leases.create(describe(ClientJson.MAPPER.createObjectNode(), 0)));
        return true;
      }
      ObjectNode lease = found.get();
      observeIfChanged(lease);
      if (!isMine(lease) && isHeld(lease)) {
        return false;
      }
      int transitions = lease.path("spec").path("leaseTransitions").asInt();
      // The update carries the resourceVersion that was read, so of several candidates one
      // succeeds; the others get a conflict.
      observe(leases.update(describe(lease, isMine(lease) ? transitions : transitions + 1)));
      return true;
    } catch (ApiException e) {
      if (e.isConflict() || e.isAlreadyExists()) {
        return false;
      }
      throw e;
    }
  }

  /// Releases the lease, so that the next candidate need not wait until it expires.
  void release() {
    Optional<ObjectNode> found = leases.find(key);
    if (found.isPresent() && isMine(found.get())) {
      ObjectNode lease = found.get();
      ClientJson.object(lease, "spec").put("holderIdentity", "").put("leaseDurationSeconds", 1);
      leases.update(lease);
    }
  }

  private boolean isMine(ObjectNode lease) {
    return holder(lease).equals(identity);
  }

  private boolean isHeld(ObjectNode lease) {
    Duration held = Duration.ofSeconds(lease.path("spec").path("leaseDurationSeconds").asInt());
    return !holder(lease).isEmpty() && observedAt.plus(held).isAfter(clock.instant());
  }

  private static String holder(ObjectNode lease) {
    return lease.path("spec").path("holderIdentity").asText();
  }

  private void observeIfChanged(ObjectNode lease) {
    if (observed == null || !observed.path("spec").equals(lease.path("spec"))) {
      observe(lease);
    }
  }

  private void observe(ObjectNode lease) {
    observed = lease;
    observedAt = clock.instant();
  }

  /// The lease is changed in place, so fields that others have added stay.
  private ObjectNode describe(ObjectNode lease, int transitions) {
    boolean taking = !isMine(lease);
    String now = MICRO_TIME.format(clock.instant());
    lease.put("apiVersion", ResourceType.LEASES.apiVersion()).put("kind", "Lease");
    ClientJson.object(lease, "metadata").put("namespace", key.namespace()).put("name", key.name());
    ObjectNode spec = ClientJson.object(lease, "spec");
    spec.put("holderIdentity", identity);
    spec.put("leaseDurationSeconds", Math.max(1, (int) duration.toSeconds()));
    spec.put("renewTime", now).put("leaseTransitions", transitions);
    if (taking) {
      spec.put("acquireTime", now);
    }
    return lease;
  }
}
