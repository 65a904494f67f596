package dev.berth.server.admission.plugins;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.api.pods.PodSource;
import dev.berth.server.admission.AdmissionAttributes;
import dev.berth.server.admission.AdmissionPlugin;
import dev.berth.server.auth.ObjectReader;
import dev.berth.server.auth.nodes.PodReferences;
import dev.berth.server.json.JsonTrees;
import java.time.Duration;
import java.util.List;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/// Sets the service account of pods and mounts its token (upstream's `ServiceAccount`).
///
/// A name of a volume that already exists is kept, so that a pod which was exported with its token
/// volume can be created again.
final class ServiceAccountAdmission implements AdmissionPlugin {
  private static final String MOUNT_PATH = "/var/run/secrets/kubernetes.io/serviceaccount";
  private static final String VOLUME_PREFIX = "kube-api-access-";
  private static final String DEFAULT_ACCOUNT = "default";

  /// Interval of looking for the `default` account of a new namespace.
  private static final Duration POLL = Duration.ofMillis(10);

  private final ObjectReader objects;
  private final RandomGenerator random;
  private final Duration patience;

  ServiceAccountAdmission(ObjectReader objects, RandomGenerator random, Duration patience) {
    this.objects = objects;
    this.random = random;
    this.patience = patience;
  }

  @Override
  public void mutate(AdmissionAttributes attributes) {
    ObjectNode spec = attributes.newPodSpec();
    if (spec == null || isMirror(attributes)) {
      return;
    }
    if (spec.path("serviceAccountName").asText("").isEmpty()) {
      spec.put("serviceAccountName", DEFAULT_ACCOUNT);
    }
    String name = spec.path("serviceAccountName").asText();
    // The old name of the field stays equal for old clients.
    spec.put("serviceAccount", name);
    ObjectNode account = account(attributes, name);
    if (automount(spec, account)) {
      mountToken(spec);
    }
    if (spec.path("imagePullSecrets").isEmpty() && !account.path("imagePullSecrets").isEmpty()) {
      spec.set("imagePullSecrets", account.path("imagePullSecrets").deepCopy());
    }
  }

  @Override
  public void validate(AdmissionAttributes attributes) {
    ObjectNode spec = attributes.newPodSpec();
    ObjectNode pod = attributes.object();
    if (spec == null || pod == null) {
      return;
    }
    if (isMirror(attributes)) {
      validateMirror(attributes, spec, pod);
    } else if (spec.path("serviceAccountName").asText("").isEmpty()) {
      throw attributes.forbidden(
          "no service account specified for pod %s/%s"
              .formatted(attributes.namespace(), attributes.displayName()));
    } else {
      account(attributes, spec.path("serviceAccountName").asText());
    }
  }

  /// A mirror pod must not refer to secrets: a node could otherwise read any secret by creating
  /// one.
  private static void validateMirror(
      AdmissionAttributes attributes, ObjectNode spec, ObjectNode pod) {
    if (!spec.path("serviceAccountName").asText("").isEmpty()) {
      throw attributes.forbidden("a mirror pod may not reference service accounts");
    }
    if (PodReferences.of("", pod).anyMatch(reference -> reference.plural().equals("secrets"))) {
      throw attributes.forbidden("a mirror pod may not reference secrets");
    }
    for (JsonNode volume : spec.path("volumes")) {
      for (JsonNode source : volume.at("/projected/sources")) {
        if (source.has("serviceAccountToken")) {
          throw attributes.forbidden(
              "a mirror pod may not use ServiceAccountToken volume projections");
        }
      }
    }
  }

  private static boolean isMirror(AdmissionAttributes attributes) {
    ObjectNode pod = attributes.object();
    return pod != null && PodSource.isMirror(pod);
  }

  private ObjectNode account(AdmissionAttributes attributes, String name) {
    ObjectNode account = find(attributes.namespace(), name);
    if (account == null) {
      throw attributes.forbidden(
          "error looking up service account %s/%s: serviceaccount \"%s\" not found"
              .formatted(attributes.namespace(), name, name));
    }
    return account;
  }

  /// The controller creates the `default` account shortly after the namespace; an early pod waits
  /// for it.
  private @Nullable ObjectNode find(String namespace, String name) {
    ObjectNode account = objects.read("serviceaccounts", namespace, name);
    if (account != null || !name.equals(DEFAULT_ACCOUNT)) {
      return account;
    }
    long rounds = patience.dividedBy(POLL);
    try {
      for (long round = 0; account == null && round < rounds; round++) {
        Thread.sleep(POLL);
        account = objects.read("serviceaccounts", namespace, name);
      }
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
    return account;
  }

  /// The pod's own setting wins over that of its account.
  private static boolean automount(ObjectNode spec, ObjectNode account) {
    JsonNode pods = spec.path("automountServiceAccountToken");
    return pods.isBoolean()
        ? pods.booleanValue()
        : account.path("automountServiceAccountToken").asBoolean(true);
  }

  /// A container that mounts something at the path keeps it; the volume is only added if somebody
  /// uses it.
  private void mountToken(ObjectNode spec) {
    String existing = "";
    for (JsonNode volume : spec.path("volumes")) {
      if (volume.path("name").asText().startsWith(VOLUME_PREFIX)) {
        existing = volume.path("name").asText();
      }
    }
    String name = existing.isEmpty() ? VOLUME_PREFIX + suffix() : existing;
    boolean needed = false;
    for (String list : List.of("initContainers", "containers")) {
      for (JsonNode container : spec.path(list)) {
        if (container instanceof ObjectNode object && !hasMount(object)) {
          array(object, "volumeMounts")
              .addObject()
              .put("name", name)
              .put("readOnly", true)
              .put("mountPath", MOUNT_PATH);
          needed = true;
        }
      }
    }
    if (needed && existing.isEmpty()) {
      array(spec, "volumes").add(volume(name));
    }
  }

  private static boolean hasMount(ObjectNode container) {
    return container
        .path("volumeMounts")
        .valueStream()
        .anyMatch(mount -> mount.path("mountPath").asText().equals(MOUNT_PATH));
  }

  private static ObjectNode volume(String name) {
    ObjectNode volume = JsonTrees.object().put("name", name);
    ObjectNode projected = volume.putObject("projected");
    ArrayNode sources = projected.putArray("sources");
    // The kubelet's extra seven seconds mark tokens of projected volumes that admission added.
    sources
        .addObject()
        .putObject("serviceAccountToken")
        .put("expirationSeconds", 3607)
        .put("path", "token");
    ObjectNode authority =
        sources.addObject().putObject("configMap").put("name", "kube-root-ca.crt");
    authority.putArray("items").addObject().put("key", "ca.crt").put("path", "ca.crt");
    sources
        .addObject()
        .putObject("downwardAPI")
        .putArray("items")
        .addObject()
        .put("path", "namespace")
        .putObject("fieldRef")
        .put("apiVersion", "v1")
        .put("fieldPath", "metadata.namespace");
    projected.put("defaultMode", 420);
    return volume;
  }

  private static ArrayNode array(ObjectNode object, String field) {
    return object.path(field) instanceof ArrayNode list ? list : object.putArray(field);
  }

  private String suffix() {
    // Upstream's letters of generated names, without vowels and digits that look like letters.
    String alphabet = "bcdfghjklmnpqrstvwxz2456789";
    StringBuilder suffix = new StringBuilder();
    for (int i = 0; i < 5; i++) {
      suffix.append(alphabet.charAt(random.nextInt(alphabet.length())));
    }
    return suffix.toString();
  }
}
