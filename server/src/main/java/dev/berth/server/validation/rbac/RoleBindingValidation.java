package dev.berth.server.validation.rbac;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.server.validation.FieldErrors;
import dev.berth.server.validation.FieldPath;
import dev.berth.server.validation.GoComposites;
import dev.berth.server.validation.KindValidator;
import dev.berth.server.validation.fields.NameRule;
import dev.berth.server.validation.fields.NameRules;
import java.util.List;

/// The rules of RoleBinding and ClusterRoleBinding; what a binding refers to never changes.
///
/// With an immutable `roleRef`, the right to change the subjects of a binding cannot be used to
/// grant another role.
public final class RoleBindingValidation implements KindValidator {
  private static final List<String> GROUP = List.of("rbac.authorization.k8s.io");
  private static final FieldPath ROLE = FieldPath.of("roleRef");

  private final boolean namespaced;

  public RoleBindingValidation(boolean namespaced) {
    this.namespaced = namespaced;
  }

  @Override
  public void onCreate(ObjectNode binding, FieldErrors errors) {
    JsonNode role = binding.path("roleRef");
    checkGroup(role, ROLE.child("apiGroup"), errors);
    // A cluster-wide binding to the role of one namespace could not be evaluated elsewhere.
    List<String> kinds = namespaced ? List.of("Role", "ClusterRole") : List.of("ClusterRole");
    String kind = role.path("kind").asText();
    if (!kinds.contains(kind)) {
      errors.notSupportedInOrder(ROLE.child("kind"), kind, kinds);
    }
    String name = role.path("name").asText();
    if (name.isEmpty()) {
      errors.required(ROLE.child("name"), "");
    } else {
      errors.invalid(ROLE.child("name"), name, NameRule.PATH_SEGMENT.problems(name));
    }
    int i = 0;
    for (JsonNode subject : binding.path("subjects")) {
      checkSubject(subject, FieldPath.of("subjects").index(i++), errors);
    }
  }

  private static void checkGroup(JsonNode reference, FieldPath path, FieldErrors errors) {
    String group = reference.path("apiGroup").asText();
    if (!GROUP.contains(group)) {
      errors.notSupportedInOrder(path, group, GROUP);
    }
  }

  private void checkSubject(JsonNode subject, FieldPath path, FieldErrors errors) {
    String name = subject.path("name").asText();
    if (name.isEmpty()) {
      errors.required(path.child("name"), "");
    }
    String kind = subject.path("kind").asText();
    switch (kind) {
      case "ServiceAccount" -> checkServiceAccount(subject, name, path, errors);
      case "User" -> {
        if (name.isEmpty()) {
          errors.invalid(path.child("name"), name, "user name cannot be empty");
        }
        checkGroup(subject, path.child("apiGroup"), errors);
      }
      case "Group" -> {
        if (name.isEmpty()) {
          errors.invalid(path.child("name"), name, "group name cannot be empty");
        }
        checkGroup(subject, path.child("apiGroup"), errors);
      }
      default ->
          errors.notSupportedInOrder(
              path.child("kind"), kind, List.of("ServiceAccount", "User", "Group"));
    }
  }

  private void checkServiceAccount(
      JsonNode subject, String name, FieldPath path, FieldErrors errors) {
    if (!name.isEmpty()) {
      errors.invalid(path.child("name"), name, NameRules.dns1123Subdomain(name));
    }
    String group = subject.path("apiGroup").asText();
    if (!group.isEmpty()) {
      errors.notSupportedInOrder(path.child("apiGroup"), group, List.of(""));
    }
    // In a namespace the server fills in the binding's own namespace before.
    if (!namespaced && subject.path("namespace").asText().isEmpty()) {
      errors.required(path.child("namespace"), "");
    }
  }

  @Override
  public void onUpdate(ObjectNode binding, ObjectNode old, FieldErrors errors) {
    onCreate(binding, errors);
    JsonNode role = binding.path("roleRef");
    if (!role.equals(old.path("roleRef"))) {
      errors.invalidLiteral(
          ROLE,
          "rbac.RoleRef{APIGroup:%s, Kind:%s, Name:%s}"
              .formatted(
                  GoComposites.text(role, "apiGroup"),
                  GoComposites.text(role, "kind"),
                  GoComposites.text(role, "name")),
          "cannot change roleRef");
    }
  }
}
