package dev.berth.launch.demo;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.api.Problem;
import dev.berth.client.ApiClient;
import dev.berth.client.ClientException;
import dev.berth.client.DeleteOptions;
import dev.berth.client.ObjectKey;
import dev.berth.client.ResourceType;
import dev.berth.launch.process.LaunchException;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/// The namespace of a tour: removes the one of an earlier tour, and removes its own on Ctrl-C.
final class DemoNamespace implements AutoCloseable {
  private static final ObjectKey KEY = ObjectKey.clusterScoped(DemoPod.NAMESPACE);

  /// Label that distinguishes the namespace of a tour from another one with the same name.
  private static final String MARK = "berth.dev/tour";

  /// How long the deletion of an earlier tour's namespace may take.
  private static final Duration LIMIT = Duration.ofSeconds(90);

  private final ApiClient client;
  private final PrintWriter out;

  /// Removes the namespace when the process is interrupted; a shutdown hook is the only code that
  /// still runs then.
  private final Thread hook = new Thread(this::abandon, "tour-end");

  private DemoNamespace(ApiClient client, PrintWriter out) {
    this.client = client;
    this.out = out;
  }

  /// Removes what an earlier tour left, and prepares for an interruption.
  static DemoNamespace open(ApiClient client, PrintWriter out) {
    DemoNamespace space = new DemoNamespace(client, out);
    space.clear();
    Runtime.getRuntime().addShutdownHook(space.hook);
    return space;
  }

  /// Removes the namespace of a tour that was killed. A namespace without the label belongs to a
  /// user and is refused.
  private void clear() {
    Optional<ObjectNode> found = find();
    if (found.isEmpty()) {
      return;
    }
    if (!isTours(found.get())) {
      throw new LaunchException(
          new Problem(
              "the tour cannot start",
              "namespace %s exists and was not created by a tour: it has no label %s"
                  .formatted(DemoPod.NAMESPACE, MARK),
              "If its contents are not needed: kubectl delete namespace " + DemoPod.NAMESPACE));
    }
    out.printf(
        "%nAn earlier tour was interrupted; deleting its namespace %s first.%n", DemoPod.NAMESPACE);
    out.flush();
    delete();
    long end = System.nanoTime() + LIMIT.toNanos();
    while (find().isPresent()) {
      if (System.nanoTime() > end) {
        throw new LaunchException(
            new Problem(
                "the tour cannot start",
                "namespace %s of an earlier tour still exists after %d s"
                    .formatted(DemoPod.NAMESPACE, LIMIT.toSeconds()),
                "Find what blocks its deletion: kubectl get namespace %s -o yaml"
                    .formatted(DemoPod.NAMESPACE)));
      }
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(100));
    }
  }

  /// Deletes the namespace without waiting for its end. Runs as a shutdown hook, where the time is
  /// short.
  void abandon() {
    try {
      if (find().filter(DemoNamespace::isTours).isPresent()) {
        delete();
        out.printf("%nInterrupted: deleting namespace %s.%n", DemoPod.NAMESPACE);
      }
    } catch (ClientException e) {
      out.printf(
          "%nInterrupted: namespace %s is not deleted, because %s.%n",
          DemoPod.NAMESPACE, e.getMessage());
    }
    out.flush();
  }

  /// The document of the namespace, which the tour creates itself, so that users see it.
  static ObjectNode document() {
    ObjectNode namespace = JsonNodeFactory.instance.objectNode();
    namespace.put("apiVersion", "v1").put("kind", "Namespace");
    ObjectNode metadata = namespace.putObject("metadata").put("name", DemoPod.NAMESPACE);
    metadata.putObject("labels").put(MARK, "true");
    return namespace;
  }

  private Optional<ObjectNode> find() {
    return client.json(ResourceType.NAMESPACES).find(KEY);
  }

  private static boolean isTours(ObjectNode namespace) {
    return namespace.path("metadata").path("labels").has(MARK);
  }

  private void delete() {
    client.json(ResourceType.NAMESPACES).delete(KEY, DeleteOptions.DEFAULT);
  }

  /// Ends the preparation for an interruption; the tour has finished.
  @Override
  public void close() {
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException _) {
      // The process ends already, and the hook runs.
    }
  }
}
