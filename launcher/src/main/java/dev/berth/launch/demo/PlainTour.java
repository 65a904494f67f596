package dev.berth.launch.demo;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.client.ApiClient;
import dev.berth.client.DeleteOptions;
import dev.berth.client.ListQuery;
import dev.berth.client.ObjectKey;
import dev.berth.client.ResourceType;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/// The tour on machines without kubectl: without logs and commands in pods, which need a larger
/// client.
final class PlainTour {
  private static final Duration LIMIT = Duration.ofSeconds(90);

  private final ApiClient client;
  private final PrintWriter out;

  PlainTour(ApiClient client, PrintWriter out) {
    this.client = client;
    this.out = out;
  }

  boolean run(List<DemoPod> pods) {
    out.println("kubectl is not in PATH, so this tour shows no logs and runs no commands in pods.");
    client.json(ResourceType.NAMESPACES).create(DemoNamespace.document());
    try {
      for (DemoPod pod : pods) {
        out.println("POST " + pod.document());
        client.json(ResourceType.PODS).create(pod.document());
      }
      boolean running = awaitRunning(pods.size());
      list().forEach(this::show);
      return running;
    } finally {
      out.println("DELETE namespace " + DemoPod.NAMESPACE);
      client
          .json(ResourceType.NAMESPACES)
          .delete(ObjectKey.clusterScoped(DemoPod.NAMESPACE), DeleteOptions.DEFAULT);
      out.flush();
    }
  }

  private boolean awaitRunning(int count) {
    long end = System.nanoTime() + LIMIT.toNanos();
    while (System.nanoTime() < end) {
      long running =
          list().stream().filter(pod -> pod.at("/status/phase").asText().equals("Running")).count();
      if (running == count) {
        return true;
      }
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(100));
    }
    return false;
  }

  private List<ObjectNode> list() {
    return client.json(ResourceType.PODS).list(ListQuery.inNamespace(DemoPod.NAMESPACE));
  }

  private void show(ObjectNode pod) {
    out.printf(
        "  %-12s %-8s %-14s %s%n",
        pod.at("/metadata/name").asText(),
        pod.at("/status/phase").asText(),
        pod.at("/status/podIP").asText(),
        pod.at("/spec/nodeName").asText());
  }
}
