package dev.berth.server.http;

import static org.assertj.core.api.Assertions.assertThat;

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
    new WatchWriter(
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
            IncludeObject.NONE,
            new Views(),
            new BinaryFormat(schema, kinds),
            out,
            () -> START.plusSeconds(70))
        .event(WatchSink.Type.ADDED, created("2026-01-01T00:00:10Z"), 7);

    assertThat(Json.parseTrusted(out.bytes.toByteArray()).at("/object/rows/0/cells/2").asText())
        .isEqualTo("60s");
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
