package dev.berth.server.http.encoding;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.server.auth.UserInfo;
import dev.berth.server.http.transport.EventOutput;
import dev.berth.server.json.JsonTrees;
import dev.berth.server.kinds.ResourceKind;
import dev.berth.server.kinds.catalog.KindOptions;
import dev.berth.server.kinds.catalog.ServedKinds;
import dev.berth.server.resources.WatchSink;
import dev.berth.server.resources.objects.ObjectCodec;
import dev.berth.server.resources.objects.StoredObject;
import dev.berth.server.resources.requests.AdmissionWarnings;
import dev.berth.server.resources.requests.RequestTarget;
import dev.berth.server.schema.ObjectSchema;
import dev.berth.server.table.IncludeObject;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class WatchWriterTest {
  private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");
  private final ObjectSchema schema = ObjectSchema.load();
  private final ServedKinds kinds = ServedKinds.standard(schema, KindOptions.STANDARD);
  private final ResourceKind configMaps = kinds.bucket("configmaps").orElseThrow();

  @Test
  void theAgeInATableIsThatAtTheEvent() throws IOException {
    Recorded out = new Recorded();
    table(IncludeObject.NONE, out).event(WatchSink.Type.ADDED, created("2026-01-01T00:00:10Z"), 7);

    assertThat(
            JsonTrees.parseTrusted(out.bytes.toByteArray()).at("/object/rows/0/cells/2").asText())
        .isEqualTo("60s");
  }

  @Test
  void bookmarksOfTablesAreTables() throws IOException {
    Recorded out = new Recorded();
    table(IncludeObject.METADATA, out).bookmark(9, true);

    JsonNode event = JsonTrees.parseTrusted(out.bytes.toByteArray());
    assertThat(event.path("type").asText()).isEqualTo("BOOKMARK");
    assertThat(event.at("/object/kind").asText()).isEqualTo("Table");
    assertThat(event.at("/object/metadata/resourceVersion").asText()).isEqualTo("9");
    JsonNode annotations = event.at("/object/rows/0/object/metadata/annotations");
    assertThat(annotations.path("k8s.io/initial-events-end").asText()).isEqualTo("true");
  }

  private WatchWriter table(IncludeObject include, EventOutput out) {
    return new WatchWriter(
        new RequestTarget(
            configMaps,
            configMaps.storedVersion(),
            "t",
            "",
            "",
            UserInfo.of("test"),
            new AdmissionWarnings(),
            START),
        new NegotiatedFormat(NegotiatedFormat.Format.JSON, NegotiatedFormat.As.TABLE, "v1"),
        include,
        new ObjectViews(),
        new BinaryFormat(schema, kinds),
        out,
        () -> START.plusSeconds(70),
        () -> {});
  }

  private StoredObject created(String time) {
    byte[] json =
        "{\"metadata\":{\"name\":\"c\",\"namespace\":\"t\",\"creationTimestamp\":\"%s\"}}"
            .formatted(time)
            .getBytes(StandardCharsets.UTF_8);
    return new ObjectCodec(kinds.all()).decode("configmaps/t/c", json).apply(7);
  }

  private static final class Recorded extends EventOutput {
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

    @Override
    public void write(int b) {
      bytes.write(b);
    }

    @Override
    public void endEvent() {}

    @Override
    public boolean isClosed() {
      return false;
    }
  }
}
