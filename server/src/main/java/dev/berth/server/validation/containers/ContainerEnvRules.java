package dev.berth.server.validation.containers;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.server.validation.FieldErrors;
import dev.berth.server.validation.FieldPath;
import dev.berth.server.validation.fields.NameRule;
import dev.berth.server.validation.fields.NameRules;
import dev.berth.server.validation.fields.PodFields;

/// The rules of environment variables.
///
/// Whether a referenced ConfigMap or Secret exists is decided on the node when the container
/// starts.
public final class ContainerEnvRules {
  private static final String ONE_SOURCE = "may not have more than one field specified at a time";

  private ContainerEnvRules() {}

  public static void env(JsonNode variables, FieldPath path, FieldErrors errors) {
    for (int i = 0; i < variables.size(); i++) {
      JsonNode variable = variables.get(i);
      FieldPath at = path.index(i);
      String name = PodFields.text(variable, "name");
      if (name.isEmpty()) {
        errors.required(at.child("name"), "");
      } else {
        errors.invalid(at.child("name"), name, NameRules.environmentVariable(name));
      }
      if (variable.get("valueFrom") instanceof ObjectNode source) {
        boolean hasValue = !PodFields.text(variable, "value").isEmpty();
        valueFrom(source, hasValue, at.child("valueFrom"), errors);
      }
    }
  }

  private static void valueFrom(
      ObjectNode source, boolean hasValue, FieldPath path, FieldErrors errors) {
    int sources = 0;
    if (source.get("fieldRef") instanceof ObjectNode field) {
      sources++;
      ContainerFieldRules.field(
          field, ContainerFieldRules.IN_VARIABLES, path.child("fieldRef"), errors);
    }
    if (source.get("resourceFieldRef") instanceof ObjectNode resource) {
      sources++;
      ContainerFieldRules.resource(resource, false, path.child("resourceFieldRef"), errors);
    }
    if (source.get("configMapKeyRef") instanceof ObjectNode key) {
      sources++;
      key(key, path.child("configMapKeyRef"), errors);
    }
    if (source.get("secretKeyRef") instanceof ObjectNode key) {
      sources++;
      key(key, path.child("secretKeyRef"), errors);
    }
    // The order of these three cases is upstream's: a value beside two sources is reported as the
    // value.
    if (sources == 0) {
      errors.invalid(
          path,
          "",
          "must specify one of: `fieldRef`, `resourceFieldRef`, `configMapKeyRef` or"
              + " `secretKeyRef`");
    } else if (hasValue) {
      errors.invalid(path, "", "may not be specified when `value` is not empty");
    } else if (sources > 1) {
      errors.invalid(path, "", ONE_SOURCE);
    }
  }

  private static void key(ObjectNode reference, FieldPath path, FieldErrors errors) {
    String name = PodFields.text(reference, "name");
    errors.invalid(path.child("name"), name, NameRules.dns1123Subdomain(name));
    String key = PodFields.text(reference, "key");
    if (key.isEmpty()) {
      errors.required(path.child("key"), "");
    } else {
      errors.invalid(path.child("key"), key, NameRules.configMapKey(key));
    }
  }

  static void envFrom(JsonNode sources, FieldPath path, FieldErrors errors) {
    for (int i = 0; i < sources.size(); i++) {
      JsonNode source = sources.get(i);
      FieldPath at = path.index(i);
      String prefix = PodFields.text(source, "prefix");
      if (!prefix.isEmpty()) {
        errors.invalid(at.child("prefix"), prefix, NameRules.environmentVariable(prefix));
      }
      boolean map = whole(source, "configMapRef", at, errors);
      boolean secret = whole(source, "secretRef", at, errors);
      // Both are reported at the list, as upstream does.
      if (!map && !secret) {
        errors.invalid(path, "", "must specify one of: `configMapRef` or `secretRef`");
      } else if (map && secret) {
        errors.invalid(path, "", ONE_SOURCE);
      }
    }
  }

  private static boolean whole(JsonNode source, String field, FieldPath path, FieldErrors errors) {
    if (!(source.get(field) instanceof ObjectNode reference)) {
      return false;
    }
    String name = PodFields.text(reference, "name");
    if (name.isEmpty()) {
      errors.required(path.child(field).child("name"), "");
    } else {
      errors.invalid(
          path.child(field).child("name"), name, NameRule.DNS_SUBDOMAIN.prefixProblems(name));
    }
    return true;
  }
}
