package dev.berth.server.kinds.conversions;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.server.kinds.VersionConversion;

/// A deployment of extensions/v1beta1: the fields of apps/v1 with that version's own defaults.
///
/// Upstream no longer serves the version; old manifests still use it.
public final class ExtensionsDeploymentConversion implements VersionConversion {
  @Override
  public ObjectNode toStored(ObjectNode served) {
    ObjectNode spec = served.withObject("/spec");
    selectorFromTemplate(spec);
    ObjectNode strategy = spec.withObject("/strategy");
    if (strategy.path("type").asText("RollingUpdate").equals("RollingUpdate")) {
      strategy.put("type", "RollingUpdate");
      ObjectNode rolling = strategy.withObject("/rollingUpdate");
      putIfAbsent(rolling, "maxUnavailable", 1);
      putIfAbsent(rolling, "maxSurge", 1);
    }
    putIfAbsent(spec, "revisionHistoryLimit", Integer.MAX_VALUE);
    putIfAbsent(spec, "progressDeadlineSeconds", Integer.MAX_VALUE);
    return served;
  }

  private static void selectorFromTemplate(ObjectNode spec) {
    JsonNode labels = spec.path("template").path("metadata").path("labels");
    if (!spec.has("selector") && !labels.isEmpty()) {
      spec.putObject("selector").set("matchLabels", labels.deepCopy());
    }
  }

  private static void putIfAbsent(ObjectNode object, String field, int value) {
    if (!object.has(field)) {
      object.put(field, value);
    }
  }

  @Override
  public ObjectNode fromStored(ObjectNode stored) {
    return stored;
  }
}
