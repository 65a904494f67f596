package dev.berth.server.resources;

import dev.berth.api.FieldSelector;
import dev.berth.api.LabelSelector;
import dev.berth.server.errors.ApiException;
import dev.berth.server.kinds.ResourceKind;
import dev.berth.server.resources.objects.ObjectStore;
import dev.berth.server.resources.objects.StoredObject;
import dev.berth.server.resources.requests.ListOptions;
import dev.berth.server.resources.requests.RequestTarget;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// Selects the objects of a list, watch or deletecollection.
///
/// Labels and selectable fields are kept beside the encoded object in the store, so matching an
/// object does not decode it.
record ObjectSelection(String keyPrefix, LabelSelector labels, FieldSelector fields) {
  /// Kinds whose unsupported field selectors get the message of the core group.
  private static final Set<String> CORE_WORDS =
      Set.of("Pod", "Node", "Namespace", "Event", "Secret", "Service");

  static ObjectSelection of(RequestTarget target, ListOptions options) {
    ResourceKind kind = target.kind();
    List<FieldSelector.Requirement> fields = new ArrayList<>();
    for (FieldSelector.Requirement requirement : options.fields().requirements()) {
      fields.add(
          new FieldSelector.Requirement(
              storedField(target, requirement.field()), requirement.equal(), requirement.value()));
    }
    return new ObjectSelection(
        ObjectStore.prefix(kind, target.namespace()),
        options.labels(),
        fields.isEmpty() ? FieldSelector.EVERYTHING : new FieldSelector(fields));
  }

  private static String storedField(RequestTarget target, String field) {
    ResourceKind kind = target.kind();
    Optional<String> stored = target.version().conversion().storedField(field);
    if (stored.isPresent() && isSelectable(kind, stored.get())) {
      return stored.get();
    }
    if (CORE_WORDS.contains(kind.names().kind())) {
      throw ApiException.badRequest("field label not supported: " + field);
    }
    if (kind.names().kind().equals("Job")) {
      throw ApiException.badRequest("field label \"%s\" not supported for Job".formatted(field));
    }
    throw ApiException.badRequest(
        "\"%s\" is not a known field selector: only \"metadata.name\"%s"
            .formatted(field, kind.namespaced() ? ", \"metadata.namespace\"" : ""));
  }

  private static boolean isSelectable(ResourceKind kind, String field) {
    return field.equals("metadata.name")
        || (field.equals("metadata.namespace") && kind.namespaced())
        || kind.selectable().containsKey(field);
  }

  boolean isEverything() {
    return labels.isEverything() && fields.isEverything();
  }

  /// The single name that can match, so that other objects need not be read; "" for several.
  ///
  /// Informers of a single object select by name; their lists read one key.
  String onlyName() {
    for (FieldSelector.Requirement requirement : fields.requirements()) {
      if (requirement.field().equals("metadata.name") && requirement.equal()) {
        return requirement.value();
      }
    }
    return "";
  }

  boolean matches(StoredObject object) {
    return labels.matches(object.labels()) && fields.matches(object::field);
  }
}
