package dev.berth.sim.registry;

import java.net.http.HttpResponse.BodySubscriber;
import java.net.http.HttpResponse.BodySubscribers;
import java.security.MessageDigest;
import java.util.HexFormat;

/// Bytes that are counted as they come, and not kept.
final class Count {
  private final MessageDigest hash = Document.sha256();
  private long size;

  static BodySubscriber<Count> subscriber() {
    Count count = new Count();
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
