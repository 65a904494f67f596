package dev.berth.client;

import com.fasterxml.jackson.core.JsonParser;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.io.IOException;
import java.util.Objects;

/// Objects as classes of the fabric8 model.
record ModelCodec<M extends HasMetadata>(Class<M> type) implements ObjectCodec<M> {
  @Override
  public M read(JsonParser parser) throws IOException {
    return ClientJson.MAPPER.readValue(parser, type);
  }

  @Override
  public byte[] write(M object) {
    return ClientJson.bytes(object);
  }

  @Override
  public ObjectKey key(M object) {
    String namespace = object.getMetadata().getNamespace();
    String name = object.getMetadata().getName();
    return new ObjectKey(
        Objects.requireNonNullElse(namespace, ""), Objects.requireNonNullElse(name, ""));
  }

  @Override
  public String resourceVersion(M object) {
    return Objects.requireNonNullElse(object.getMetadata().getResourceVersion(), "");
  }
}
