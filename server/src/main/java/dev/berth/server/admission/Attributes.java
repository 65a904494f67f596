package dev.berth.server.admission;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.server.auth.UserInfo;
import dev.berth.server.kinds.ResourceKind;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// One write as admission sees it; objects are in the stored version.
///
/// @param subresource "" for the object itself
/// @param name "" when the name is still to be generated
/// @param object what shall be stored, which `mutate` may change in place; null on delete
/// @param old what is stored; null on create
public record Attributes(
    Operation operation,
    ResourceKind kind,
    String subresource,
    String namespace,
    String name,
    @Nullable ObjectNode object,
    @Nullable ObjectNode old,
    UserInfo user,
    boolean dryRun,
    Consumer<String> warnings) {
  /// What is about to happen to the object.
  public enum Operation {
    CREATE,
    UPDATE,
    DELETE
  }
}
