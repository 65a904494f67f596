package dev.berth.server.podsecurity;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.server.validation.FieldErrors;
import dev.berth.server.validation.FieldPath;
import dev.berth.server.validation.fields.NameRules;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;

/// Reads a `PodSecurityConfiguration`; every mistake is reported with its field.
///
/// An invalid level counts as `restricted`, but a server with errors in its configuration does not
/// start.
public final class PodSecurityConfigReader {
  private static final String KIND = "PodSecurityConfiguration";
  private static final String GROUP = "pod-security.admission.config.k8s.io/";
  private static final List<String> VERSIONS =
      List.of(GROUP + "v1", GROUP + "v1beta1", GROUP + "v1alpha1");

  private final FieldPath at;
  private final FieldErrors errors;

  private PodSecurityConfigReader(FieldPath at, FieldErrors errors) {
    this.at = at;
    this.errors = errors;
  }

  /// Reads the tree of a file.
  ///
  /// @param at location of the configuration, for messages
  public static PodSecurityConfiguration read(JsonNode tree, FieldPath at, FieldErrors errors) {
    return new PodSecurityConfigReader(at, errors).read(tree);
  }

  private PodSecurityConfiguration read(JsonNode tree) {
    if (!(tree instanceof ObjectNode)) {
      errors.required(at, "must be a " + KIND);
      return PodSecurityConfiguration.STANDARD;
    }
    supported(tree, "kind", List.of(KIND));
    supported(tree, "apiVersion", VERSIONS);
    known(tree, at, Set.of("kind", "apiVersion", "defaults", "exemptions"));
    JsonNode defaults = tree.path("defaults");
    FieldPath atDefaults = at.child("defaults");
    known(
        defaults,
        atDefaults,
        Set.of("enforce", "enforce-version", "audit", "audit-version", "warn", "warn-version"));
    JsonNode exemptions = tree.path("exemptions");
    known(exemptions, at.child("exemptions"), Set.of("usernames", "runtimeClasses", "namespaces"));
    return new PodSecurityConfiguration(
        new NamespacePolicy(
            mode(defaults, "enforce", atDefaults),
            mode(defaults, "audit", atDefaults),
            mode(defaults, "warn", atDefaults)),
        names(exemptions, "usernames", _ -> List.of()),
        names(exemptions, "runtimeClasses", NameRules::dns1123Subdomain),
        names(exemptions, "namespaces", NameRules::dns1123Label));
  }

  private void supported(JsonNode tree, String field, List<String> values) {
    String value = tree.path(field).asText();
    if (!values.contains(value)) {
      errors.notSupportedInOrder(at.child(field), value, values);
    }
  }

  private void known(JsonNode tree, FieldPath path, Set<String> fields) {
    tree.fieldNames()
        .forEachRemaining(
            name -> {
              if (!fields.contains(name)) {
                errors.invalid(
                    path.key(name),
                    name,
                    "unknown field; known are "
                        + String.join(", ", fields.stream().sorted().toList()));
              }
            });
  }

  private LevelVersion mode(JsonNode defaults, String mode, FieldPath path) {
    String level = defaults.path(mode).asText("");
    String version = defaults.path(mode + "-version").asText("");
    return new LevelVersion(
        PolicyLevel.parse(level.isEmpty() ? "privileged" : level)
            .orElseGet(
                () -> {
                  errors.invalid(path.child(mode), level, PolicyLevel.ACCEPTED);
                  return PolicyLevel.RESTRICTED;
                }),
        PolicyVersion.parse(version.isEmpty() ? "latest" : version)
            .orElseGet(
                () -> {
                  errors.invalid(path.child(mode + "-version"), version, PolicyVersion.ACCEPTED);
                  return PolicyVersion.LATEST;
                }));
  }

  private Set<String> names(
      JsonNode exemptions, String field, Function<String, List<String>> rule) {
    Set<String> names = new LinkedHashSet<>();
    JsonNode list = exemptions.path(field);
    FieldPath path = at.child("exemptions").child(field);
    if (!list.isMissingNode() && !list.isNull() && !list.isArray()) {
      errors.invalid(path, list, "must be a list");
    }
    for (int i = 0; i < list.size(); i++) {
      String name = list.get(i).asText();
      if (name.isEmpty()) {
        errors.required(path.index(i), "");
        continue;
      }
      errors.invalid(path.index(i), name, rule.apply(name));
      if (!names.add(name)) {
        errors.duplicate(path.index(i), name);
      }
    }
    return names;
  }
}
