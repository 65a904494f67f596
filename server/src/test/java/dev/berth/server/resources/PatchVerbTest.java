package dev.berth.server.resources;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.server.errors.ApiException;
import dev.berth.server.json.JsonTrees;
import dev.berth.server.resources.requests.PatchBody;
import dev.berth.server.resources.requests.RequestQuery;
import dev.berth.server.resources.requests.WriteOptions;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Patches that touch what an object is.
class PatchVerbTest {
  private final StoreFixture fixture = new StoreFixture();
  private final ResourceVerbs verbs = fixture.verbs();

  @BeforeEach
  void createMap() {
    fixture.put("t", "m", "before");
  }

  @AfterEach
  void close() {
    fixture.close();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "MERGE | {'kind':'Secret'} | converting (v1.Secret) to (core.ConfigMap): unknown conversion",
        "MERGE | {'kind':'Foo'} | no kind \"Foo\" is registered for version \"v1\" in scheme",
        "MERGE | {'apiVersion':'v2'} | no kind \"ConfigMap\" is registered for version \"v2\" in",
        "JSON | [{'op':'replace','path':'/kind','value':'Pod'}] | converting (v1.Pod) to (core.",
        "JSON | [{'op':'add','path':'/apiVersion','value':'apps/v1'}] | no kind \"ConfigMap\" is",
      })
  void anObjectStaysOfItsKind(PatchBody.Type type, String patch, String why) {
    assertThatThrownBy(() -> patch(type, patch))
        .isInstanceOfSatisfying(
            ApiException.class, e -> assertThat(e.status().code()).isEqualTo(422))
        .hasMessageContaining("patch: Invalid value: ")
        .hasMessageContaining(why);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "MERGE | {'kind':'ConfigMap','apiVersion':'v1','metadata':{'labels':{'l':'after'}}}",
        "MERGE | {'kind':null,'metadata':{'labels':{'l':'after'}}}",
        "STRATEGIC | {'kind':'Secret','metadata':{'labels':{'l':'after'}}}",
        "JSON | [{'op':'replace','path':'/kind','value':'ConfigMap'},"
            + "{'op':'replace','path':'/metadata/labels/l','value':'after'}]",
      })
  void thatItIsOfItsKindMayBeSaid(PatchBody.Type type, String patch) {
    patch(type, patch);
    JsonNode map =
        fixture.store().get(fixture.target("configmaps", "m", "").kind(), "t", "m").value().tree();
    assertThat(map.at("/metadata/labels/l").asText()).isEqualTo("after");
  }

  private void patch(PatchBody.Type type, String patch) {
    verbs
        .patcher()
        .patch(
            fixture.target("configmaps", "m", ""),
            new PatchBody(type, json(patch), List.of()),
            WriteOptions.parse(RequestQuery.parse(""), "test", "PatchOptions", false));
  }

  private static JsonNode json(String json) {
    return JsonTrees.parseTrusted(json.replace('\'', '"').getBytes(StandardCharsets.UTF_8));
  }
}
