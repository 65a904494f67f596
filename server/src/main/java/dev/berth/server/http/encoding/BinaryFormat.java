package dev.berth.server.http.encoding;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.server.kinds.ServedVersion;
import dev.berth.server.kinds.catalog.ServedKinds;
import dev.berth.server.protobuf.ProtobufCodec;
import dev.berth.server.schema.ObjectSchema;
import dev.berth.server.schema.ObjectType;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// Encodes trees as `application/vnd.kubernetes.protobuf`: finds the type of a tree and passes it
/// to the codec.
///
/// Lists are encoded piece by piece, so that a long list never is in memory as a whole;
/// `ListWriter` calls the pieces in order.
public final class BinaryFormat {
  /// Kinds that belong to no resource; upstream serves them as part of `v1` or `meta.k8s.io`.
  private static final Map<String, String> META_TYPES =
      Map.of(
          "Status", "meta.v1.Status",
          "PartialObjectMetadata", "meta.v1.PartialObjectMetadata");

  private final ProtobufCodec codec;
  private final ServedKinds kinds;
  private final ObjectSchema schema;

  public BinaryFormat(ObjectSchema schema, ServedKinds kinds) {
    this.codec = new ProtobufCodec(schema);
    this.kinds = kinds;
    this.schema = schema;
  }

  ObjectNode decode(ObjectType type, byte[] body) {
    return codec.decodeObject(type, codec.decode(body));
  }

  /// Encodes an object, list or status; the tree contains apiVersion and kind.
  byte[] encode(ObjectNode tree) {
    String kind = tree.path("kind").asText();
    String apiVersion = tree.path("apiVersion").asText();
    if (kind.endsWith("List") && tree.has("items")) {
      ListPieces pieces = list(apiVersion, kind.substring(0, kind.length() - "List".length()));
      List<byte[]> items = new ArrayList<>();
      tree.path("items").forEach(item -> items.add(pieces.item((ObjectNode) item)));
      long length = items.stream().mapToLong(item -> item.length).sum();
      items.addFirst(pieces.head((ObjectNode) tree.path("metadata"), length));
      items.addLast(pieces.tail());
      return ByteChunks.join(items.toArray(byte[][]::new));
    }
    return codec.encode(type(apiVersion, kind), tree, apiVersion, kind);
  }

  /// The encoded pieces of a list of one kind, in order.
  interface ListPieces {
    byte[] head(ObjectNode metadata, long itemBytes);

    byte[] item(ObjectNode item);

    byte[] tail();
  }

  /// @param kind the kind of the items
  ListPieces list(String apiVersion, String kind) {
    ObjectType type = type(apiVersion, kind);
    return new ListPieces() {
      @Override
      public byte[] head(ObjectNode metadata, long itemBytes) {
        return codec.listHead(metadata, apiVersion, kind + "List", itemBytes);
      }

      @Override
      public byte[] item(ObjectNode item) {
        return codec.listItem(type, item);
      }

      @Override
      public byte[] tail() {
        return codec.listTail();
      }
    };
  }

  byte[] watchFrame(String eventType, ObjectNode object) {
    return ProtobufCodec.watchFrame(eventType, encode(object));
  }

  /// Reviews and other kinds that are not stored have no entry in the catalog; their types are
  /// found by name.
  private ObjectType type(String apiVersion, String kind) {
    String meta = META_TYPES.get(kind);
    if (meta != null) {
      return schema.type(meta);
    }
    int slash = apiVersion.indexOf('/');
    String group = slash < 0 ? "" : apiVersion.substring(0, slash);
    String version = apiVersion.substring(slash + 1);
    return kinds
        .kind(group, version, kind)
        .flatMap(found -> found.served(group, version))
        .map(ServedVersion::type)
        .orElseGet(() -> schema.type(group.replaceAll("\\..*", "") + "." + version + "." + kind));
  }
}
