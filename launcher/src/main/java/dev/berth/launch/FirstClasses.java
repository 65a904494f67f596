package dev.berth.launch;

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
  static void create(ApiServer server, List<FirstClass> wanted) {
    if (wanted.isEmpty()) {
      return;
    }
    Credential admin = server.credential(ClientIdentity.ADMIN);
    try (ApiClient client = LocalTransport.client(server, admin, "berth-up")) {
      Resources<ObjectNode> classes = client.json(ResourceType.RUNTIME_CLASSES);
      for (FirstClass one : wanted) {
        if (isName(one.name()) && classes.find(new ObjectKey("", one.name())).isEmpty()) {
          create(classes, one);
        }
      }
    } catch (ClientException e) {
      log.warn("runtime classes were not created classes={}", wanted, e);
    }
  }

  /// A runtime may have handlers whose names are no names of classes.
  private static boolean isName(String name) {
    return DnsNames.isLabel(name);
  }

  private static void create(Resources<ObjectNode> classes, FirstClass one) {
    try {
      classes.create(one.toJson());
    } catch (ApiException e) {
      if (!e.isAlreadyExists()) {
        throw e;
      }
    }
  }
}
