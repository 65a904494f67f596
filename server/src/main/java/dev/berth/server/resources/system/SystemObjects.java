package dev.berth.server.resources.system;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.server.auth.ObjectReader;
import dev.berth.server.auth.UserInfo;
import dev.berth.server.auth.rbac.BootstrapPolicy;
import dev.berth.server.auth.rbac.PolicyReconciler;
import dev.berth.server.errors.ApiException;
import dev.berth.server.json.JsonTrees;
import dev.berth.server.kinds.ResourceKind;
import dev.berth.server.kinds.catalog.ServedKinds;
import dev.berth.server.resources.ResourceVerbs;
import dev.berth.server.resources.objects.ObjectMetadata;
import dev.berth.server.resources.requests.AdmissionWarnings;
import dev.berth.server.resources.requests.DeleteOptions;
import dev.berth.server.resources.requests.RequestBody;
import dev.berth.server.resources.requests.RequestTarget;
import dev.berth.server.resources.requests.WriteOptions;
import dev.berth.server.validation.cluster.PriorityClassValidation;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/// Creates the objects that every cluster has, through the same steps as client writes.
///
/// The server calls it once at its start. Existing objects are left as they are, except for the
/// bootstrap roles, which are brought up to date. Several servers may start at the same time:
/// whoever comes second finds the object and goes on.
public final class SystemObjects {
  private static final UserInfo SERVER = UserInfo.of("system:apiserver", UserInfo.MASTERS);
  private static final WriteOptions OPTIONS =
      new WriteOptions(false, "berth-server", WriteOptions.FieldValidation.STRICT, false);
  private static final List<String> NAMESPACES =
      List.of("default", "kube-system", "kube-public", "kube-node-lease");

  private final ServedKinds kinds;
  private final ResourceVerbs verbs;
  private final InstantSource clock;

  public SystemObjects(ServedKinds kinds, ResourceVerbs verbs, InstantSource clock) {
    this.kinds = kinds;
    this.verbs = verbs;
    this.clock = clock;
  }

  /// Creates the namespaces, two priority classes, the bootstrap roles and their bindings
  /// concurrently, so that they share a few commits.
  public void ensureAll(BootstrapPolicy policy, ObjectReader objects) {
    List<Runnable> writes = new ArrayList<>();
    for (String name : NAMESPACES) {
      writes.add(() -> ensureNamespace(name));
    }
    PriorityClassValidation.SYSTEM.forEach(
        (name, value) -> writes.add(() -> ensurePriorityClass(name, value)));
    for (PolicyReconciler.Change change : PolicyReconciler.plan(policy, objects)) {
      writes.add(() -> make(change));
    }
    runAll(writes);
    // These objects need the namespace.
    runAll(List.of(() -> ensurePublicInfo("Role"), () -> ensurePublicInfo("RoleBinding")));
  }

  /// Anonymous machines that join may read `kube-public/cluster-info`; the names are kubeadm's.
  private void ensurePublicInfo(String kind) {
    String group = "rbac.authorization.k8s.io";
    ObjectNode object = JsonTrees.object();
    object
        .putObject("metadata")
        .put("name", "kubeadm:bootstrap-signer-clusterinfo")
        .put("namespace", "kube-public");
    if (kind.equals("Role")) {
      ObjectNode rule = object.putArray("rules").addObject();
      rule.putArray("verbs").add("get");
      rule.putArray("apiGroups").add("");
      rule.putArray("resources").add("configmaps");
      rule.putArray("resourceNames").add("cluster-info");
    } else {
      object
          .putArray("subjects")
          .addObject()
          .put("kind", "User")
          .put("apiGroup", group)
          .put("name", "system:anonymous");
      object
          .putObject("roleRef")
          .put("apiGroup", group)
          .put("kind", "Role")
          .put("name", "kubeadm:bootstrap-signer-clusterinfo");
    }
    createIfMissing(kinds.kind(group, "v1", kind).orElseThrow(), object);
  }

  private static void runAll(List<Runnable> writes) {
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<?>> running = new ArrayList<>();
      writes.forEach(write -> running.add(threads.submit(write)));
      for (Future<?> write : running) {
        write.get();
      }
    } catch (ExecutionException e) {
      if (e.getCause() instanceof RuntimeException cause) {
        throw cause;
      }
      throw new IllegalStateException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while the cluster's first objects are made", e);
    }
  }

  private void ensureNamespace(String name) {
    ObjectNode namespace = JsonTrees.object();
    namespace.putObject("metadata").put("name", name);
    createIfMissing(kinds.bucket("namespaces").orElseThrow(), namespace);
  }

  private void ensurePriorityClass(String name, int value) {
    ObjectNode priorityClass = JsonTrees.object().put("value", value);
    priorityClass.putObject("metadata").put("name", name);
    priorityClass.put("description", "For pods that the cluster cannot do without.");
    createIfMissing(kinds.bucket("priorityclasses.scheduling.k8s.io").orElseThrow(), priorityClass);
  }

  private void make(PolicyReconciler.Change change) {
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
            .delete(target(kind, object, ObjectMetadata.text(object, "name")), DeleteOptions.NOW);
        createIfMissing(kind, object);
      }
    }
  }

  /// Creates an object of the stored version unless one of its name exists.
  private void createIfMissing(ResourceKind kind, ObjectNode object) {
    try {
      verbs.creator().create(target(kind, object, ""), new RequestBody(object, List.of()), OPTIONS);
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
            target(kind, object, ObjectMetadata.text(object, "name")),
            new RequestBody(object, List.of()),
            OPTIONS);
  }

  private RequestTarget target(ResourceKind kind, ObjectNode object, String name) {
    return new RequestTarget(
        kind,
        kind.storedVersion(),
        ObjectMetadata.text(object, "namespace"),
        name,
        "",
        SERVER,
        new AdmissionWarnings(),
        clock.instant());
  }
}
