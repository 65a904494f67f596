package dev.berth.server.protobuf;

import dev.berth.server.schema.ObjectType;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/// The layouts of all types that were needed so far.
final class Layouts {
  private final Map<ObjectType, Layout> byType = new ConcurrentHashMap<>();

  Layout of(ObjectType type) {
    return byType.computeIfAbsent(type, Layout::new);
  }
}
