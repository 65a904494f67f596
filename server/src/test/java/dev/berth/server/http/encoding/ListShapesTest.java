package dev.berth.server.http.encoding;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.server.json.JsonTrees;
import dev.berth.server.json.YamlTrees;
import dev.berth.server.kinds.catalog.KindOptions;
import dev.berth.server.kinds.catalog.ServedKinds;
import dev.berth.server.resources.objects.ObjectCodec;
import dev.berth.server.resources.objects.StoredObject;
import dev.berth.server.schema.ObjectSchema;
import dev.berth.store.StoreEntry;
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
      new ObjectCodec(ServedKinds.standard(ObjectSchema.load(), KindOptions.STANDARD).all());

  @Test
  void aLongListInProtobufIsNotKeptButMadeAgain() throws IOException {
    List<StoreEntry<StoredObject>> items = items("a", "b", "c", "d", "e", "f");
    AtomicInteger made = new AtomicInteger();
    ProtobufList list = new ProtobufList(new Megabytes(made), items, StoredObject::tree);
    ListShape shape = list.shape(JsonTrees.object());
    assertThat(made).hasValue(6);

    String written = write(shape, items);
    assertThat(written.length()).isEqualTo(list.length(shape));
    assertThat(written.replaceAll("(.)\\1+", "$1")).isEqualTo("<abcdef>");
    // Four megabytes were kept.
    assertThat(made).hasValue(8);
  }

  @Test
  void aYamlListReadsAsOne() throws IOException {
    List<StoreEntry<StoredObject>> items = items("a", "b");
    ObjectNode metadata = JsonTrees.object().put("resourceVersion", "7");
    ObjectNode whole = JsonTrees.object().put("kind", "L").put("apiVersion", "v1");
    whole.set("metadata", metadata);
    items.forEach(item -> whole.withArrayProperty("items").add(item.value().tree()));

    assertThat(yaml(YamlLists.list("L", "v1", metadata), items))
        .isEqualTo(new String(YamlTrees.bytes(whole), StandardCharsets.UTF_8));
    whole.putArray("items");
    assertThat(yaml(YamlLists.list("L", "v1", metadata), List.of()))
        .isEqualTo(new String(YamlTrees.bytes(whole), StandardCharsets.UTF_8));
  }

  @Test
  void aYamlTableReadsAsOne() throws IOException {
    List<StoreEntry<StoredObject>> items = items("a");
    ObjectNode whole = JsonTrees.object().put("kind", "Table").put("apiVersion", "v1");
    whole.putObject("metadata");
    whole.putArray("columnDefinitions").add("c");
    whole.putArray("rows").add(items.getFirst().value().tree());

    YamlLists.Frame frame = YamlLists.table("v1", JsonTrees.object(), JsonTrees.array().add("c"));
    assertThat(yaml(frame, items))
        .isEqualTo(new String(YamlTrees.bytes(whole), StandardCharsets.UTF_8));
  }

  private static String yaml(YamlLists.Frame frame, List<StoreEntry<StoredObject>> items)
      throws IOException {
    return write(
        YamlLists.shape(
            frame, items.isEmpty(), (out, object) -> out.write(YamlLists.item(object.tree()))),
        items);
  }

  private static String write(ListShape shape, List<StoreEntry<StoredObject>> items)
      throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.write(shape.head());
    for (StoreEntry<StoredObject> item : items) {
      shape.item().write(out, item.value());
    }
    out.write(shape.end());
    return out.toString(StandardCharsets.UTF_8);
  }

  private static List<StoreEntry<StoredObject>> items(String... names) {
    List<StoreEntry<StoredObject>> items = new ArrayList<>();
    for (String name : names) {
      byte[] json =
          "{\"metadata\":{\"name\":\"%s\"}}".formatted(name).getBytes(StandardCharsets.UTF_8);
      items.add(
          new StoreEntry<>(
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
