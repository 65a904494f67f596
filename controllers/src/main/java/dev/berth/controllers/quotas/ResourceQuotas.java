package dev.berth.controllers.quotas;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.api.ResourceAmounts;
import dev.berth.client.ApiException;
import dev.berth.client.Informer;
import dev.berth.client.InformerEvent;
import dev.berth.client.ListQuery;
import dev.berth.client.ObjectKey;
import dev.berth.client.ReconcileLoop;
import dev.berth.client.ReconcileLoop.Outcome;
import dev.berth.client.ReconcileLoop.Readiness;
import dev.berth.client.ResourceClient;
import dev.berth.client.ResourceType;
import dev.berth.client.WorkQueue;
import dev.berth.controllers.loops.ControllerContext;
import dev.berth.controllers.loops.ControllerLoop;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Counts new quotas, and recounts quotas that have not changed for a while.
///
/// The API server charges a quota before it stores the object, so that a count at that moment would
/// miss the object and lose its charge. A count is therefore written only over a status that was
/// unchanged before the objects were listed for longer than a write takes, and by compare-and-set,
/// so that it never undoes a later charge (ADR 0020).
public final class ResourceQuotas implements ControllerLoop {
  private static final Logger log = LoggerFactory.getLogger(ResourceQuotas.class);

  /// How long a quota must be unchanged before a count may replace its status: longer than a write
  /// takes from its charge to its storing.
  private static final Duration QUIET = Duration.ofSeconds(5);

  private static final Duration BETWEEN_COUNTS = Duration.ofSeconds(30);
  private static final int WORKERS = 2;

  private final ResourceClient<ObjectNode> quotas;
  private final Informer<ObjectNode> known;
  private final NamespaceUsage usage;
  private final InstantSource clock;
  private final WorkQueue<ObjectKey> queue;
  private final ReconcileLoop<ObjectKey> loop;

  /// The last observed revision of each quota, and when it was first observed.
  private final Map<ObjectKey, Sight> seen = new ConcurrentHashMap<>();

  private record Sight(String resourceVersion, Instant since) {}

  public ResourceQuotas(ControllerContext context) {
    this.quotas = context.client().json(ResourceType.RESOURCE_QUOTAS);
    this.known = context.informer(quotas, ListQuery.ALL);
    this.usage = new NamespaceUsage(context.client());
    this.clock = context.clock();
    this.queue = context.queue();
    known.addHandler(this::look);
    this.loop =
        ReconcileLoop.start(
            "resource-quotas", queue, WORKERS, Readiness.of(known), this::reconcile);
  }

  /// Charges change quotas often; only new or uncounted quotas are processed at once.
  private void look(InformerEvent<ObjectNode> change) {
    ObjectKey key = quotas.codec().key(change.latest());
    switch (change) {
      case InformerEvent.Added<ObjectNode> _ -> queue.add(key);
      case InformerEvent.Updated<ObjectNode>(_, ObjectNode now) -> {
        if (!QuotaStatus.isCounted(now)) {
          queue.add(key);
        }
      }
      case InformerEvent.Removed<ObjectNode> _ -> seen.remove(key);
    }
  }

  /// Counts one quota if it is new or has rested. Each quota is looked at again at intervals: a
  /// lost charge makes no event.
  private Outcome reconcile(ObjectKey key) {
    Optional<ObjectNode> found = quotas.find(key);
    if (found.isEmpty()) {
      seen.remove(key);
      return ReconcileLoop.SETTLED;
    }
    ObjectNode quota = found.get();
    if (!QuotaStatus.isCounted(quota)) {
      write(quota, QuotaStatus.first(quota, count(key, quota)));
      return new Outcome.LookAgain(QUIET);
    }
    if (!isQuiet(key, quota)) {
      return new Outcome.LookAgain(QUIET);
    }
    ResourceAmounts counted = QuotaStatus.complete(quota, count(key, quota));
    if (!counted.equals(QuotaStatus.used(quota))) {
      log.info(
          "quota corrected namespace={} name={} used=\"{}\" counted=\"{}\"",
          key.namespace(),
          key.name(),
          QuotaStatus.used(quota),
          counted);
      write(quota, counted);
    }
    return new Outcome.LookAgain(BETWEEN_COUNTS);
  }

  /// Whether the quota's revision has been the same for long enough, by this process's clock.
  private boolean isQuiet(ObjectKey key, ObjectNode quota) {
    String version = quotas.codec().resourceVersion(quota);
    Instant now = clock.instant();
    Sight sight =
        seen.compute(
            key,
            (_, last) ->
                last != null && last.resourceVersion().equals(version)
                    ? last
                    : new Sight(version, now));
    return !sight.since().plus(QUIET).isAfter(now);
  }

  private ResourceAmounts count(ObjectKey key, ObjectNode quota) {
    return usage.count(key.namespace(), quota.path("spec"), QuotaStatus.hard(quota).names());
  }

  /// Another writer was faster; the next pass sees its status.
  private void write(ObjectNode quota, ResourceAmounts used) {
    try {
      quotas.update(QuotaStatus.with(quota, used), "status");
    } catch (ApiException e) {
      if (!e.isConflict() && !e.isObjectNotFound()) {
        throw e;
      }
      log.debug("quota changed while it was counted reason=\"{}\"", e.getMessage());
      queue.add(quotas.codec().key(quota));
    }
  }

  @Override
  public ReconcileLoop<?> workers() {
    return loop;
  }

  @Override
  public void close() {
    loop.close();
    known.close();
  }
}
