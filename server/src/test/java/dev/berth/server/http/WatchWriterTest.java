package dev.berth.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.server.auth.UserInfo;
import dev.berth.server.json.Json;
import dev.berth.server.kinds.KindOptions;
import dev.berth.server.kinds.Kinds;
import dev.berth.server.kinds.ResourceKind;
import dev.berth.server.resources.ObjectCodec;
import dev.berth.server.resources.StoredObject;
import dev.berth.server.resources.Target;
import dev.berth.server.resources.Warnings;
import dev.berth.server.resources.WatchSink;
import dev.berth.server.schema.Schema;
import dev.berth.server.table.IncludeObject;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class WatchWriterTest {
  private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");
  private final Schema schema = Schema.load();
  private final Kinds kinds = Kinds.standard(schema, KindOptions.STANDARD);
  private final ResourceKind configMaps = kinds.bucket("configmaps").orElseThrow();

  @Test
  void theAgeInATableIsThatAtTheEvent() throws IOException {
    Recorded out = new Recorded();
    table(IncludeObject.NONE, out).event(WatchSink.Type.ADDED, created("2026-01-01T00:00:10Z"), 7);

    assertThat(Json.parseTrusted(out.bytes.toByteArray()).at("/object/rows/0/cells/2").asText())
        .isEqualTo("60s");
  }

  @Test
  void bookmarksOfTablesAreTables() throws IOException {
    Recorded out = new Recorded();
    table(IncludeObject.METADATA, out).bookmark(9, true);

    JsonNode event = Json.parseTrusted(out.bytes.toByteArray());
    assertThat(event.path("type").asText()).isEqualTo("BOOKMARK");
    assertThat(event.at("/object/kind").asText()).isEqualTo("Table");
    assertThat(event.at("/object/metadata/resourceVersion").asText()).isEqualTo("9");
    JsonNode annotations = event.at("/object/rows/0/object/metadata/annotations");
    assertThat(annotations.path("k8s.io/initial-events-end").asText()).isEqualTo("true");
  }

  private WatchWriter table(IncludeObject include, EventOutput out) {
    return new WatchWriter(
        new Target(
            configMaps,
            configMaps.storedVersion(),
            "t",
            "",
            "",
            UserInfo.of("test"),
            new Warnings(),
            START),
        new Wanted(Wanted.Format.JSON, Wanted.As.TABLE, "v1"),
        include,
        new Views(),
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
    void endEvent() {}

    @Override
    boolean isClosed() {
      return false;
    }
  }
}
