package dev.berth.server.resources;

import dev.berth.api.FieldSelector;
import dev.berth.api.LabelSelector;
import dev.berth.server.errors.ApiException;
import dev.berth.server.kinds.ResourceKind;
import java.util.Set;

/// The objects of a kind that a list, watch or deletecollection is about.
record Selection(String keyPrefix, LabelSelector labels, FieldSelector fields) {
  /// Kinds whose unknown fields are answered in the words of the core group.
  private static final Set<String> CORE_WORDS =
      Set.of("Pod", "Node", "Namespace", "Event", "Secret", "Service");

  static Selection of(Target target, ListOptions options) {
    ResourceKind kind = target.kind();
    for (FieldSelector.Requirement requirement : options.fields().requirements()) {
      checkField(kind, requirement.field());
    }
    return new Selection(
        ObjectStore.prefix(kind, target.namespace()), options.labels(), options.fields());
  }

  private static void checkField(ResourceKind kind, String field) {
    if (field.equals("metadata.name")
        || (field.equals("metadata.namespace") && kind.namespaced())
        || kind.selectable().containsKey(field)) {
      return;
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

  boolean isEverything() {
    return labels.isEverything() && fields.isEverything();
  }

  /// The one name that can match, so that a watch or list of one object need not look at the
  /// others; "" for many.
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
