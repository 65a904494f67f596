package dev.berth.sim.registry;

import java.net.http.HttpResponse.BodySubscriber;
import java.net.http.HttpResponse.BodySubscribers;
import java.security.MessageDigest;
import java.util.HexFormat;

/// Bytes that are counted as they come, and not kept.
final class ByteCount {
  private final MessageDigest hash = RegistryDocument.sha256();
  private long size;

  static BodySubscriber<ByteCount> subscriber() {
    ByteCount count = new ByteCount();
    return BodySubscribers.mapping(
        BodySubscribers.ofByteArrayConsumer(part -> part.ifPresent(count::add)), _ -> count);
  }

  private void add(byte[] bytes) {
    hash.update(bytes);
    size += bytes.length;
  }

  long size() {
    return size;
  }

  /// To be called once.
  String digest() {
    return "sha256:" + HexFormat.of().formatHex(hash.digest());
  }
}
