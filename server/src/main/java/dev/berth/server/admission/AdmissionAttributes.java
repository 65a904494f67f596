package dev.berth.server.admission;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.server.auth.UserInfo;
import dev.berth.server.errors.ApiException;
import dev.berth.server.kinds.ResourceKind;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// One write as admission sees it; objects are in the stored version.
///
/// `WriteRules` makes one for each phase. In the mutating phase all plugins share `object`, so each
/// sees the changes of those before it; in the validating phase nobody may change it. `old` never
/// changes.
///
/// @param subresource "" for the object itself
/// @param name "" when the name is generated later
/// @param object the new object, which `mutate` may change in place; null on delete
/// @param old the stored object; null on create
/// @param auditAnnotations receives annotations for the request's audit event
public record AdmissionAttributes(
    Operation operation,
    ResourceKind kind,
    String subresource,
    String namespace,
    String name,
    @Nullable ObjectNode object,
    @Nullable ObjectNode old,
    UserInfo user,
    boolean dryRun,
    Consumer<String> warnings,
    BiConsumer<String, String> auditAnnotations) {
  /// The operation of the write.
  public enum Operation {
    CREATE,
    UPDATE,
    DELETE
  }

  /// The new object if the write is for this resource itself, not for a subresource; else null.
  public @Nullable ObjectNode whole(String group, String plural) {
    return isOn(group, plural) && subresource.isEmpty() ? object : null;
  }

  /// Whether the write is for this resource or one of its subresources.
  public boolean isOn(String group, String plural) {
    return kind.names().plural().equals(plural) && kind.names().group().equals(group);
  }

  /// The spec of a pod that is created; else null.
  ///
  /// Most fields of a pod are immutable, so plugins that complete or check the spec only look at
  /// its creation.
  public @Nullable ObjectNode newPodSpec() {
    ObjectNode pod = operation == Operation.CREATE ? whole("", "pods") : null;
    return pod != null && pod.path("spec") instanceof ObjectNode spec ? spec : null;
  }

  /// The name for messages; a new object may only have a generateName.
  public String displayName() {
    if (!name.isEmpty() || object == null) {
      return name;
    }
    String own = object.at("/metadata/name").asText("");
    String prefix = object.at("/metadata/generateName").asText("");
    return !own.isEmpty() ? own : !prefix.isEmpty() ? prefix : "Unknown";
  }

  /// Adds an annotation to the request's audit event.
  ///
  /// @param key qualified, such as `pod-security.kubernetes.io/enforce-policy`
  public void auditAnnotation(String key, String value) {
    auditAnnotations.accept(key, value);
  }

  public ApiException forbidden(String why) {
    return ApiException.forbidden(kind.resource(), displayName(), why);
  }
}
