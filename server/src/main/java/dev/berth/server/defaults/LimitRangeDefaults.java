package dev.berth.server.defaults;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Map;

/// Fills in limit ranges: the defaults of containers come from each other, from the largest to the
/// smallest amount that is allowed.
///
/// The order matters: the default limit is taken from the maximum before the default request is
/// taken from the default limit.
public final class LimitRangeDefaults {
  private LimitRangeDefaults() {}

  public static void apply(ObjectNode limitRange) {
    PodTree.object(
        limitRange, "spec", spec -> PodTree.each(spec, "limits", LimitRangeDefaults::item));
  }

  private static void item(ObjectNode item) {
    for (String field :
        List.of("max", "min", "default", "defaultRequest", "maxLimitRequestRatio")) {
      PodTree.object(item, field, ResourceDefaults::roundUp);
    }
    if (PodTree.text(item, "type").equals("Container")) {
      complete(item, "default", "max");
      complete(item, "defaultRequest", "default");
      complete(item, "defaultRequest", "min");
    }
  }

  private static void complete(ObjectNode item, String field, String from) {
    for (Map.Entry<String, JsonNode> amount : item.path(from).properties()) {
      ObjectNode amounts = item.withObjectProperty(field);
      if (!amounts.has(amount.getKey())) {
        amounts.set(amount.getKey(), amount.getValue());
      }
    }
  }
}
