package dev.berth.server.resources;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.server.json.Json;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

class ObjectCodecTest {
  private final ObjectCodec codec = new ObjectCodec(List.of());

  @Test
  void theRevisionIsStampedBehindTheHeadAndCanBeReplaced() {
    ObjectNode object = Json.object().put("kind", "X").put("apiVersion", "v1");
    object.putObject("spec").put("a", 1);
    object.putObject("metadata").put("name", "n").put("resourceVersion", "4");
    byte[] stored = codec.encode(object);
    assertThat(text(stored)).isEqualTo("{\"metadata\":{\"name\":\"n\"},\"spec\":{\"a\":1}}");

    StoredObject read = codec.decode("xs/n", stored).apply(17);
    assertThat(text(read.json()))
        .isEqualTo("{\"metadata\":{\"resourceVersion\":\"17\",\"name\":\"n\"},\"spec\":{\"a\":1}}");
    assertThat(text(read.jsonAt(12345)))
        .isEqualTo(
            "{\"metadata\":{\"resourceVersion\":\"12345\",\"name\":\"n\"},\"spec\":{\"a\":1}}");
  }

  private static String text(byte[] json) {
    return new String(json, StandardCharsets.UTF_8);
  }
}
