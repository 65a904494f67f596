package dev.berth.server.validation.events;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.server.validation.FieldErrors;
import dev.berth.server.validation.FieldPath;
import dev.berth.server.validation.KindValidator;
import dev.berth.server.validation.fields.MetadataRules;
import dev.berth.server.validation.fields.NameRules;

/// The rules of Event in core/v1, which accepts events of old clients: only events with an
/// `eventTime` get the newer rules. Requests for events.k8s.io/v1 get the rules of that version.
///
/// Some rules look odd and are upstream's: old clients wrote events about cluster-scoped objects to
/// `default`, newer ones may also use `kube-system`.
public final class EventValidation implements KindValidator {
  /// Upstream's limits for fields of new events.
  // Together they bound an event, of which a cluster has more than of any other kind.
  private static final int SHORT_TEXT = 128;

  /// Upstream's limit of the note of an event.
  private static final int MESSAGE_LENGTH = 1024;

  private static final String OTHER_NAMESPACE = "does not match event.namespace";
  private static final KindValidator STRICT = new StrictEventValidation();

  @Override
  public KindValidator forVersion(String apiVersion) {
    return apiVersion.equals("events.k8s.io/v1") ? STRICT : this;
  }

  @Override
  public void onCreate(ObjectNode event, FieldErrors errors) {
    check(event, "reportingComponent", errors);
  }

  /// @param controllerField the controller's field name in the request's version
  static void check(ObjectNode event, String controllerField, FieldErrors errors) {
    boolean newer = event.hasNonNull("eventTime");
    String namespace = event.path("metadata").path("namespace").asText();
    String involved = event.path("involvedObject").path("namespace").asText();
    if (!namespacesAgree(newer, namespace, involved)) {
      errors.invalid(FieldPath.of("involvedObject").child("namespace"), involved, OTHER_NAMESPACE);
    }
    if (newer) {
      checkNewer(event, FieldPath.of(controllerField), errors);
    }
  }

  private static boolean namespacesAgree(boolean newer, String namespace, String involved) {
    if (involved.isEmpty()) {
      return namespace.equals("default") || (newer && namespace.equals("kube-system"));
    }
    return newer || namespace.equals(involved);
  }

  private static void checkNewer(ObjectNode event, FieldPath controllerPath, FieldErrors errors) {
    String controller = event.path("reportingComponent").asText();
    if (controller.isEmpty()) {
      errors.required(controllerPath, "");
    }
    errors.invalid(controllerPath, controller, NameRules.qualifiedName(controller));
    for (String field : new String[] {"reportingInstance", "action", "reason"}) {
      if (event.path(field).asText().isEmpty()) {
        errors.required(FieldPath.of(field), "");
      }
      checkLength(event, field, SHORT_TEXT, errors);
    }
    checkLength(event, "message", MESSAGE_LENGTH, errors);
  }

  private static void checkLength(ObjectNode event, String field, int limit, FieldErrors errors) {
    if (MetadataRules.bytes(event.path(field).asText()) > limit) {
      errors.invalid(FieldPath.of(field), "", "can have at most " + limit + " characters");
    }
  }

  @Override
  public void onUpdate(ObjectNode event, ObjectNode old, FieldErrors errors) {
    onCreate(event, errors);
  }
}
