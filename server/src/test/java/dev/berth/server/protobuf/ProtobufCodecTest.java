package dev.berth.server.protobuf;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.protobuf.CodedInputStream;
import dev.berth.server.errors.ApiException;
import dev.berth.server.json.JsonTrees;
import dev.berth.server.json.TreeNormalizer;
import dev.berth.server.json.WrongTypeException;
import dev.berth.server.schema.ObjectSchema;
import dev.berth.server.schema.ObjectType;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class ProtobufCodecTest {
  private static final ObjectSchema SCHEMA = ObjectSchema.load();
  private static final ProtobufCodec CODEC = new ProtobufCodec(SCHEMA);

  /// A namespace as a Go client writes it, with its empty strings and zeros.
  private static final String NAMESPACE =
      String.join(
          "",
          "6b387300",
          ("0a0f" + "0a027631" + "12094e616d657370616365"),
          "1242",
          "0a28",
          ("0a0464656d6f" + "1200" + "1a00" + "2200" + "2a0475696431" + "3200" + "3800"),
          ("4208" + "0880f2d6ca06" + "1000"),
          ("5a06" + "0a0161" + "120162"),
          ("120c" + "0a0a6b756265726e65746573"),
          ("1a08" + "0a06416374697665"),
          ("1a00" + "2200"));

  private static ObjectNode normal(ObjectType type, ObjectNode tree) {
    List<String> unknown = new ArrayList<>();
    try {
      ObjectNode normal = new TreeNormalizer(unknown).normalize(type, tree);
      assertThat(unknown).isEmpty();
      return normal;
    } catch (WrongTypeException e) {
      throw new AssertionError(type + ": " + tree, e);
    }
  }

  private static ObjectNode parsed(ObjectNode tree) {
    return (ObjectNode) JsonTrees.parseTrusted(JsonTrees.bytes(tree));
  }

  private static ObjectNode json(String text) {
    return (ObjectNode)
        JsonTrees.parseTrusted(text.replace('\'', '"').getBytes(StandardCharsets.UTF_8));
  }

  @Test
  void objectsOfGoClientsAreRead() {
    ProtobufEnvelope envelope = CODEC.decode(HexFormat.of().parseHex(NAMESPACE));
    assertThat(envelope.apiVersion()).isEqualTo("v1");
    assertThat(envelope.kind()).isEqualTo("Namespace");
    ObjectType type = SCHEMA.type("core.v1.Namespace");
    assertThat(normal(type, CODEC.decodeObject(type, envelope)))
        .isEqualTo(
            json(
                "{'kind':'Namespace','apiVersion':'v1','metadata':{'name':'demo','uid':'uid1',"
                    + "'creationTimestamp':'2026-01-01T00:00:00Z','labels':{'a':'b'}},"
                    + "'spec':{'finalizers':['kubernetes']},'status':{'phase':'Active'}}"));
  }

  @Test
  void everyTypeSurvivesTheRoundTrip() {
    long seed = 20_261_115;
    for (ObjectType type : SCHEMA.types()) {
      RandomObjects objects = new RandomObjects(new Random(seed + type.name().hashCode()));
      for (int i = 0; i < 10; i++) {
        ObjectNode object = normal(type, parsed(objects.object(type, 6)));
        byte[] sealed = CODEC.encode(type, object, "v1", "Thing");
        ObjectNode back = normal(type, CODEC.decodeObject(type, CODEC.decode(sealed).raw()));
        assertThat(difference(object, back, type + " " + i)).isEmpty();
      }
    }
  }

  @Test
  void fieldsThatOnlyBerthHasSurviveTheRoundTrip() {
    ObjectType type = SCHEMA.type("core.v1.PodSpec");
    ObjectNode spec =
        normal(
            type,
            json(
                "{'runtimeServiceName':'qemu','architecture':'arm64','vpc':'v',"
                    + "'virtualMachine':{'name':'m','image':'debian','publicKey':'k'},"
                    + "'nics':[{'name':'n','ipAddress':'10.0.0.5'}]}"));
    byte[] sealed = CODEC.encode(type, spec, "v1", "PodSpec");
    assertThat(normal(type, CODEC.decodeObject(type, CODEC.decode(sealed).raw()))).isEqualTo(spec);
  }

  @Test
  void everyFieldHasANumber() {
    Set<String> implied = Set.of("apiVersion", "kind");
    assertThat(SCHEMA.types())
        .flatExtracting(ObjectType::fields)
        .filteredOn(field -> !implied.contains(field.name()))
        .allMatch(field -> field.number() > 0);
  }

  /// The first path at which two trees differ, which reads better than two whole objects.
  private static String difference(JsonNode one, JsonNode other, String path) {
    if (one.equals(other)) {
      return "";
    }
    if (one.isObject() && other.isObject()) {
      Set<String> names = new TreeSet<>();
      one.fieldNames().forEachRemaining(names::add);
      other.fieldNames().forEachRemaining(names::add);
      return names.stream()
          .map(name -> difference(one.path(name), other.path(name), path + "." + name))
          .filter(text -> !text.isEmpty())
          .findFirst()
          .orElse(path);
    }
    for (int i = 0; one.isArray() && one.size() == other.size() && i < one.size(); i++) {
      String inside = difference(one.get(i), other.get(i), path + "[" + i + "]");
      if (!inside.isEmpty()) {
        return inside;
      }
    }
    return path + ": " + one + " became " + other;
  }

  @Test
  void cutOrFlippedBytesAreRefusedOrReadButNeverCrash() {
    ObjectType type = SCHEMA.type("core.v1.Pod");
    Random random = new Random(7);
    RandomObjects objects = new RandomObjects(random);
    for (int i = 0; i < 1000; i++) {
      byte[] sealed = CODEC.encode(type, normal(type, objects.object(type, 4)), "v1", "Pod");
      byte[] broken = Arrays.copyOf(sealed, random.nextInt(sealed.length + 1));
      for (int flips = random.nextInt(3); flips > 0 && broken.length > 0; flips--) {
        broken[random.nextInt(broken.length)] = (byte) random.nextInt(256);
      }
      try {
        CODEC.decodeObject(type, CODEC.decode(broken));
      } catch (ApiException refused) {
        assertThat(refused.status().code()).isEqualTo(400);
      }
    }
  }

  @Test
  void bodyWithoutTheMagicIsRefusedInWords() {
    assertThatThrownBy(() -> CODEC.decode("{}".getBytes(StandardCharsets.UTF_8)))
        .isInstanceOf(ApiException.class)
        .hasMessage(
            "the body of the request cannot be read as protobuf: provided data does not appear to"
                + " be a protobuf message, expected prefix [107 56 115 0]");
  }

  @Test
  void wrongWireTypeIsRefusedInWords() {
    byte[] nameAsNumber =
        new MessageWriter().message(1, new MessageWriter().number(1, 7)).toByteArray();
    assertThatThrownBy(() -> CODEC.decodeObject(SCHEMA.type("core.v1.Pod"), nameAsNumber))
        .isInstanceOf(ApiException.class)
        .hasMessage(
            "the body of the request cannot be read as protobuf: field 1 has wire type 0, expected"
                + " 2");
  }

  @Test
  void unknownNumbersAreSkipped() {
    byte[] future =
        new MessageWriter().string(99, "new").number(98, 1).bool(97, true).toByteArray();
    assertThat(CODEC.decodeObject(SCHEMA.type("core.v1.Pod"), future))
        .isEqualTo(JsonTrees.object());
  }

  @Test
  void inlinedSourcesAreOneLevelDeeper() throws IOException {
    ObjectType volume = SCHEMA.type("core.v1.Volume");
    byte[] sealed =
        CODEC.encode(volume, json("{'name':'v','hostPath':{'path':'/x'}}"), "v1", "Volume");
    CodedInputStream in = CodedInputStream.newInstance(CODEC.decode(sealed).raw());
    assertThat(in.readTag()).isEqualTo(1 << 3 | 2);
    assertThat(in.readString()).isEqualTo("v");
    assertThat(in.readTag()).isEqualTo(2 << 3 | 2);
    CodedInputStream source = in.readBytes().newCodedInput();
    assertThat(source.readTag()).isEqualTo(1 << 3 | 2);
    assertThat(source.readBytes().newCodedInput().readTag()).isEqualTo(1 << 3 | 2);
  }

  @Test
  void packedNumbersAreReadToo() {
    MessageWriter packed = new MessageWriter().bytes(4, new byte[] {1, (byte) 0x90, 0x4e});
    assertThat(CODEC.decodeObject(SCHEMA.type("core.v1.PodSecurityContext"), packed.toByteArray()))
        .isEqualTo(json("{'supplementalGroups':[1,10000]}"));
  }

  @Test
  void partsOfAMessageAreMerged() {
    byte[] twice =
        new MessageWriter()
            .message(1, new MessageWriter().string(1, "n"))
            .message(1, new MessageWriter().string(3, "ns"))
            .toByteArray();
    assertThat(CODEC.decodeObject(SCHEMA.type("core.v1.Pod"), twice))
        .isEqualTo(json("{'metadata':{'name':'n','namespace':'ns'}}"));
  }

  @Test
  void listHoldsItsMetadataAndItems() throws IOException {
    ObjectType item = SCHEMA.type("core.v1.ConfigMap");
    byte[] a = CODEC.listItem(item, json("{'metadata':{'name':'a'}}"));
    byte[] b = CODEC.listItem(item, json("{'metadata':{'name':'b'}}"));
    byte[] head =
        CODEC.listHead(
            json("{'resourceVersion':'7','remainingItemCount':3}"),
            "v1",
            "ConfigMapList",
            a.length + b.length);
    ByteArrayOutputStream sealed = new ByteArrayOutputStream();
    for (byte[] piece : List.of(head, a, b, CODEC.listTail())) {
      sealed.writeBytes(piece);
    }
    ProtobufEnvelope envelope = CODEC.decode(sealed.toByteArray());
    assertThat(envelope.kind()).isEqualTo("ConfigMapList");
    ObjectType list = SCHEMA.type("core.v1.ConfigMapList");
    ObjectNode tree = CODEC.decodeObject(list, envelope.raw());
    assertThat(tree.get("metadata"))
        .isEqualTo(json("{'resourceVersion':'7','remainingItemCount':3}"));
    assertThat(tree.get("items").findValuesAsText("name")).containsExactly("a", "b");
  }

  @Test
  void watchEventIsFramedByItsLength() throws IOException {
    byte[] sealed = CODEC.encode(SCHEMA.type("core.v1.ConfigMap"), json("{}"), "v1", "ConfigMap");
    byte[] frame = ProtobufCodec.watchFrame("ADDED", sealed);
    assertThat(ByteBuffer.wrap(frame).getInt()).isEqualTo(frame.length - 4);
    CodedInputStream event = CodedInputStream.newInstance(frame, 4, frame.length - 4);
    assertThat(event.readTag()).isEqualTo(1 << 3 | 2);
    assertThat(event.readString()).isEqualTo("ADDED");
    assertThat(event.readTag()).isEqualTo(2 << 3 | 2);
    CodedInputStream extension = event.readBytes().newCodedInput();
    assertThat(extension.readTag()).isEqualTo(1 << 3 | 2);
    assertThat(extension.readByteArray()).isEqualTo(sealed);
  }

  @Test
  void deleteOptionsAreRead() {
    byte[] options =
        new MessageWriter()
            .number(1, 0)
            .message(2, new MessageWriter().string(1, "uid1"))
            .string(4, "Background")
            .toByteArray();
    assertThat(CODEC.decodeObject(SCHEMA.type("meta.v1.DeleteOptions"), options))
        .isEqualTo(
            json(
                "{'gracePeriodSeconds':0,'preconditions':{'uid':'uid1'},"
                    + "'propagationPolicy':'Background'}"));
  }

  @Test
  void verbsOfADiscoveredResourceHaveTheirOwnMessage() {
    ObjectType type = SCHEMA.type("meta.v1.APIResource");
    byte[] raw =
        CODEC
            .decode(CODEC.encode(type, json("{'name':'pods','verbs':['get','list']}"), "v1", "X"))
            .raw();
    assertThat(raw)
        .isEqualTo(
            new MessageWriter()
                .string(1, "pods")
                .message(4, new MessageWriter().string(1, "get").string(1, "list"))
                .toByteArray());
    assertThat(CODEC.decodeObject(type, raw))
        .isEqualTo(json("{'name':'pods','verbs':['get','list']}"));
  }
}
