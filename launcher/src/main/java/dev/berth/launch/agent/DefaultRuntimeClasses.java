package dev.berth.launch.agent;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.api.DnsNames;
import dev.berth.client.ApiClient;
import dev.berth.client.ApiException;
import dev.berth.client.ClientException;
import dev.berth.client.ObjectKey;
import dev.berth.client.ResourceClient;
import dev.berth.client.ResourceType;
import dev.berth.launch.connection.LocalTransport;
import dev.berth.server.ApiServer;
import dev.berth.server.pki.ClientIdentity;
import dev.berth.server.pki.KeyAndCertificate;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// A RuntimeClass for each handler of the runtimes that `berth up` chose, so that they can be asked
/// for by name.
final class DefaultRuntimeClasses {
  private static final Logger log = LoggerFactory.getLogger(DefaultRuntimeClasses.class);

  private DefaultRuntimeClasses() {}

  /// Creates the classes that do not exist. An existing class stays as it is: an administrator may
  /// have changed it. A failure only costs the classes, not the node.
  static void create(ApiServer server, List<DefaultRuntimeClass> wanted) {
    if (wanted.isEmpty()) {
      return;
    }
    KeyAndCertificate admin = server.credential(ClientIdentity.ADMIN);
    try (ApiClient client = LocalTransport.client(server, admin, "berth-up")) {
      ResourceClient<ObjectNode> classes = client.json(ResourceType.RUNTIME_CLASSES);
      for (DefaultRuntimeClass one : wanted) {
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

  /// Creates a class; another client may have been faster.
  private static void create(ResourceClient<ObjectNode> classes, DefaultRuntimeClass one) {
    try {
      classes.create(one.toJson());
    } catch (ApiException e) {
      if (!e.isAlreadyExists()) {
        throw e;
      }
    }
  }
}
