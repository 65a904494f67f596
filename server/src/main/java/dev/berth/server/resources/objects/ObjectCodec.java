package dev.berth.server.resources.objects;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.util.ByteArrayBuilder;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.server.encryption.UnreadableValueException;
import dev.berth.server.encryption.ValueEncryption;
import dev.berth.server.json.JsonTrees;
import dev.berth.server.kinds.ResourceKind;
import dev.berth.store.EncodedObject;
import dev.berth.store.StoredDecoder;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;
import java.util.function.LongFunction;

/// Encodes trees to stored bytes and decodes stored bytes to [StoredObject]s.
///
/// Stored bytes have neither `kind`, `apiVersion` nor `resourceVersion`: the first two follow from
/// the key, the last one is the revision that the store gives the write and is stamped in
/// afterwards.
///
/// The fixed place of the stamp is what makes reads cheap: the bytes that are stored become the
/// bytes that are sent by two copies, without parsing. Safe for any number of threads.
public final class ObjectCodec implements StoredDecoder<StoredObject> {
  private static final byte[] HEAD = "{\"metadata\":{".getBytes(StandardCharsets.US_ASCII);
  private static final byte[] STAMP = "\"resourceVersion\":\"".getBytes(StandardCharsets.US_ASCII);
  private static final byte[] AFTER_STAMP = "\",".getBytes(StandardCharsets.US_ASCII);

  private final Map<String, Map<String, Function<ObjectNode, String>>> selectableByBucket =
      new HashMap<>();

  private final StringInterner words = new StringInterner();

  private final ValueEncryption encryption;

  public ObjectCodec(Collection<ResourceKind> kinds) {
    this(kinds, ValueEncryption.NONE);
  }

  /// Decodes objects of the given kinds.
  ///
  /// @param encryption encrypts and decrypts stored values
  public ObjectCodec(Collection<ResourceKind> kinds, ValueEncryption encryption) {
    this.encryption = encryption;
    kinds.forEach(kind -> selectableByBucket.put(kind.bucket(), kind.selectable()));
  }

  /// Encoded bytes with their source tree, which saves parsing them.
  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record EncodedTree(byte[] bytes, ObjectNode tree) implements EncodedObject {}

  /// The caller must not change the tree before the write.
  EncodedObject encoded(ObjectNode tree) {
    return new EncodedTree(encode(tree), tree);
  }

  public byte[] encode(ObjectNode tree) {
    try (ByteArrayBuilder out = new ByteArrayBuilder(2048);
        JsonGenerator json = JsonTrees.generator(out)) {
      json.writeStartObject();
      json.writeFieldName("metadata");
      writeWithout(json, (ObjectNode) tree.path("metadata"), "resourceVersion");
      for (Map.Entry<String, JsonNode> field : tree.properties()) {
        if (!field.getKey().equals("metadata") && !isTypeField(field.getKey())) {
          json.writeFieldName(field.getKey());
          JsonTrees.write(json, field.getValue());
        }
      }
      json.writeEndObject();
      json.flush();
      return out.toByteArray();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static boolean isTypeField(String field) {
    return field.equals("kind") || field.equals("apiVersion");
  }

  private static void writeWithout(JsonGenerator json, ObjectNode object, String without)
      throws IOException {
    json.writeStartObject();
    for (Map.Entry<String, JsonNode> field : object.properties()) {
      if (!field.getKey().equals(without)) {
        json.writeFieldName(field.getKey());
        JsonTrees.write(json, field.getValue());
      }
    }
    json.writeEndObject();
  }

  /// Encryption happens here, below the cache of the store, so memory has the plain value and the
  /// journal the sealed one. The key is part of what is sealed: a value that is copied to another
  /// key does not decrypt.
  @Override
  public byte[] stored(String key, EncodedObject value) {
    return encryption.seal(key, value.bytes());
  }

  @Override
  public LongFunction<StoredObject> decode(String key, byte[] stored) {
    ValueEncryption.Opened opened;
    try {
      opened = encryption.open(key, stored);
    } catch (UnreadableValueException e) {
      StoredObject unreadable =
          StoredObject.unreadable(
              key, "%s cannot be read: %s. %s".formatted(key, e.getMessage(), e.whatToDo()));
      // The object exists although nobody can read it. Failing the whole start for one lost key
      // would make all other objects unreachable.
      return _ -> unreadable;
    }
    LongFunction<StoredObject> decoded = decodePlain(key, opened.plain());
    return opened.stale() ? revision -> decoded.apply(revision).asStale() : decoded;
  }

  private LongFunction<StoredObject> decodePlain(String key, byte[] value) {
    ObjectNode tree = JsonTrees.outline(value);
    // Every value of this server has this layout; only foreign values are encoded again.
    if (isCanonical(value, tree)) {
      return decode(key, value, tree);
    }
    byte[] canonical = canonical(value);
    return decode(key, canonical, JsonTrees.outline(canonical));
  }

  /// Whether the value has the layout of this class: the revision is inserted after a fixed head,
  /// and a field must follow.
  private static boolean isCanonical(byte[] value, ObjectNode tree) {
    return value.length > HEAD.length
        && Arrays.equals(value, 0, HEAD.length, HEAD, 0, HEAD.length)
        && value[HEAD.length] == '"'
        && value[value.length - 1] == '}'
        && !tree.path("metadata").has("resourceVersion")
        && !tree.has("kind")
        && !tree.has("apiVersion");
  }

  /// Normalizes a value that was written to the store directly, with spaces or another order of
  /// fields.
  private byte[] canonical(byte[] value) {
    ObjectNode tree = (ObjectNode) JsonTrees.parseTrusted(value);
    if (!tree.path("metadata").path("name").isTextual()) {
      throw new IllegalArgumentException("it is an object without metadata.name");
    }
    return encode(tree);
  }

  @Override
  public LongFunction<StoredObject> decode(String key, EncodedObject value) {
    return value instanceof EncodedTree(byte[] bytes, ObjectNode tree)
        ? decode(key, bytes, tree)
        : decodePlain(key, value.bytes());
  }

  private LongFunction<StoredObject> decode(String key, byte[] value, ObjectNode tree) {
    String bucket = key.substring(0, key.indexOf('/'));
    Map<String, String> labels = labels(tree);
    Map<String, String> fields = fields(bucket, tree);
    return revision -> new StoredObject(stamp(value, revision), labels, fields);
  }

  /// Compact maps with interned strings: there may be 100,000 objects.
  private Map<String, String> labels(ObjectNode tree) {
    JsonNode labels = tree.path("metadata").path("labels");
    Map<String, String> map = HashMap.newHashMap(labels.size());
    for (Map.Entry<String, JsonNode> label : labels.properties()) {
      map.put(words.same(label.getKey()), words.same(label.getValue().asText()));
    }
    return Map.copyOf(map);
  }

  /// Empty values are left out, since a missing field already reads as empty.
  private Map<String, String> fields(String bucket, ObjectNode tree) {
    Map<String, Function<ObjectNode, String>> selectable =
        selectableByBucket.getOrDefault(bucket, Map.of());
    Map<String, String> fields = HashMap.newHashMap(selectable.size() + 2);
    fields.put("metadata.name", tree.path("metadata").path("name").asText());
    fields.put("metadata.namespace", tree.path("metadata").path("namespace").asText());
    selectable.forEach((name, read) -> fields.put(name, read.apply(tree)));
    fields.values().removeIf(String::isEmpty);
    fields.replaceAll((name, value) -> name.equals("metadata.name") ? value : words.same(value));
    return Map.copyOf(fields);
  }

  /// Inserts the revision at its fixed place after the head.
  static byte[] stamp(byte[] value, long revision) {
    byte[] digits = Long.toString(revision).getBytes(StandardCharsets.US_ASCII);
    int inserted = STAMP.length + digits.length + AFTER_STAMP.length;
    byte[] stamped = new byte[value.length + inserted];
    int at = 0;
    at = put(stamped, at, value, HEAD.length);
    at = put(stamped, at, STAMP, STAMP.length);
    at = put(stamped, at, digits, digits.length);
    at = put(stamped, at, AFTER_STAMP, AFTER_STAMP.length);
    System.arraycopy(value, HEAD.length, stamped, at, value.length - HEAD.length);
    return stamped;
  }

  /// Replaces the revision that [#stamp] inserted.
  static byte[] restamp(byte[] stamped, long revision) {
    int digits = HEAD.length + STAMP.length;
    int end = digits;
    while (stamped[end] != '"') {
      end++;
    }
    int rest = end + AFTER_STAMP.length;
    byte[] value = new byte[HEAD.length + stamped.length - rest];
    System.arraycopy(stamped, 0, value, 0, HEAD.length);
    System.arraycopy(stamped, rest, value, HEAD.length, stamped.length - rest);
    return stamp(value, revision);
  }

  private static int put(byte[] target, int at, byte[] source, int length) {
    System.arraycopy(source, 0, target, at, length);
    return at + length;
  }
}
