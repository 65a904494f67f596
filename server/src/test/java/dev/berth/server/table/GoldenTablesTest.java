package dev.berth.server.table;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.server.json.JsonTrees;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Rows that a real API server printed, from `golden.jsonl`.
class GoldenTablesTest {
  record Row(String label, JsonNode golden) {
    @Override
    public String toString() {
      return label + " " + golden.at("/object/metadata/name").asText();
    }
  }

  static Stream<Row> rows() throws IOException {
    try (InputStream in = GoldenTablesTest.class.getResourceAsStream("golden.jsonl")) {
      String text = new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8);
      return text.lines()
          .map(line -> JsonTrees.parseTrusted(line.getBytes(StandardCharsets.UTF_8)))
          .map(golden -> new Row(golden.path("label").asText(), golden));
    }
  }

  @ParameterizedTest
  @MethodSource("rows")
  void rowsPrintAsUpstreamPrintsThem(Row row) {
    ObjectNode object = (ObjectNode) row.golden().get("object");
    String apiVersion = object.get("apiVersion").asText();
    String group = apiVersion.contains("/") ? apiVersion.split("/", 2)[0] : "";
    KindColumns columns = TablePrinters.forKind(group, object.get("kind").asText());
    Instant now = Instant.parse(row.golden().get("now").asText());

    JsonNode cells = JsonTrees.array().addAll(columns.cells(object, now));

    assertThat(new String(JsonTrees.bytes(cells), StandardCharsets.UTF_8))
        .isEqualTo(new String(JsonTrees.bytes(row.golden().get("cells")), StandardCharsets.UTF_8));
    List<String> expected = new ArrayList<>();
    for (JsonNode head : row.golden().get("columns")) {
      expected.add(
          "%s|%s|%s|%d"
              .formatted(
                  head.get("name").asText(),
                  head.get("type").asText(),
                  head.get("format").asText(),
                  head.get("priority").asInt()));
    }
    assertThat(columns.definitions())
        .extracting(c -> "%s|%s|%s|%d".formatted(c.name(), c.type(), c.format(), c.priority()))
        .isEqualTo(expected);
    assertThat(columns.definitions()).noneMatch(column -> column.description().isEmpty());
  }
}
