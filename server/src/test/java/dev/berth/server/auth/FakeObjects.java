package dev.berth.server.auth;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// Objects in a map.
public final class FakeObjects implements ObjectReader {
  private final Map<String, ObjectNode> objects = new ConcurrentHashMap<>();

  @Override
  public @Nullable ObjectNode read(String bucket, String namespace, String name) {
    return objects.get(key(bucket, namespace, name));
  }

  @Override
  public List<ObjectNode> all(String bucket) {
    return objects.entrySet().stream()
        .filter(entry -> entry.getKey().startsWith(bucket + "/"))
        .map(Map.Entry::getValue)
        .toList();
  }

  @Override
  public List<ObjectNode> in(String bucket, String namespace) {
    return new TreeMap<>(objects)
        .entrySet().stream()
            .filter(entry -> entry.getKey().startsWith(bucket + "/" + namespace + "/"))
            .map(Map.Entry::getValue)
            .toList();
  }

  @Override
  public int visit(String bucket, String namespace, Predicate<ObjectNode> visitor) {
    List<ObjectNode> found = in(bucket, namespace);
    for (ObjectNode object : found) {
      if (!visitor.test(object)) {
        break;
      }
    }
    return found.size();
  }

  /// Keeps an object under its own name; the JSON has single quotes.
  public ObjectNode put(String bucket, String json) {
    return put(bucket, RbacObjects.json(json));
  }

  public ObjectNode put(String bucket, ObjectNode object) {
    objects.put(
        key(
            bucket,
            object.at("/metadata/namespace").asText(""),
            object.at("/metadata/name").asText()),
        object);
    return object;
  }

  public void remove(String bucket, String namespace, String name) {
    objects.remove(key(bucket, namespace, name));
  }

  private static String key(String bucket, String namespace, String name) {
    return bucket + "/" + namespace + "/" + name;
  }
}
