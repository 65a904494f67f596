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
/// @param subresource "" for the object itself
/// @param name "" when the name is still to be generated
/// @param object what shall be stored, which `mutate` may change in place; null on delete
/// @param old what is stored; null on create
/// @param auditAnnotations takes the key and value of each annotation for the request's audit event
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
  /// What is about to happen to the object.
  public enum Operation {
    CREATE,
    UPDATE,
    DELETE
  }

  /// The new state when it is one of this kind itself, not of a subresource; else null.
  public @Nullable ObjectNode whole(String group, String plural) {
    return isOn(group, plural) && subresource.isEmpty() ? object : null;
  }

  /// Whether the path names this resource, be it the object or a subresource.
  public boolean isOn(String group, String plural) {
    return kind.names().plural().equals(plural) && kind.names().group().equals(group);
  }

  /// The pod's spec when a pod is created; else null.
  public @Nullable ObjectNode newPodSpec() {
    ObjectNode pod = operation == Operation.CREATE ? whole("", "pods") : null;
    return pod != null && pod.path("spec") instanceof ObjectNode spec ? spec : null;
  }

  /// A new object may have no name yet; its refusal names what it has.
  public String displayName() {
    if (!name.isEmpty() || object == null) {
      return name;
    }
    String own = object.at("/metadata/name").asText("");
    String prefix = object.at("/metadata/generateName").asText("");
    return !own.isEmpty() ? own : !prefix.isEmpty() ? prefix : "Unknown";
  }

  /// Annotates the request's entry in the audit log.
  ///
  /// @param key qualified, such as `pod-security.kubernetes.io/enforce-policy`
  public void auditAnnotation(String key, String value) {
    auditAnnotations.accept(key, value);
  }

  public ApiException forbidden(String why) {
    return ApiException.forbidden(kind.resource(), displayName(), why);
  }
}
