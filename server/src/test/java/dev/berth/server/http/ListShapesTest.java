package dev.berth.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.server.json.Json;
import dev.berth.server.json.Yaml;
import dev.berth.server.kinds.KindOptions;
import dev.berth.server.kinds.Kinds;
import dev.berth.server.resources.ObjectCodec;
import dev.berth.server.resources.StoredObject;
import dev.berth.server.schema.Schema;
import dev.berth.store.Entry;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/// Lists that are written item by item read as if they were written at once.
class ListShapesTest {
  private static final ObjectCodec CODEC =
      new ObjectCodec(Kinds.standard(Schema.load(), KindOptions.STANDARD).all());

  @Test
  void aLongListInProtobufIsNotKeptButMadeAgain() throws IOException {
    List<Entry<StoredObject>> items = items("a", "b", "c", "d", "e", "f");
    AtomicInteger made = new AtomicInteger();
    ProtobufList list = new ProtobufList(new Megabytes(made), items, StoredObject::tree);
    ListShape shape = list.shape(Json.object());
    assertThat(made).hasValue(6);

    String written = write(shape, items);
    assertThat(written.length()).isEqualTo(list.length(shape));
    assertThat(written.replaceAll("(.)\\1+", "$1")).isEqualTo("<abcdef>");
    // Four megabytes were kept.
    assertThat(made).hasValue(8);
  }

  @Test
  void aYamlListReadsAsOne() throws IOException {
    List<Entry<StoredObject>> items = items("a", "b");
    ObjectNode metadata = Json.object().put("resourceVersion", "7");
    ObjectNode whole = Json.object().put("kind", "L").put("apiVersion", "v1");
    whole.set("metadata", metadata);
    items.forEach(item -> whole.withArrayProperty("items").add(item.value().tree()));

    assertThat(yaml(YamlLists.list("L", "v1", metadata), items))
        .isEqualTo(new String(Yaml.bytes(whole), StandardCharsets.UTF_8));
    whole.putArray("items");
    assertThat(yaml(YamlLists.list("L", "v1", metadata), List.of()))
        .isEqualTo(new String(Yaml.bytes(whole), StandardCharsets.UTF_8));
  }

  @Test
  void aYamlTableReadsAsOne() throws IOException {
    List<Entry<StoredObject>> items = items("a");
    ObjectNode whole = Json.object().put("kind", "Table").put("apiVersion", "v1");
    whole.putObject("metadata");
    whole.putArray("columnDefinitions").add("c");
    whole.putArray("rows").add(items.getFirst().value().tree());

    YamlLists.Frame frame = YamlLists.table("v1", Json.object(), Json.array().add("c"));
    assertThat(yaml(frame, items)).isEqualTo(new String(Yaml.bytes(whole), StandardCharsets.UTF_8));
  }

  private static String yaml(YamlLists.Frame frame, List<Entry<StoredObject>> items)
      throws IOException {
    return write(
        YamlLists.shape(
            frame, items.isEmpty(), (out, object) -> out.write(YamlLists.item(object.tree()))),
        items);
  }

  private static String write(ListShape shape, List<Entry<StoredObject>> items) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.write(shape.head());
    for (Entry<StoredObject> item : items) {
      shape.item().write(out, item.value());
    }
    out.write(shape.end());
    return out.toString(StandardCharsets.UTF_8);
  }

  private static List<Entry<StoredObject>> items(String... names) {
    List<Entry<StoredObject>> items = new ArrayList<>();
    for (String name : names) {
      byte[] json =
          "{\"metadata\":{\"name\":\"%s\"}}".formatted(name).getBytes(StandardCharsets.UTF_8);
      items.add(
          new Entry<>(
              "configmaps/t/" + name, CODEC.decode("configmaps/t/" + name, json).apply(7), 7, 7));
    }
    return items;
  }

  /// Items of a megabyte each, made of their name's letter.
  private record Megabytes(AtomicInteger made) implements BinaryFormat.ListPieces {
    @Override
    public byte[] head(ObjectNode metadata, long itemBytes) {
      return TypeHead.bytes("<");
    }

    @Override
    public byte[] item(ObjectNode item) {
      made.incrementAndGet();
      return TypeHead.bytes(item.at("/metadata/name").asText().repeat(1 << 20));
    }

    @Override
    public byte[] tail() {
      return TypeHead.bytes(">");
    }
  }
}
