package dev.berth.client;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.client.fake.FakeApi;
import java.time.InstantSource;
import java.util.List;

/// Objects and servers that the tests of this package use.
final class Fixtures {
  private Fixtures() {}

  static FakeApi server() {
    FakeApi server =
        new FakeApi(
            List.of(
                ResourceType.NAMESPACES,
                ResourceType.CONFIG_MAPS,
                ResourceType.PODS,
                ResourceType.LEASES,
                ResourceType.RUNTIME_CLASSES),
            InstantSource.system());
    server.createNamespace("default");
    return server;
  }

  static ObjectNode configMap(String name) {
    ObjectNode object = ClientJson.MAPPER.createObjectNode();
    object.putObject("metadata").put("namespace", "default").put("name", name);
    return object;
  }

  static ObjectKey key(String name) {
    return new ObjectKey("default", name);
  }
}
