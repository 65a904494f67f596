package dev.berth.client;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.io.IOException;

/// The form in which the caller gets objects of one kind: a JSON tree, a class of the Kubernetes
/// model, or the metadata only.
///
/// The model's classes cost memory and start-up time, so that long-lived loops use the other two.
public interface ObjectCodec<T> {
  /// Reads the object that begins at the parser's current token.
  T read(JsonParser parser) throws IOException;

  byte[] write(T object);

  ObjectKey key(T object);

  String resourceVersion(T object);

  /// The `Accept` header for one object or watch event, and for a list.
  default String accept(boolean list) {
    return "application/json";
  }

  static ObjectCodec<ObjectNode> json(ResourceType type) {
    return new JsonCodec(type);
  }

  static <M extends HasMetadata> ObjectCodec<M> model(Class<M> type) {
    return new ModelCodec<>(type);
  }

  /// Reads the metadata only and asks the server for it only; cannot write.
  static ObjectCodec<ObjectMetadata> metadata() {
    return MetadataCodec.INSTANCE;
  }
}
