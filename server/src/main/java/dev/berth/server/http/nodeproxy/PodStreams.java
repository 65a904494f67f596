package dev.berth.server.http.nodeproxy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.relay.RelayBackend;
import dev.berth.server.errors.ApiException;
import dev.berth.server.errors.ApiStatus;
import dev.berth.server.http.transport.HttpLimits;
import dev.berth.server.http.transport.ServerExchange;
import dev.berth.server.http.transport.WebSocketUpgrade;
import dev.berth.server.resources.objects.ObjectStore;
import dev.berth.server.resources.requests.RequestTarget;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/// Checks logs, exec, attach and port-forward requests and relays them to the node's agent. A proxy
/// request goes to the pod itself.
///
/// Node and container are looked up here and not by the client, so a user with access to one pod
/// cannot reach another one.
public final class PodStreams {
  private final ObjectStore store;
  private final NodeBackends nodes;
  private final HttpLimits limits;

  public PodStreams(ObjectStore store, NodeBackends nodes, HttpLimits limits) {
    this.store = store;
    this.nodes = nodes;
    this.limits = limits;
  }

  public void serve(ServerExchange exchange, RequestTarget target)
      throws IOException, InterruptedException {
    switch (target.kind().names().kind()) {
      case "Pod" -> servePod(exchange, target);
      case "Node" -> proxy(exchange, target, nodes.ofProxy(target.name()));
      default ->
          throw new ApiException(
              new ApiStatus(
                  501,
                  "NotImplemented",
                  "services are stored only and have no address here: use the proxy of one of the"
                      + " service's pods, or kubectl port-forward",
                  ApiStatus.Details.EMPTY));
    }
  }

  private void servePod(ServerExchange exchange, RequestTarget target)
      throws IOException, InterruptedException {
    if (target.subresource().equals("proxy")) {
      PodAddress address = PodAddress.parse(target.name());
      proxy(exchange, target, address.of(pod(target, address.name())));
      return;
    }
    if (target.subresource().equals("log")) {
      LogOptions.check(target.name(), exchange.query());
    }
    ObjectNode pod = pod(target, target.name());
    boolean wholePod = target.subresource().equals("portforward");
    String container = wholePod ? "" : container(target, pod, exchange.query().first("container"));
    String node = pod.path("spec").path("nodeName").asText();
    if (node.isEmpty()) {
      if (target.subresource().equals("log")) {
        // A pod without a node has no log yet, which is no error.
        exchange.send(204, "", new byte[0]);
        return;
      }
      throw ApiException.badRequest(
          "pod %s does not have a host assigned".formatted(target.name()));
    }
    RelayBackend backend = nodes.of(node);
    String there = NodeTarget.of(target, container, exchange.query());
    if (target.subresource().equals("log")) {
      NodeRelay.stream(exchange, backend, there, logOutput(exchange, limits));
    } else {
      NodeRelay.upgrade(exchange, backend, there);
    }
  }

  /// Sends a log as the body of a plain answer or as WebSocket messages.
  static NodeRelay.Output logOutput(ServerExchange exchange, HttpLimits limits) {
    if (!WebSocketUpgrade.isWanted(exchange)) {
      return NodeRelay::pass;
    }
    WebSocketUpgrade.check(exchange);
    return new LogMessages(LogProtocol.choose(exchange.headers()), limits);
  }

  private ObjectNode pod(RequestTarget target, String name) {
    if (store.find(target.kind(), target.namespace(), name) == null) {
      // Another API server may have created the pod just now, so the newest state is awaited. A pod
      // that is known can be reached while the store is unavailable.
      store.freshness().awaitNewest();
    }
    return store.get(target.kind(), target.namespace(), name).value().tree();
  }

  private static String container(RequestTarget target, ObjectNode pod, String wanted) {
    List<String> names = new ArrayList<>();
    for (String list : List.of("containers", "initContainers", "ephemeralContainers")) {
      for (JsonNode container : pod.path("spec").path(list)) {
        names.add(container.path("name").asText());
      }
    }
    if (wanted.isEmpty() && pod.path("spec").path("containers").size() > 1) {
      throw ApiException.badRequest(
          "a container name must be specified for pod %s, choose one of: [%s]"
              .formatted(target.name(), String.join(" ", names)));
    }
    if (!wanted.isEmpty() && !names.contains(wanted)) {
      throw ApiException.badRequest(
          "container %s is not valid for pod %s".formatted(wanted, target.name()));
    }
    return wanted.isEmpty() && !names.isEmpty() ? names.getFirst() : wanted;
  }

  private static void proxy(ServerExchange exchange, RequestTarget target, RelayBackend backend)
      throws IOException, InterruptedException {
    String all = exchange.request().getHttpURI().getPathQuery();
    ProxyRelay.serve(exchange, backend, ProxyPath.parse(all, target.kind().names().plural()));
  }
}
