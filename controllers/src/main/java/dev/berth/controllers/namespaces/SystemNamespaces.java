package dev.berth.controllers.namespaces;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.client.ApiException;
import dev.berth.client.Informer;
import dev.berth.client.InformerEvent;
import dev.berth.client.ObjectKey;
import dev.berth.client.ObjectMetadata;
import dev.berth.client.ReconcileLoop;
import dev.berth.client.ReconcileLoop.Outcome;
import dev.berth.client.ReconcileLoop.Readiness;
import dev.berth.client.ResourceClient;
import dev.berth.client.ResourceType;
import dev.berth.client.WorkQueue;
import dev.berth.controllers.loops.ControllerContext;
import dev.berth.controllers.loops.ControllerLoop;
import java.util.List;

/// Creates the namespaces that every cluster has, if the server has not created them. Berth's
/// server creates them at its start; the loop serves upstream servers and deletions.
public final class SystemNamespaces implements ControllerLoop {
  private static final List<String> NAMES =
      List.of("default", "kube-node-lease", "kube-public", "kube-system");

  private final ResourceClient<ObjectNode> namespaces;
  private final Informer<ObjectMetadata> known;
  private final ReconcileLoop<String> loop;

  /// Starts the loop on the namespaces that the informer knows.
  public SystemNamespaces(ControllerContext context, Informer<ObjectMetadata> known) {
    this.namespaces = context.client().json(ResourceType.NAMESPACES);
    this.known = known;
    WorkQueue<String> queue = context.queue();
    // The names are queued although no event names them: a missing namespace makes none.
    NAMES.forEach(queue::add);
    known.addHandler(
        change -> {
          String name = change.latest().key().name();
          if (change instanceof InformerEvent.Removed && NAMES.contains(name)) {
            queue.add(name);
          }
        });
    this.loop =
        ReconcileLoop.start("system-namespaces", queue, 1, Readiness.of(known), this::reconcile);
  }

  private Outcome reconcile(String name) {
    if (known.get(ObjectKey.clusterScoped(name)).isEmpty()) {
      ObjectNode namespace = JsonNodeFactory.instance.objectNode();
      namespace.put("apiVersion", "v1").put("kind", "Namespace");
      namespace.putObject("metadata").put("name", name);
      try {
        namespaces.create(namespace);
      } catch (ApiException e) {
        if (!e.isAlreadyExists()) {
          throw e;
        }
      }
    }
    return ReconcileLoop.SETTLED;
  }

  @Override
  public ReconcileLoop<?> workers() {
    return loop;
  }
}
