package dev.berth.server.kinds.conversions;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.server.kinds.VersionConversion;
import java.nio.charset.StandardCharsets;
import java.util.Base64;

/// Folds the write-only `stringData` into `data`.
///
/// A key in both fields gets the value of `stringData`, as upstream has it.
public final class SecretConversion implements VersionConversion {
  @Override
  public ObjectNode toStored(ObjectNode served) {
    JsonNode plain = served.remove("stringData");
    if (plain != null && !plain.isEmpty()) {
      ObjectNode data = served.withObject("/data");
      plain
          .properties()
          .forEach(entry -> data.put(entry.getKey(), encoded(entry.getValue().asText())));
    }
    return served;
  }

  private static String encoded(String text) {
    return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
  }

  @Override
  public ObjectNode fromStored(ObjectNode stored) {
    return stored;
  }

  @Override
  public boolean sameShape() {
    return true;
  }
}
