package dev.berth.server.admission.plugins;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.server.admission.AdmissionAttributes;
import dev.berth.server.admission.AdmissionAttributes.Operation;
import dev.berth.server.admission.AdmissionPlugin;
import java.util.List;

/// Adds tolerations of five minutes for nodes that are not ready or unreachable (upstream's
/// `DefaultTolerationSeconds`).
///
/// Without the bound a pod with no tolerations would leave its node at the first lost heartbeat.
/// Updates are covered too, because they may remove what the creation added.
final class DefaultTolerations implements AdmissionPlugin {
  private static final List<String> KEYS =
      List.of("node.kubernetes.io/not-ready", "node.kubernetes.io/unreachable");

  /// Upstream's default of `--default-not-ready-toleration-seconds`.
  private static final int SECONDS = 300;

  @Override
  public void mutate(AdmissionAttributes attributes) {
    ObjectNode pod = attributes.whole("", "pods");
    boolean written =
        attributes.operation() == Operation.CREATE || attributes.operation() == Operation.UPDATE;
    if (pod == null || !written || !(pod.path("spec") instanceof ObjectNode spec)) {
      return;
    }
    // Computed before any is added: the first one added must not hide that the second is missing.
    List<String> missing = KEYS.stream().filter(key -> !tolerates(spec, key)).toList();
    for (String key : missing) {
      ArrayNode tolerations =
          spec.path("tolerations") instanceof ArrayNode list ? list : spec.putArray("tolerations");
      tolerations
          .addObject()
          .put("key", key)
          .put("operator", "Exists")
          .put("effect", "NoExecute")
          .put("tolerationSeconds", SECONDS);
    }
  }

  /// A toleration without a key or an effect matches all of them.
  private static boolean tolerates(ObjectNode spec, String wanted) {
    for (JsonNode toleration : spec.path("tolerations")) {
      String key = toleration.path("key").asText("");
      String effect = toleration.path("effect").asText("");
      if ((key.isEmpty() || key.equals(wanted))
          && (effect.isEmpty() || effect.equals("NoExecute"))) {
        return true;
      }
    }
    return false;
  }
}
