package dev.berth.server.resources.objects;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.server.json.JsonTrees;
import dev.berth.server.kinds.ResourceKind;
import dev.berth.server.kinds.catalog.KindOptions;
import dev.berth.server.kinds.catalog.ServedKinds;
import dev.berth.server.schema.ObjectSchema;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ObjectCodecTest {
  private static final ServedKinds KINDS =
      ServedKinds.standard(ObjectSchema.load(), KindOptions.STANDARD);

  private final ObjectCodec codec = new ObjectCodec(List.of());

  @Test
  void theRevisionIsStampedBehindTheHeadAndCanBeReplaced() {
    ObjectNode object = JsonTrees.object().put("kind", "X").put("apiVersion", "v1");
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

  /// What is read at a start skips most of an object; selectors must not notice.
  @Test
  void selectorsFindTheSameInAnObjectThatWasReadAsInOneThatWasWritten() {
    for (ResourceKind kind : KINDS.all()) {
      ObjectCodec every = new ObjectCodec(KINDS.all());
      ObjectNode object = JsonTrees.object();
      ObjectNode metadata = object.putObject("metadata").put("namespace", "ns").put("name", "n");
      metadata.putObject("labels").put("app", "web").put("empty", "");
      metadata.putArray("managedFields").addObject().put("manager", "kubectl");
      for (String path : kind.selectable().keySet()) {
        put(object, List.of(path.split("\\.", -1)), "of " + path);
      }
      object.withObject("/spec").putArray("containers").addObject().put("name", "c");
      object.withObject("/spec").putObject("deep").putObject("deeper").putObject("deepest");
      StoredObject written = every.decode(kind.bucket() + "/n", every.encoded(object)).apply(7);
      StoredObject read = every.decode(kind.bucket() + "/n", every.encode(object)).apply(7);

      assertThat(read.labels()).isEqualTo(written.labels()).containsEntry("app", "web");
      assertThat(read.name()).isEqualTo("n");
      for (String field : kind.selectable().keySet()) {
        assertThat(read.field(field)).as("%s %s", kind, field).isEqualTo(written.field(field));
      }
      assertThat(read.json()).isEqualTo(written.json());
    }
  }

  private static void put(ObjectNode object, List<String> steps, String value) {
    if (steps.size() == 1) {
      object.put(steps.getFirst(), value);
    } else {
      put(object.withObject("/" + steps.getFirst()), steps.subList(1, steps.size()), value);
    }
  }

  @Test
  void whatIsNoObjectIsRefused() {
    assertThatThrownBy(() -> codec.decode("xs/n", "[1]".getBytes(UTF_8)))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("not an object");
    assertThatThrownBy(() -> codec.decode("xs/n", "{\"metadata\":{}}}".getBytes(UTF_8)))
        .isInstanceOf(IllegalStateException.class);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"data\":{\"a\":\"b\"},\"metadata\":{\"name\":\"n\"}}",
        "{ \"metadata\": { \"name\": \"n\" }, \"data\": { \"a\": \"b\" } }\n",
        "{\"metadata\":{\"name\":\"n\",\"resourceVersion\":\"4\"},\"data\":{\"a\":\"b\"}}",
        "{\"metadata\":{\"name\":\"n\"},\"data\":{\"a\":\"b\"},\"kind\":\"X\"}",
        "{\"apiVersion\":\"v1\",\"metadata\":{\"name\":\"n\"},\"data\":{\"a\":\"b\"}}"
      })
  void whatSomebodyElseWroteIsServedAsIfThisServerHad(String value) {
    StoredObject read = codec.decode("xs/n", value.getBytes(UTF_8)).apply(17);
    assertThat(text(read.json()))
        .isEqualTo(
            "{\"metadata\":{\"resourceVersion\":\"17\",\"name\":\"n\"},\"data\":{\"a\":\"b\"}}");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          {}                              | it is an object without metadata.name
          {"metadata":{}}                 | it is an object without metadata.name
          {"metadata":"n"}                | it is an object without metadata.name
          {"metadata":{"name":"n"}} rest  | own JSON does not parse
          {"metadata":{"name":"n"}        | own JSON does not parse
          garbage                         | own JSON does not parse
          """)
  void whatIsNoWholeObjectIsRefused(String value, String why) {
    assertThatThrownBy(() -> codec.decode("xs/n", value.getBytes(UTF_8)))
        .isInstanceOf(RuntimeException.class)
        .hasMessageContaining(why);
  }

  private static String text(byte[] json) {
    return new String(json, UTF_8);
  }
}
