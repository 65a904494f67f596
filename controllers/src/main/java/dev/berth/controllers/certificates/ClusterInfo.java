package dev.berth.controllers.certificates;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.api.certificates.DetachedSignature;
import dev.berth.client.Informer;
import dev.berth.client.ListQuery;
import dev.berth.client.ObjectKey;
import dev.berth.client.ReconcileLoop;
import dev.berth.client.ReconcileLoop.Outcome;
import dev.berth.client.ReconcileLoop.Readiness;
import dev.berth.client.ResourceClient;
import dev.berth.client.ResourceType;
import dev.berth.client.WorkQueue;
import dev.berth.controllers.loops.ControllerContext;
import dev.berth.controllers.loops.ControllerLoop;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Base64;
import java.util.Map;
import java.util.TreeMap;

/// Publishes the address and the certificate authority of the cluster in ConfigMap
/// `kube-public/cluster-info`, signed with every bootstrap token that allows it, as kubeadm and
/// upstream's bootstrap signer do.
///
/// Anybody may read the ConfigMap. A machine that joins does not know the authority yet: it trusts
/// the content because the signature proves that its author knows the same token.
public final class ClusterInfo implements ControllerLoop {
  private static final ObjectKey KEY = new ObjectKey("kube-public", "cluster-info");
  private static final String TYPE = "bootstrap.kubernetes.io/token";
  private static final String TOKENS = "kube-system";
  private static final String SIGNATURE = "jws-kubeconfig-";

  private final String kubeconfig;
  private final ResourceClient<ObjectNode> configMaps;
  private final Informer<ObjectNode> published;
  private final Informer<ObjectNode> tokens;
  private final InstantSource clock;
  private final ReconcileLoop<ObjectKey> loop;

  /// @param url the address at which other machines reach the API server
  /// @param authority in PEM
  public ClusterInfo(ControllerContext context, String url, String authority) {
    this.kubeconfig = kubeconfig(url, authority);
    this.clock = context.clock();
    this.configMaps = context.client().json(ResourceType.CONFIG_MAPS);
    this.published =
        context.informer(
            configMaps,
            ListQuery.inNamespace(KEY.namespace())
                .withFieldSelector("metadata.name=" + KEY.name()));
    this.tokens =
        context.informer(
            context.client().json(ResourceType.SECRETS),
            ListQuery.inNamespace(TOKENS).withFieldSelector("type=" + TYPE));
    WorkQueue<ObjectKey> queue = context.queue();
    published.addHandler(_ -> queue.add(KEY));
    tokens.addHandler(_ -> queue.add(KEY));
    queue.add(KEY);
    this.loop =
        ReconcileLoop.start(
            "cluster-info", queue, 1, Readiness.of(published, tokens), this::ensure);
  }

  /// The document that joining machines read: a kubeconfig with a cluster and without a user, in
  /// the form that kubeadm writes and parses.
  private static String kubeconfig(String url, String authority) {
    return """
        apiVersion: v1
        clusters:
        - cluster:
            certificate-authority-data: %s
            server: %s
          name: ""
        contexts: null
        current-context: ""
        kind: Config
        users: null
        """
        .formatted(Base64.getEncoder().encodeToString(authority.getBytes(UTF_8)), url);
  }

  /// Other keys in the ConfigMap are kept; signatures of removed tokens are not.
  private Outcome ensure(ObjectKey key) {
    ObjectNode found = published.get(key).orElse(null);
    ObjectNode wanted = found == null ? JsonNodeFactory.instance.objectNode() : found.deepCopy();
    ObjectNode data = wanted.withObjectProperty("data");
    // A signature of a removed token would let whoever holds that token still trust this document.
    data.properties().removeIf(entry -> entry.getKey().startsWith(SIGNATURE));
    data.put("kubeconfig", kubeconfig);
    signatures().forEach((id, signature) -> data.put(SIGNATURE + id, signature));
    if (found == null) {
      wanted.put("apiVersion", "v1").put("kind", "ConfigMap");
      wanted.putObject("metadata").put("namespace", key.namespace()).put("name", key.name());
      configMaps.create(wanted);
    } else if (!found.path("data").equals(data)) {
      configMaps.update(wanted);
    }
    return ReconcileLoop.SETTLED;
  }

  /// Another controller removes expired tokens, which triggers this one.
  private Map<String, String> signatures() {
    Map<String, String> signatures = new TreeMap<>();
    for (ObjectNode secret : tokens.list()) {
      String id = data(secret, "token-id");
      String value = data(secret, "token-secret");
      if (data(secret, "usage-bootstrap-signing").equals("true")
          // The authenticator uses tokens with this name only.
          && secret.path("metadata").path("name").asText().equals("bootstrap-token-" + id)
          && !value.isEmpty()
          && !isExpired(data(secret, "expiration"))) {
        signatures.put(id, DetachedSignature.of(kubeconfig, id, value));
      }
    }
    return signatures;
  }

  private boolean isExpired(String expiration) {
    try {
      return !expiration.isEmpty() && !clock.instant().isBefore(Instant.parse(expiration));
    } catch (DateTimeException _) {
      return true;
    }
  }

  private static String data(JsonNode secret, String field) {
    try {
      return new String(
          Base64.getDecoder().decode(secret.path("data").path(field).asText("")), UTF_8);
    } catch (IllegalArgumentException _) {
      return "";
    }
  }

  @Override
  public ReconcileLoop<?> workers() {
    return loop;
  }

  @Override
  public void close() {
    loop.close();
    tokens.close();
    published.close();
  }
}
