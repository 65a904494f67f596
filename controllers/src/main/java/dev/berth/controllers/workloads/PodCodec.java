package dev.berth.controllers.workloads;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.client.Codec;
import dev.berth.client.ObjectKey;
import java.io.IOException;

/// Reads pods and keeps what controllers look at.
final class PodCodec implements Codec<PodFacts> {
  @Override
  public PodFacts read(JsonParser parser) throws IOException {
    JsonNode tree = parser.readValueAsTree();
    return PodFacts.of(tree);
  }

  @Override
  public byte[] write(PodFacts pod) {
    throw new UnsupportedOperationException("a few facts of a pod cannot be written as one");
  }

  @Override
  public ObjectKey key(PodFacts pod) {
    return pod.key();
  }

  @Override
  public String resourceVersion(PodFacts pod) {
    return pod.identity().resourceVersion();
  }
}
