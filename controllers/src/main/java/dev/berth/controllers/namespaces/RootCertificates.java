package dev.berth.controllers.namespaces;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.client.DeleteOptions;
import dev.berth.client.Informer;
import dev.berth.client.ListQuery;
import dev.berth.client.ObjectKey;
import dev.berth.client.ObjectMetadata;
import dev.berth.client.ResourceClient;
import dev.berth.client.ResourceType;
import dev.berth.controllers.loops.ControllerContext;
import dev.berth.controllers.loops.ControllerLoop;
import java.util.Optional;

/// Publishes the certificate authority of the API server in every active namespace as ConfigMap
/// `kube-root-ca.crt`, and reverts changes of it.
public final class RootCertificates {
  private static final String NAME = "kube-root-ca.crt";
  private static final String DESCRIPTION =
      "The certificate authority of this cluster's API server, for pods that talk to it. Kept by"
          + " the control plane; changes are undone.";

  private final ObjectNode data;
  private final ResourceClient<ObjectNode> configMaps;
  private final Informer<ObjectNode> known;

  private RootCertificates(
      String authority, ResourceClient<ObjectNode> configMaps, Informer<ObjectNode> known) {
    this.data = JsonNodeFactory.instance.objectNode().put("ca.crt", authority);
    this.configMaps = configMaps;
    this.known = known;
  }

  /// Starts the loop.
  ///
  /// @param authority certificates in PEM
  public static ControllerLoop start(
      ControllerContext context, Informer<ObjectMetadata> namespaces, String authority) {
    ResourceClient<ObjectNode> configMaps = context.client().json(ResourceType.CONFIG_MAPS);
    Informer<ObjectNode> known = context.informer(configMaps, ListQuery.named(NAME));
    RootCertificates rule = new RootCertificates(authority, configMaps, known);
    return new PerNamespace<>(
        "root-certificates",
        context,
        namespaces,
        known,
        configMap -> configMap.path("metadata").path("namespace").asText(),
        rule::ensure);
  }

  private void ensure(String namespace) {
    Optional<ObjectNode> found = known.get(new ObjectKey(namespace, NAME));
    if (found.isEmpty()) {
      configMaps.create(publication(namespace));
    } else if (found.get().path("immutable").asBoolean()) {
      // An immutable ConfigMap cannot be repaired; it is deleted, and this controller creates it
      // again.
      String uid = found.get().path("metadata").path("uid").asText();
      configMaps.delete(new ObjectKey(namespace, NAME), DeleteOptions.ofUid(uid));
      // Pods verify the API server with this data, so that a change by others would cut them off.
    } else if (!found.get().path("data").equals(data)) {
      ObjectNode repaired = found.get().deepCopy();
      repaired.set("data", data);
      configMaps.update(repaired);
    }
  }

  private ObjectNode publication(String namespace) {
    ObjectNode configMap = JsonNodeFactory.instance.objectNode();
    configMap.put("apiVersion", "v1").put("kind", "ConfigMap");
    ObjectNode metadata = configMap.putObject("metadata");
    metadata.put("namespace", namespace).put("name", NAME);
    metadata.putObject("annotations").put("kubernetes.io/description", DESCRIPTION);
    configMap.set("data", data);
    return configMap;
  }
}
