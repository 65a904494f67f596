package dev.berth.server.http;

import java.io.IOException;
import java.util.List;

/// `/openapi/v2` and `/openapi/v3`.
final class OpenApiEndpoint {
  void serve(Exchange exchange, List<String> parts) throws IOException {
    Endpoints.notFound(exchange);
  }
}
