package dev.berth.server.http.routing;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.relay.BackendAnswer;
import dev.berth.relay.BackendCall;
import dev.berth.relay.RequestBody;
import dev.berth.server.errors.ApiException;
import dev.berth.server.http.encoding.AnswerWriter;
import dev.berth.server.http.encoding.NegotiatedFormat;
import dev.berth.server.http.nodeproxy.NodeBackends;
import dev.berth.server.http.transport.ServerExchange;
import dev.berth.server.kinds.MetricKind;
import dev.berth.server.metricsapi.MetricsApi;
import dev.berth.server.resources.requests.ListOptions;
import java.io.IOException;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpHeader;

/// Dispatches requests for `metrics.k8s.io`.
///
/// In a cluster of upstream an aggregated server answers this group; here the API server itself
/// asks the nodes, so `kubectl top` needs no further component.
public final class MetricsDispatcher {
  /// Bounds the memory for one node's metrics.
  private static final int LARGEST = 64 << 20;

  private final MetricsApi metrics;
  private final AnswerWriter answers;

  public MetricsDispatcher(MetricsApi metrics, AnswerWriter answers) {
    this.metrics = metrics;
    this.answers = answers;
  }

  /// Reads a node's resource usage from its server.
  ///
  /// The request is made with the API server's own certificate, so nodes need no rule for users.
  public static MetricsApi.NodeSource source(NodeBackends nodes) {
    return name -> {
      BackendCall call =
          new BackendCall("GET", "/metrics/resource", HttpFields.EMPTY, RequestBody.NONE, false);
      try (BackendAnswer answer = call.send(nodes.of(name))) {
        String text = answer.text(LARGEST);
        if (answer.status() != 200) {
          throw new IOException("the node answered %d: %s".formatted(answer.status(), text));
        }
        return text;
      }
    };
  }

  public static boolean isMetric(RequestInfo info) {
    return info.isResource() && info.group().equals(MetricKind.GROUP);
  }

  public void dispatch(ServerExchange exchange, RequestInfo info)
      throws IOException, InterruptedException {
    MetricKind kind =
        MetricKind.ALL.stream()
            .filter(one -> one.plural().equals(info.resource()))
            .filter(_ -> info.version().equals(MetricKind.VERSION) && info.subresource().isEmpty())
            .filter(one -> one.namespaced() || info.namespace().isEmpty())
            .findFirst()
            .orElseThrow(ApiException::noSuchResource);
    NegotiatedFormat wanted = NegotiatedFormat.parse(exchange.header(HttpHeader.ACCEPT));
    if (wanted.format() == NegotiatedFormat.Format.PROTOBUF) {
      // These types have neither tables nor protobuf; such clients accept JSON as well.
      wanted = NegotiatedFormat.JSON;
    }
    ObjectNode answer =
        switch (info.verb()) {
          case "get" -> get(kind, info);
          case "list" -> list(kind, info, ListOptions.parse(exchange.query(), false));
          default -> throw ApiException.methodNotAllowed();
        };
    answers.writeOther(exchange, wanted, 200, answer);
  }

  private ObjectNode get(MetricKind kind, RequestInfo info) throws InterruptedException {
    if (!kind.namespaced()) {
      return metrics.node(info.name());
    }
    if (info.namespace().isEmpty()) {
      throw ApiException.noSuchResource();
    }
    return metrics.pod(info.namespace(), info.name());
  }

  private ObjectNode list(MetricKind kind, RequestInfo info, ListOptions options)
      throws InterruptedException {
    return kind.namespaced() ? metrics.pods(info.namespace(), options) : metrics.nodes(options);
  }
}
