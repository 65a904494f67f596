package dev.berth.server.table;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.server.json.JsonTrees;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class TableBuilderTest {
  private static final Instant NOW = Instant.parse("2026-01-01T00:00:05Z");
  private static final String POD =
      "{\"kind\":\"Pod\",\"apiVersion\":\"v1\",\"metadata\":{\"name\":\"p\","
          + "\"resourceVersion\":\"7\",\"creationTimestamp\":\"2026-01-01T00:00:00Z\"},"
          + "\"spec\":{\"containers\":[{\"name\":\"c\"}]},\"status\":{\"phase\":\"Succeeded\"}}";

  private static ObjectNode pod() {
    return (ObjectNode) JsonTrees.parseTrusted(POD.getBytes(StandardCharsets.UTF_8));
  }

  private static TableBuilder builder(IncludeObject include) {
    return new TableBuilder(TablePrinters.forKind("", "Pod"), include, "v1");
  }

  private static String text(ObjectNode node) {
    return new String(JsonTrees.bytes(node), StandardCharsets.UTF_8);
  }

  @Test
  void rowOfAFinishedPodCarriesConditionAndMetadata() {
    assertThat(text(builder(IncludeObject.METADATA).row(pod(), NOW)))
        .isEqualTo(
            "{\"cells\":[\"p\",\"0/1\",\"Succeeded\",\"0\",\"5s\",\"\\u003cnone\\u003e\",\"\\u003cnone\\u003e\",\"\\u003cnone\\u003e\","
                + "\"\\u003cnone\\u003e\"],\"conditions\":[{\"type\":\"Completed\",\"status\":\"True\","
                + "\"reason\":\"Succeeded\",\"message\":\"The pod has completed successfully.\"}],"
                + "\"object\":{\"kind\":\"PartialObjectMetadata\",\"apiVersion\":\"meta.k8s.io/v1\","
                + "\"metadata\":{\"name\":\"p\",\"resourceVersion\":\"7\","
                + "\"creationTimestamp\":\"2026-01-01T00:00:00Z\"}}}");
  }

  @Test
  void includeObjectChoosesHowMuchARowCarries() {
    assertThat(builder(IncludeObject.NONE).row(pod(), NOW).get("object").isNull()).isTrue();
    assertThat(builder(IncludeObject.OBJECT).row(pod(), NOW).get("object")).isEqualTo(pod());
    assertThat(IncludeObject.parse("")).contains(IncludeObject.METADATA);
    assertThat(IncludeObject.parse("Some")).isEmpty();
  }

  @Test
  void tableOfOneObjectHasItsRevision() {
    ObjectNode table = builder(IncludeObject.NONE).table(pod(), NOW, true);
    assertThat(table.fieldNames())
        .toIterable()
        .containsExactly("kind", "apiVersion", "metadata", "columnDefinitions", "rows");
    assertThat(table.get("metadata").toString()).isEqualTo("{\"resourceVersion\":\"7\"}");
    assertThat(table.get("columnDefinitions").get(0).fieldNames())
        .toIterable()
        .containsExactly("name", "type", "format", "description", "priority");
  }

  @Test
  void laterWatchEventsLeaveTheHeadOut() {
    ObjectNode table = builder(IncludeObject.NONE).table(pod(), NOW, false);
    assertThat(table.get("columnDefinitions").isNull()).isTrue();
  }

  @Test
  void partialMetadataSaysItsKind() {
    assertThat(text(PartialMetadata.of(pod(), "v1")))
        .isEqualTo(
            "{\"kind\":\"PartialObjectMetadata\",\"apiVersion\":\"meta.k8s.io/v1\","
                + "\"metadata\":{\"name\":\"p\",\"resourceVersion\":\"7\","
                + "\"creationTimestamp\":\"2026-01-01T00:00:00Z\"}}");
  }
}
