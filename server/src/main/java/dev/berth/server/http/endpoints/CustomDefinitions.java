package dev.berth.server.http.endpoints;

import dev.berth.server.http.encoding.IndentedJson;
import dev.berth.server.http.routing.RequestInfo;
import dev.berth.server.http.transport.ServerExchange;
import java.nio.charset.StandardCharsets;

/// Serves the list of custom resource definitions, which is always empty.
///
/// kubectl requests this list when a manifest has an unknown kind; without an answer its error is
/// about definitions instead of the kind. Discovery does not contain the resource.
public final class CustomDefinitions {
  private static final byte[] NONE =
      ("{\"kind\":\"CustomResourceDefinitionList\",\"apiVersion\":\"apiextensions.k8s.io/v1\","
              + "\"metadata\":{\"resourceVersion\":\"1\"},\"items\":[]}\n")
          .getBytes(StandardCharsets.UTF_8);

  private CustomDefinitions() {}

  public static boolean areListed(RequestInfo info) {
    return info.verb().equals("list")
        && info.group().equals("apiextensions.k8s.io")
        && info.version().equals("v1")
        && info.resource().equals("customresourcedefinitions");
  }

  public static void list(ServerExchange exchange) {
    exchange.send(200, "application/json", IndentedJson.asWanted(exchange, NONE));
  }
}
