package dev.berth.server.protobuf;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.server.schema.ObjectType;
import dev.berth.server.schema.SchemaField;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The protobuf fields of a type: by number, some inside of messages that JSON does not have.
///
/// A layout never changes once it is built, so all threads share it.
final class MessageLayout {
  private final Map<String, SchemaField> byName = new HashMap<>();
  private final Map<Integer, SchemaField> byNumber = new HashMap<>();
  // Fields of messages that JSON has one level higher, by the message's number and their own.
  private final Map<Integer, Map<Integer, SchemaField>> inlined = new HashMap<>();
  private final List<Integer> inlinedMessages;
  private final boolean hasWrappedVerbs;

  MessageLayout(ObjectType type) {
    for (SchemaField field : type.fields()) {
      if (field.number() > 0) {
        byName.put(field.name(), field);
        home(field).put(field.number(), field);
      }
    }
    inlinedMessages = List.copyOf(inlined.keySet());
    hasWrappedVerbs = type.name().equals("meta.v1.APIResource");
  }

  private Map<Integer, SchemaField> home(SchemaField field) {
    return field.inlinedIn() == 0
        ? byNumber
        : inlined.computeIfAbsent(field.inlinedIn(), _ -> new HashMap<>());
  }

  /// Null for a field that has no number or does not exist.
  @Nullable SchemaField field(String name) {
    return byName.get(name);
  }

  @Nullable SchemaField field(int number) {
    return byNumber.get(number);
  }

  /// The fields of the message with this number if JSON inlines it, else null.
  @Nullable Map<Integer, SchemaField> inlined(int number) {
    return inlined.isEmpty() ? null : inlined.get(number);
  }

  List<Integer> inlinedMessages() {
    return inlinedMessages;
  }

  boolean hasAny(int inlinedMessage, JsonNode tree) {
    return tree.properties().stream()
        .anyMatch(
            entry -> {
              SchemaField field = byName.get(entry.getKey());
              return field != null
                  && field.inlinedIn() == inlinedMessage
                  && !entry.getValue().isNull();
            });
  }

  /// Upstream wraps one list in a message of its own: the verbs of a discovered resource.
  boolean isWrapped(SchemaField field) {
    return hasWrappedVerbs && field.name().equals("verbs");
  }
}
