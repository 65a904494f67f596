package dev.berth.server.http.encoding;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class PartialBytesTest {
  @Test
  void cutsTheMetadataOutWhateverIsInItsTexts() throws IOException {
    String metadata =
        """
        {"resourceVersion":"7","name":"a","annotations":{"x":"} \\" {","y":"\\\\","z":"\u00fc"},"ownerReferences":[{"uid":"1"}]}\
        """
            .strip();
    String stored = "{\"metadata\":" + metadata + ",\"spec\":{\"a\":{}}}";
    ByteArrayOutputStream out = new ByteArrayOutputStream();

    PartialBytes.write(out, stored.getBytes(StandardCharsets.UTF_8), "v1");

    assertThat(out.toString(StandardCharsets.UTF_8))
        .isEqualTo(
            "{\"kind\":\"PartialObjectMetadata\",\"apiVersion\":\"meta.k8s.io/v1\",\"metadata\":"
                + metadata
                + "}");
  }
}
