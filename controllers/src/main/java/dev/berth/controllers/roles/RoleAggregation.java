package dev.berth.controllers.roles;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.client.Informer;
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
import java.util.Optional;

/// Writes the rules of the selected roles into each aggregated ClusterRole, so that users see what
/// it grants; the authorizer aggregates them itself.
public final class RoleAggregation implements ControllerLoop {
  private final ResourceClient<ObjectNode> roles;
  private final Informer<ObjectNode> known;
  private final WorkQueue<ObjectKey> queue;
  private final ReconcileLoop<ObjectKey> loop;

  public RoleAggregation(ControllerContext context) {
    this.roles = context.client().json(ResourceType.CLUSTER_ROLES);
    this.known = context.informer(roles, ListQuery.ALL);
    this.queue = context.queue();
    // Every aggregated role may select the changed role; there are few aggregated roles.
    known.addHandler(_ -> known.list().forEach(this::enqueue));
    this.loop = ReconcileLoop.start("role-aggregation", queue, 1, Readiness.of(known), this::fill);
  }

  private void enqueue(ObjectNode role) {
    if (AggregatedRules.isAggregated(role)) {
      queue.add(new ObjectKey("", AggregatedRules.name(role)));
    }
  }

  /// Writes the rules of one role; a conflict makes the loop retry with a newer cache.
  private Outcome fill(ObjectKey key) {
    Optional<ObjectNode> role = known.get(key);
    if (role.isEmpty() || !AggregatedRules.isAggregated(role.get())) {
      return ReconcileLoop.SETTLED;
    }
    ArrayNode rules = AggregatedRules.of(role.get(), known.list());
    JsonNode shown = role.get().path("rules");
    // A role without rules may have null there.
    if (!shown.equals(rules) && !(shown.isEmpty() && rules.isEmpty())) {
      ObjectNode next = role.get().deepCopy();
      next.set("rules", rules);
      roles.update(next);
    }
    return ReconcileLoop.SETTLED;
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
