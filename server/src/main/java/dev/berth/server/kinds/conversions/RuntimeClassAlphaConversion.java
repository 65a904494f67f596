package dev.berth.server.kinds.conversions;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.server.kinds.VersionConversion;
import java.util.List;

/// Converts RuntimeClass v1alpha1, which has all fields below `spec` and calls the handler
/// `runtimeHandler`.
public final class RuntimeClassAlphaConversion implements VersionConversion {
  private static final List<String> SAME_NAMES = List.of("overhead", "scheduling");

  @Override
  public ObjectNode toStored(ObjectNode served) {
    JsonNode spec = served.remove("spec");
    if (spec == null) {
      return served.put("handler", "");
    }
    served.set("handler", handler(spec.get("runtimeHandler")));
    SAME_NAMES.stream().filter(spec::has).forEach(name -> served.set(name, spec.get(name)));
    return served;
  }

  @Override
  public ObjectNode fromStored(ObjectNode stored) {
    ObjectNode spec = JsonNodeFactory.instance.objectNode();
    spec.set("runtimeHandler", handler(stored.remove("handler")));
    for (String name : SAME_NAMES) {
      JsonNode value = stored.remove(name);
      if (value != null) {
        spec.set(name, value);
      }
    }
    stored.set("spec", spec);
    return stored;
  }

  private static JsonNode handler(@org.jspecify.annotations.Nullable JsonNode value) {
    return value == null ? JsonNodeFactory.instance.textNode("") : value;
  }
}
