package dev.berth.client;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Reads the metadata of an object directly from the parser and skips everything else.
///
/// Garbage collection keeps the metadata of every object of the cluster; skipping the rest while
/// reading, and interning what many objects share, keeps this small.
final class MetadataCodec implements ObjectCodec<ObjectMetadata> {
  static final MetadataCodec INSTANCE = new MetadataCodec();

  private MetadataCodec() {}

  @Override
  public ObjectMetadata read(JsonParser parser) throws IOException {
    Draft draft = new Draft();
    eachField(
        parser,
        field -> {
          if (field.equals("metadata") && parser.currentToken() == JsonToken.START_OBJECT) {
            eachField(parser, inner -> draft.read(inner, parser));
          } else {
            parser.skipChildren();
          }
        });
    return draft.finish();
  }

  @Override
  public byte[] write(ObjectMetadata object) {
    throw new UnsupportedOperationException("metadata alone cannot be written; use a patch");
  }

  @Override
  public ObjectKey key(ObjectMetadata object) {
    return object.key();
  }

  @Override
  public String resourceVersion(ObjectMetadata object) {
    return object.resourceVersion();
  }

  @Override
  public String accept(boolean list) {
    String form = list ? "PartialObjectMetadataList" : "PartialObjectMetadata";
    return "application/json;as=" + form + ";g=meta.k8s.io;v=v1,application/json";
  }

  @FunctionalInterface
  private interface FieldReader {
    /// Called at the field's value; must leave the parser at the value's last token.
    void read(String field) throws IOException;
  }

  private static void eachField(JsonParser parser, FieldReader reader) throws IOException {
    while (parser.nextToken() == JsonToken.FIELD_NAME) {
      String field = parser.currentName();
      parser.nextToken();
      reader.read(field);
    }
  }

  private static final class Draft {
    private final Map<String, String> texts = new LinkedHashMap<>();
    private final Map<String, String> labels = new LinkedHashMap<>();
    private final List<OwnerReference> owners = new ArrayList<>();
    private final List<String> finalizers = new ArrayList<>();

    void read(String field, JsonParser parser) throws IOException {
      switch (field) {
        case "labels" -> readTexts(parser, labels);
        case "finalizers" -> readFinalizers(parser);
        case "ownerReferences" -> readOwners(parser);
        case "name",
            "namespace",
            "uid",
            "resourceVersion",
            "creationTimestamp",
            "deletionTimestamp" ->
            texts.put(field, parser.getValueAsString(""));
        default -> parser.skipChildren();
      }
    }

    private void readFinalizers(JsonParser parser) throws IOException {
      if (parser.currentToken() == JsonToken.START_ARRAY) {
        while (parser.nextToken() != JsonToken.END_ARRAY) {
          finalizers.add(parser.getValueAsString("").intern());
        }
      }
    }

    private void readOwners(JsonParser parser) throws IOException {
      if (parser.currentToken() == JsonToken.START_ARRAY) {
        while (parser.nextToken() != JsonToken.END_ARRAY) {
          Map<String, String> owner = new LinkedHashMap<>();
          readTexts(parser, owner);
          owners.add(
              new OwnerReference(
                  text(owner, "apiVersion").intern(),
                  text(owner, "kind").intern(),
                  text(owner, "name"),
                  text(owner, "uid"),
                  text(owner, "blockOwnerDeletion").equals("true")));
        }
      }
    }

    private static void readTexts(JsonParser parser, Map<String, String> into) throws IOException {
      if (parser.currentToken() == JsonToken.START_OBJECT) {
        eachField(
            parser,
            field -> {
              into.put(field, parser.getValueAsString(""));
              parser.skipChildren();
            });
      }
    }

    ObjectMetadata finish() {
      return new ObjectMetadata(
          new ObjectKey(text(texts, "namespace").intern(), text(texts, "name")),
          text(texts, "uid"),
          text(texts, "resourceVersion"),
          text(texts, "creationTimestamp"),
          text(texts, "deletionTimestamp"),
          labels,
          owners,
          finalizers);
    }

    private static String text(Map<String, String> texts, String field) {
      return texts.getOrDefault(field, "");
    }
  }
}
