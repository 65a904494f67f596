package dev.berth.server.http.endpoints;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.server.auth.UserInfo;
import dev.berth.server.discovery.DiscoveryDocuments;
import dev.berth.server.discovery.TaggedDocument;
import dev.berth.server.errors.ApiException;
import dev.berth.server.http.encoding.IndentedJson;
import dev.berth.server.http.transport.ServerExchange;
import dev.berth.server.json.JsonTrees;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import org.eclipse.jetty.http.HttpHeader;

/// Routes paths that are not resources: discovery, OpenAPI, version, health, metrics.
///
/// Authorization has already decided by path and method. Discovery documents are made on their
/// first use and kept, because kinds never change at run time.
public final class NonResourcePaths {
  private static final String JSON = "application/json";
  private static final String TEXT = "text/plain; charset=utf-8";

  private final DiscoveryDocuments discovery;
  private final OpenApiEndpoint openApi;
  private final HealthEndpoint health;
  private final MetricsEndpoint metrics;
  private final IssuerEndpoint issuer;
  private final NodeCertificates nodes;
  private final byte[] version;

  public NonResourcePaths(
      DiscoveryDocuments discovery,
      OpenApiEndpoint openApi,
      HealthEndpoint health,
      MetricsEndpoint metrics,
      IssuerEndpoint issuer,
      NodeCertificates nodes,
      byte[] version) {
    this.discovery = discovery;
    this.openApi = openApi;
    this.health = health;
    this.metrics = metrics;
    this.issuer = issuer;
    this.nodes = nodes;
    this.version = version.clone();
  }

  /// Upstream's router rejects methods other than GET below `api`, at group versions, `version` and
  /// the issuer's documents; the other paths answer any method.
  public void serve(ServerExchange exchange, UserInfo user) throws IOException {
    List<String> parts =
        Arrays.stream(exchange.path().split("/")).filter(part -> !part.isEmpty()).toList();
    if (parts.isEmpty() || !parts.getFirst().equals("berth.dev")) {
      // No endpoint here reads a body; an unread body would cost the connection.
      exchange.drain();
    }
    if (parts.isEmpty()) {
      send(exchange, root());
      return;
    }
    switch (parts.getFirst()) {
      case "version" -> sendOr404(exchange, Optional.of(version), parts.size() == 1);
      case "healthz", "livez", "readyz" -> health.serve(exchange, parts, user);
      case "metrics" -> metrics.serve(exchange, parts);
      case "openapi" -> openApi.serve(exchange, parts);
      case ".well-known", "openid" -> issuer.serve(exchange);
      case "berth.dev" -> nodes.serve(exchange, user);
      case "api" -> api(exchange, parts);
      case "apis" -> apis(exchange, parts);
      default -> notFound(exchange);
    }
  }

  private static void send(ServerExchange exchange, byte[] json) {
    exchange.send(200, JSON, IndentedJson.asWanted(exchange, json));
  }

  public static void notFound(ServerExchange exchange) throws IOException {
    exchange.response().getHeaders().put("X-Content-Type-Options", "nosniff");
    exchange.send(404, TEXT, "404 page not found\n".getBytes(StandardCharsets.UTF_8));
  }

  private void api(ServerExchange exchange, List<String> parts) throws IOException {
    if (parts.size() == 1) {
      requireGet(exchange);
      Optional<DiscoveryDocuments.Aggregation> form = aggregation(exchange);
      if (form.isPresent()) {
        aggregated(exchange, form.get(), discovery.aggregatedCore(form.get()));
      } else {
        send(exchange, discovery.apiVersions(exchange.authority()));
      }
      return;
    }
    sendOr404(exchange, discovery.resourceList("", parts.get(1)), parts.size() == 2);
  }

  private void apis(ServerExchange exchange, List<String> parts) throws IOException {
    if (parts.size() == 1) {
      Optional<DiscoveryDocuments.Aggregation> form = aggregation(exchange);
      if (form.isPresent()) {
        aggregated(exchange, form.get(), discovery.aggregatedGroups(form.get()));
      } else {
        send(exchange, discovery.groupList());
      }
    } else if (parts.size() == 2) {
      Optional<byte[]> group = discovery.group(parts.get(1));
      if (group.isPresent()) {
        send(exchange, group.get());
      } else {
        notFound(exchange);
      }
    } else {
      sendOr404(exchange, discovery.resourceList(parts.get(1), parts.get(2)), parts.size() == 3);
    }
  }

  private static void sendOr404(
      ServerExchange exchange, Optional<byte[]> document, boolean rightLength) throws IOException {
    if (document.isPresent() && rightLength) {
      requireGet(exchange);
      send(exchange, document.get());
    } else {
      notFound(exchange);
    }
  }

  static void requireGet(ServerExchange exchange) {
    if (!exchange.method().equals("GET")) {
      throw ApiException.methodNotAllowed();
    }
  }

  private static Optional<DiscoveryDocuments.Aggregation> aggregation(ServerExchange exchange) {
    String accept = exchange.header(HttpHeader.ACCEPT);
    for (String alternative : accept.split(",", -1)) {
      if (alternative.contains("as=APIGroupDiscoveryList")) {
        return Arrays.stream(DiscoveryDocuments.Aggregation.values())
            .filter(form -> sameType(form.mediaType(), alternative))
            .findFirst();
      }
      // The client prefers the old form; the first alternative wins, as upstream has it.
      if (alternative.strip().equals(JSON)) {
        return Optional.empty();
      }
    }
    return Optional.empty();
  }

  /// Media type parameters may come in any order.
  private static boolean sameType(String one, String other) {
    return new TreeSet<>(Arrays.asList(one.replace(" ", "").split(";", -1)))
        .equals(new TreeSet<>(Arrays.asList(other.replace(" ", "").split(";", -1))));
  }

  private static void aggregated(
      ServerExchange exchange, DiscoveryDocuments.Aggregation form, TaggedDocument document)
      throws IOException {
    exchange.response().getHeaders().put(HttpHeader.CACHE_CONTROL, "public");
    exchange.response().getHeaders().put(HttpHeader.ETAG, document.etag());
    exchange.response().getHeaders().put(HttpHeader.VARY, "Accept");
    if (exchange.header(HttpHeader.IF_NONE_MATCH).equals(document.etag())) {
      exchange.send(304, "", new byte[0]);
    } else {
      exchange.send(200, form.mediaType(), IndentedJson.asWanted(exchange, document.body()));
    }
  }

  private byte[] root() {
    TreeSet<String> paths = new TreeSet<>(List.of("/api", "/apis", "/apis/"));
    discovery
        .groupVersions()
        .forEach(
            (group, versions) ->
                versions.forEach(
                    v -> {
                      paths.add(group.isEmpty() ? "/api/" + v : "/apis/" + group);
                      paths.add(group.isEmpty() ? "/api/" + v : "/apis/" + group + "/" + v);
                    }));
    paths.addAll(
        List.of(
            "/.well-known/openid-configuration",
            "/healthz",
            "/livez",
            "/metrics",
            "/openapi/v2",
            "/openapi/v3",
            "/openid/v1/jwks",
            "/readyz",
            "/version"));
    ObjectNode json = JsonTrees.object();
    ArrayNode list = json.putArray("paths");
    paths.forEach(list::add);
    return JsonTrees.bytes(json);
  }
}
