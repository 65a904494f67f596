package dev.berth.server.validation.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.server.validation.FieldErrors;
import dev.berth.server.validation.FieldPath;
import dev.berth.server.validation.KindValidator;
import dev.berth.server.validation.fields.CommonChecks;
import dev.berth.server.validation.fields.NameRules;
import dev.berth.server.validation.fields.PodFields;
import dev.berth.server.validation.pods.PodNodeLabels;
import dev.berth.server.validation.pods.TolerationRules;
import dev.berth.server.validation.resources.ResourceRules;
import java.util.function.Consumer;

/// The rules of RuntimeClass.
///
/// Unlike upstream, the handler may change: KEP-1301 moves a class to another runtime by updating
/// it, and pods that run keep theirs.
public final class RuntimeClassValidation implements KindValidator {
  private static final FieldPath HANDLER = FieldPath.of("handler");
  private static final FieldPath SCHEDULING = FieldPath.of("scheduling");

  // Upstream's rule, which an administrator may choose instead.
  private final boolean immutableHandler;

  public RuntimeClassValidation(boolean immutableHandler) {
    this.immutableHandler = immutableHandler;
  }

  @Override
  public void onCreate(ObjectNode runtimeClass, FieldErrors errors) {
    String handler = runtimeClass.path("handler").asText();
    // KEP-585: handlers are DNS labels, because runtimes put them into file names and configuration
    // keys.
    errors.invalid(HANDLER, handler, NameRules.dns1123Label(handler));
    // Upstream checks the overhead as a container's limits, and so do its error paths read.
    ResourceRules.limits(
        runtimeClass.path("overhead").path("podFixed"), FieldPath.of("overhead"), errors);
    JsonNode scheduling = runtimeClass.path("scheduling");
    PodFields.labels(scheduling.path("nodeSelector"), SCHEDULING.child("nodeSelector"), errors);
    JsonNode tolerations = scheduling.path("tolerations");
    FieldPath path = SCHEDULING.child("tolerations");
    // Upstream 1.32 names the list twice in the paths of single tolerations.
    TolerationRules.validate(tolerations, path.child("tolerations"), errors);
    TolerationRules.validateUnique(tolerations, path, errors);
  }

  @Override
  public void onUpdate(ObjectNode runtimeClass, ObjectNode old, FieldErrors errors) {
    onCreate(runtimeClass, errors);
    if (immutableHandler) {
      CommonChecks.immutable(runtimeClass.path("handler"), old.path("handler"), HANDLER, errors);
    }
  }

  @Override
  public void warn(ObjectNode runtimeClass, Consumer<String> warnings) {
    for (var label : runtimeClass.path("scheduling").path("nodeSelector").properties()) {
      PodNodeLabels.advice(label.getKey())
          .ifPresent(advice -> warnings.accept("scheduling.nodeSelector: " + advice));
    }
  }
}
