package dev.berth.server.resources;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.server.auth.BootstrapPolicy;
import dev.berth.server.auth.ObjectReader;
import dev.berth.server.auth.PolicyReconciler;
import dev.berth.server.auth.UserInfo;
import dev.berth.server.errors.ApiException;
import dev.berth.server.json.Json;
import dev.berth.server.kinds.Kinds;
import dev.berth.server.kinds.ResourceKind;
import dev.berth.server.validation.PriorityClassValidation;
import java.time.InstantSource;
import java.util.List;

/// Writes that the server makes on its own behalf, through the same steps as everybody's.
public final class SystemObjects {
  private static final UserInfo SERVER = UserInfo.of("system:apiserver", UserInfo.MASTERS);
  private static final WriteOptions OPTIONS =
      new WriteOptions(false, "berth-server", WriteOptions.FieldValidation.STRICT, false);
  private static final List<String> NAMESPACES =
      List.of("default", "kube-system", "kube-public", "kube-node-lease");

  private final Kinds kinds;
  private final Verbs verbs;
  private final InstantSource clock;

  public SystemObjects(Kinds kinds, Verbs verbs, InstantSource clock) {
    this.kinds = kinds;
    this.verbs = verbs;
    this.clock = clock;
  }

  /// What every cluster has: its namespaces, two priority classes, the bootstrap roles and their
  /// bindings.
  public void ensureAll(BootstrapPolicy policy, ObjectReader objects) {
    ensureNamespaces();
    ensurePriorityClasses();
    for (PolicyReconciler.Change change : PolicyReconciler.plan(policy, objects)) {
      ResourceKind kind =
          kinds
              .kind("rbac.authorization.k8s.io", "v1", change.object().path("kind").asText())
              .orElseThrow();
      switch (change) {
        case PolicyReconciler.Change.Create(ObjectNode object) -> createIfMissing(kind, object);
        case PolicyReconciler.Change.Update(ObjectNode object) -> replace(kind, object);
        case PolicyReconciler.Change.Recreate(ObjectNode object) -> {
          verbs
              .deleter()
              .delete(target(kind, object, Metadata.text(object, "name")), DeleteOptions.NOW);
          createIfMissing(kind, object);
        }
      }
    }
  }

  private void ensureNamespaces() {
    ResourceKind namespaces = kinds.bucket("namespaces").orElseThrow();
    for (String name : NAMESPACES) {
      ObjectNode namespace = Json.object();
      namespace.putObject("metadata").put("name", name);
      createIfMissing(namespaces, namespace);
    }
  }

  private void ensurePriorityClasses() {
    ResourceKind classes = kinds.bucket("priorityclasses.scheduling.k8s.io").orElseThrow();
    PriorityClassValidation.SYSTEM.forEach(
        (name, value) -> {
          ObjectNode priorityClass = Json.object().put("value", value);
          priorityClass.putObject("metadata").put("name", name);
          priorityClass.put("description", "For pods that the cluster cannot do without.");
          createIfMissing(classes, priorityClass);
        });
  }

  /// Creates an object of the stored version unless there is one of its name.
  private void createIfMissing(ResourceKind kind, ObjectNode object) {
    try {
      verbs.creator().create(target(kind, object, ""), new Body(object, List.of()), OPTIONS);
    } catch (ApiException e) {
      if (e.status().code() != 409) {
        throw e;
      }
    }
  }

  private void replace(ResourceKind kind, ObjectNode object) {
    verbs
        .updater()
        .update(
            target(kind, object, Metadata.text(object, "name")),
            new Body(object, List.of()),
            OPTIONS);
  }

  private Target target(ResourceKind kind, ObjectNode object, String name) {
    return new Target(
        kind,
        kind.storedVersion(),
        Metadata.text(object, "namespace"),
        name,
        "",
        SERVER,
        new Warnings(),
        clock.instant());
  }
}
