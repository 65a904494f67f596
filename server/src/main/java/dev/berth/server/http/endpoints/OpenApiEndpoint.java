package dev.berth.server.http.endpoints;

import dev.berth.server.http.transport.ChunkedOutput;
import dev.berth.server.http.transport.ServerExchange;
import dev.berth.server.openapi.CompressedDocument;
import dev.berth.server.openapi.OpenApi;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.eclipse.jetty.http.HttpHeader;

/// Serves `/openapi/v2` and `/openapi/v3`.
///
/// Documents are kept compressed, since they are large and seldom read. Kubectl follows the index
/// of v3, whose addresses carry a hash, and fetches only the groups that it needs.
public final class OpenApiEndpoint {
  private static final String JSON = "application/json";

  private final OpenApi documents;

  public OpenApiEndpoint(OpenApi documents) {
    this.documents = documents;
  }

  void serve(ServerExchange exchange, List<String> parts) throws IOException {
    String version = parts.size() > 1 ? parts.get(1) : "";
    if (version.equals("v2") && parts.size() == 2) {
      v2(exchange);
    } else if (version.equals("v3") && parts.size() == 2) {
      send(exchange, documents.v3Index(), JSON);
    } else if (version.equals("v3")) {
      v3(exchange, String.join("/", parts.subList(2, parts.size())));
    } else {
      NonResourcePaths.notFound(exchange);
    }
  }

  private void v2(ServerExchange exchange) throws IOException {
    if (exchange.header(HttpHeader.ACCEPT).contains("spec.v2@v1.0+protobuf")) {
      send(exchange, documents.v2Protobuf(), OpenApi.V2_PROTOBUF_TYPE);
    } else {
      send(exchange, documents.v2Json(), JSON);
    }
  }

  private void v3(ServerExchange exchange, String path) throws IOException {
    Optional<CompressedDocument> document = documents.v3(path);
    if (document.isEmpty()) {
      NonResourcePaths.notFound(exchange);
      return;
    }
    if (!takesJson(exchange.header(HttpHeader.ACCEPT))) {
      // Protobuf clients could take the first byte of JSON for protobuf, so 406 is better.
      exchange.response().getHeaders().put(HttpHeader.VARY, "Accept");
      exchange.send(406, "", new byte[0]);
      return;
    }
    String hash = exchange.query().first("hash");
    if (hash.isEmpty()) {
      send(exchange, document.get(), JSON);
    } else if (hash.equals(document.get().hash())) {
      // The URL contains the hash of the content, so clients may cache it for ever.
      exchange.response().getHeaders().put(HttpHeader.CACHE_CONTROL, "public, immutable");
      send(exchange, document.get(), JSON);
    } else {
      moved(exchange, OpenApi.v3Address(path, document.get()), document.get());
    }
  }

  /// OpenAPI v3 is available as JSON only.
  static boolean takesJson(String accept) {
    return accept.isBlank()
        || Arrays.stream(accept.split(",", -1))
            .map(alternative -> alternative.split(";", -1)[0].strip())
            .anyMatch(type -> Set.of(JSON, "application/*", "*/*").contains(type));
  }

  /// The hash in the URL is outdated: redirect to the current one.
  private static void moved(ServerExchange exchange, String address, CompressedDocument document) {
    exchange.response().getHeaders().put(HttpHeader.ETAG, document.etag());
    exchange.response().getHeaders().put(HttpHeader.VARY, "Accept");
    exchange.response().getHeaders().put(HttpHeader.LOCATION, address);
    exchange.send(301, JSON, new byte[0]);
  }

  private static void send(ServerExchange exchange, CompressedDocument document, String type)
      throws IOException {
    exchange.response().getHeaders().put(HttpHeader.ETAG, document.etag());
    exchange.response().getHeaders().put(HttpHeader.VARY, "Accept-Encoding, Accept");
    if (exchange.header(HttpHeader.IF_NONE_MATCH).equals(document.etag())) {
      exchange.send(304, "", new byte[0]);
    } else if (exchange.acceptsGzip()) {
      exchange.response().getHeaders().put(HttpHeader.CONTENT_ENCODING, "gzip");
      exchange.send(200, type, document.gzip());
    } else {
      plain(exchange, document, type);
    }
  }

  /// Decompresses while sending: a slow client holds one buffer and only for a bounded time.
  private static void plain(ServerExchange exchange, CompressedDocument document, String type)
      throws IOException {
    exchange.start(200, type);
    exchange.hurry();
    try (InputStream in = document.plain();
        ChunkedOutput out = new ChunkedOutput(exchange, Integer.MAX_VALUE)) {
      in.transferTo(out);
    }
  }
}
