package dev.berth.server.protobuf;

import dev.berth.server.schema.ObjectType;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/// Caches the layouts of types.
final class MessageLayouts {
  /// Bounded by the number of types.
  private final Map<ObjectType, MessageLayout> byType = new ConcurrentHashMap<>();

  MessageLayout of(ObjectType type) {
    return byType.computeIfAbsent(type, MessageLayout::new);
  }
}
