package dev.berth.chaos.load;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.bench.servers.BenchCredentials;
import dev.berth.chaos.faults.CalmPeriods;
import dev.berth.chaos.history.RunLog;
import java.net.http.HttpClient;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.locks.LockSupport;

/// Steady pods that must survive every fault, and pods that come and go meanwhile.
public final class PodLoad implements AutoCloseable {
  private static final String PODS = "/api/v1/namespaces/default/pods";

  /// Time in which pods must run or be gone when no fault is active.
  private static final Duration CONVERGENCE_LIMIT = Duration.ofMinutes(4);

  private final ApiCaller api;
  private final RunLog log;
  private final String image;
  private final List<PodChurn> churns = new ArrayList<>();
  private final List<String> steady = new ArrayList<>();

  /// Container ids of the steady pods, recorded when all of them ran for the first time.
  private final Map<String, String> firstContainers = new TreeMap<>();

  /// Makes a load without pods.
  ///
  /// @param image the image of the containers
  public PodLoad(BenchCredentials server, CalmPeriods calm, RunLog log, String image) {
    this.api = new ApiCaller(server, HttpClient.Version.HTTP_2, calm, log);
    this.log = log;
    this.image = image;
  }

  /// Creates steady pods, which must never restart.
  public void keep(String node, int count) {
    for (int i = 0; i < count; i++) {
      String name = "steady-" + node + "-" + i;
      create(name, node);
      steady.add(name);
    }
  }

  /// Starts workers that create and delete pods of a node, one pod at a time each.
  public void churn(String node, int count) {
    for (int i = 0; i < count; i++) {
      PodChurn churn = new PodChurn("churn-" + node + "-" + i, this, node);
      churns.add(churn);
      churn.start();
    }
  }

  /// Creates a pod that is bound to the node already, without a scheduler; a pod that exists is a
  /// success.
  boolean create(String name, String node) {
    String json =
        """
        {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "%s"},
         "spec": {"nodeName": "%s", "automountServiceAccountToken": false,
          "terminationGracePeriodSeconds": 1, "volumes": [{"name": "scratch", "emptyDir": {}}],
          "containers": [{"name": "main", "image": "%s", "imagePullPolicy": "IfNotPresent",
           "command": ["/bin/sh", "-c", "trap 'exit 0' TERM; while :; do sleep 1; done"],
           "volumeMounts": [{"name": "scratch", "mountPath": "/scratch"}]}]}}
        """
            .formatted(name, node, image);
    ApiAnswer answer = api.post(PODS, json);
    return answer.isSuccess() || answer.status() == 409;
  }

  void delete(String name) {
    api.delete(PODS + "/" + name);
  }

  boolean isRunning(String name) {
    return isRunning(api.get(PODS + "/" + name).body());
  }

  boolean isGone(String name) {
    return api.get(PODS + "/" + name).status() == 404;
  }

  RunLog log() {
    return log;
  }

  /// Why the steady pods do not run, or are not the same; empty when they do and are.
  public String obstacle() {
    for (String name : steady) {
      JsonNode pod = api.get(PODS + "/" + name).body();
      if (!isRunning(pod)) {
        return name + " is " + pod.path("status");
      }
      JsonNode container = pod.path("status").path("containerStatuses").path(0);
      firstContainers.putIfAbsent(name, container.path("containerID").asText());
    }
    return "";
  }

  private static boolean isRunning(JsonNode pod) {
    JsonNode container = pod.path("status").path("containerStatuses").path(0);
    return pod.path("status").path("phase").asText().equals("Running")
        && container.path("state").has("running");
  }

  /// Checks that the steady pods of a node are the same containers as at first, without a restart.
  public void checkSteady(String node) {
    for (String name : steady) {
      if (!name.startsWith("steady-" + node + "-")) {
        continue;
      }
      JsonNode pod = api.get(PODS + "/" + name).body();
      JsonNode container = pod.path("status").path("containerStatuses").path(0);
      String first = firstContainers.getOrDefault(name, "");
      String now = container.path("containerID").asText();
      log.count("pods checked for restarts");
      if (container.path("restartCount").asInt() != 0 || !first.equals(now)) {
        log.violation(
            "pods",
            "%s was restarted: container %s, now %s: %s"
                .formatted(name, first, now, pod.path("status")));
      }
    }
  }

  /// Checks that every node starts a new pod.
  public void checkNew(List<String> nodes) {
    for (String node : nodes) {
      String name = "after-" + node;
      long end = System.nanoTime() + CONVERGENCE_LIMIT.toNanos();
      create(name, node);
      while (!isRunning(name)) {
        if (System.nanoTime() > end) {
          log.violation(
              "convergence",
              "%s does not run within %s: %s"
                  .formatted(name, CONVERGENCE_LIMIT, api.get(PODS + "/" + name).body()));
          break;
        }
        LockSupport.parkNanos(300_000_000);
      }
    }
  }

  /// Deletes all pods and waits until they are gone.
  public void end() {
    churns.forEach(LoadWorker::close);
    long end = System.nanoTime() + CONVERGENCE_LIMIT.toNanos();
    JsonNode items = list();
    while (!items.isEmpty() && System.nanoTime() < end) {
      for (JsonNode item : items) {
        if (!item.path("metadata").has("deletionTimestamp")) {
          delete(item.path("metadata").path("name").asText());
        }
      }
      LockSupport.parkNanos(500_000_000);
      items = list();
    }
    if (!items.isEmpty()) {
      log.violation(
          "convergence",
          "%d pods are not gone within %s, such as %s"
              .formatted(items.size(), CONVERGENCE_LIMIT, items.path(0)));
    }
  }

  /// The pods; a list with one entry if there is no answer, because pods may still exist then.
  private JsonNode list() {
    ApiAnswer answer = api.get(PODS);
    // Without an answer, pods may still exist.
    return answer.isSuccess()
        ? answer.body().path("items")
        : ApiCaller.MAPPER.createArrayNode().add(0);
  }

  @Override
  public void close() {
    churns.forEach(LoadWorker::close);
    api.close();
  }
}
