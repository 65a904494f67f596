package dev.berth.launch;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.api.DnsNames;
import dev.berth.client.ApiClient;
import dev.berth.client.ApiException;
import dev.berth.client.ClientException;
import dev.berth.client.ObjectKey;
import dev.berth.client.ResourceType;
import dev.berth.client.Resources;
import dev.berth.server.ApiServer;
import dev.berth.server.pki.ClientIdentity;
import dev.berth.server.pki.Credential;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// A RuntimeClass for each handler of the runtimes that `berth up` chose, so that they can be asked
/// for by name.
final class FirstClasses {
  private static final Logger log = LoggerFactory.getLogger(FirstClasses.class);

  private FirstClasses() {}

  /// Leaves alone those that exist, whatever they say.
  static void create(ApiServer server, List<String> handlers) {
    if (handlers.isEmpty()) {
      return;
    }
    Credential admin = server.credential(ClientIdentity.ADMIN);
    try (ApiClient client = LocalTransport.client(server, admin, "berth-up")) {
      Resources<ObjectNode> classes = client.json(ResourceType.RUNTIME_CLASSES);
      for (String handler : handlers.stream().filter(FirstClasses::isName).toList()) {
        if (classes.find(new ObjectKey("", handler)).isEmpty()) {
          create(classes, handler);
        }
      }
    } catch (ClientException e) {
      log.warn("runtime classes were not created handlers={}", handlers, e);
    }
  }

  /// A runtime may call its handlers what no class may be called.
  private static boolean isName(String handler) {
    return DnsNames.isLabel(handler);
  }

  private static void create(Resources<ObjectNode> classes, String handler) {
    ObjectNode made = JsonNodeFactory.instance.objectNode();
    made.put("apiVersion", "node.k8s.io/v1").put("kind", "RuntimeClass").put("handler", handler);
    made.putObject("metadata")
        .put("name", handler)
        .putObject("annotations")
        .put("berth.dev/created-by", "berth up");
    try {
      classes.create(made);
    } catch (ApiException e) {
      if (!e.isAlreadyExists()) {
        throw e;
      }
    }
  }
}
