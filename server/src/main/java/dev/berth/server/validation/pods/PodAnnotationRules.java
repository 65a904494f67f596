package dev.berth.server.validation.pods;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.api.pods.PodAnnotations;
import dev.berth.api.pods.PodPlatform;
import dev.berth.server.json.JsonSyntaxException;
import dev.berth.server.json.JsonTrees;
import dev.berth.server.validation.FieldErrors;
import dev.berth.server.validation.FieldPath;
import dev.berth.server.validation.GoText;
import dev.berth.server.validation.fields.PodContainers;
import dev.berth.server.validation.fields.PodFields;
import dev.berth.server.validation.fields.VolumePathRules;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.regex.Pattern;

/// The rules of annotations that mean something on a pod.
///
/// Most of these annotations became fields; they are checked because old clients and nodes still
/// use them.
final class PodAnnotationRules {
  static final String APP_ARMOR = "container.apparmor.security.beta.kubernetes.io/";
  static final String SECCOMP_POD = "seccomp.security.alpha.kubernetes.io/pod";
  static final String SECCOMP_CONTAINER = "container.seccomp.security.alpha.kubernetes.io/";

  private static final String TOLERATIONS = "scheduler.alpha.kubernetes.io/tolerations";
  private static final String DELETION_COST = "controller.kubernetes.io/pod-deletion-cost";
  // Upstream's rule: no plus sign, and no zero at the beginning of a longer number.
  private static final Pattern COST = Pattern.compile("0|-?[0-9]+");
  private static final String LOCALHOST = "localhost/";

  private final JsonNode annotations;
  private final JsonNode spec;
  private final FieldPath path;
  private final FieldErrors errors;

  PodAnnotationRules(JsonNode annotations, JsonNode spec, FieldPath path, FieldErrors errors) {
    this.annotations = annotations;
    this.spec = spec;
    this.path = path;
    this.errors = errors;
  }

  void validate() {
    for (Map.Entry<String, JsonNode> annotation : annotations.properties()) {
      validate(annotation.getKey(), annotation.getValue().asText());
    }
  }

  private void validate(String key, String value) {
    if (key.equals(PodAnnotations.MIRROR)) {
      if (PodFields.text(spec, "nodeName").isEmpty()) {
        errors.invalid(
            path.key(key), value, "must set spec.nodeName if mirror pod annotation is set");
      }
    } else if (key.equals(TOLERATIONS)) {
      tolerations(value);
    } else if (key.equals(DELETION_COST)) {
      if (!isCost(value)) {
        errors.invalid(path.key(key), value, "must be a 32bit integer");
      }
    } else if (key.equals(SECCOMP_POD) || key.startsWith(SECCOMP_CONTAINER)) {
      seccomp(value, path.child(key));
    } else if (key.startsWith(APP_ARMOR)) {
      appArmor(key, value);
    }
  }

  private void tolerations(String json) {
    if (json.isEmpty()) {
      return;
    }
    try {
      JsonNode tolerations = JsonTrees.parse(json.getBytes(StandardCharsets.UTF_8)).tree();
      TolerationRules.validate(tolerations, path.child(TOLERATIONS), errors);
    } catch (JsonSyntaxException e) {
      errors.invalid(path, TOLERATIONS, String.valueOf(e.getMessage()));
    }
  }

  private static boolean isCost(String value) {
    boolean leadingZero = value.startsWith("0") && value.length() > 1;
    if (!COST.matcher(value).matches() || leadingZero || value.length() > 11) {
      return false;
    }
    long cost = Long.parseLong(value);
    return cost >= Integer.MIN_VALUE && cost <= Integer.MAX_VALUE;
  }

  private void seccomp(String profile, FieldPath at) {
    switch (profile) {
      case "runtime/default", "docker/default", "unconfined" -> {}
      default -> {
        if (profile.startsWith(LOCALHOST)) {
          VolumePathRules.descending(profile.substring(LOCALHOST.length()), at, errors);
        } else {
          errors.invalid(at, profile, "must be a valid seccomp profile");
        }
      }
    }
  }

  private void appArmor(String key, String profile) {
    String container = key.substring(APP_ARMOR.length());
    if (!PodContainers.any(spec, c -> PodFields.text(c, "name").equals(container))) {
      errors.invalid(path.key(key), container, "container not found");
    }
    boolean known =
        profile.isEmpty()
            || profile.equals("runtime/default")
            || profile.equals("unconfined")
            || profile.startsWith(LOCALHOST);
    if (!known) {
      errors.invalid(
          path.key(key), profile, "invalid AppArmor profile name: " + GoText.quote(profile));
    }
  }

  /// Checks that a profile says the same in annotation and field, where both are given. Nodes may
  /// read either.
  void matchFields(FieldPath specPath) {
    if (annotations.isEmpty()) {
      return;
    }
    JsonNode ofPod = spec.path("securityContext");
    profile(SECCOMP_POD, ofPod.path("seccompProfile"), "seccomp", specPath);
    PodContainers.visit(
        spec,
        specPath,
        (container, at) -> {
          String name = PodFields.text(container, "name");
          JsonNode context = container.path("securityContext");
          profile(SECCOMP_CONTAINER + name, context.path("seccompProfile"), "seccomp", at);
        });
    // Neither module exists there; a pod for Windows was refused for the fields already.
    if (PodPlatform.isForWindows(spec)) {
      return;
    }
    PodContainers.visit(
        spec,
        specPath,
        (container, at) -> {
          String name = PodFields.text(container, "name");
          JsonNode own = container.path("securityContext").path("appArmorProfile");
          JsonNode profile = own.isObject() ? own : ofPod.path("appArmorProfile");
          profile(APP_ARMOR + name, profile, "apparmor", at);
        });
  }

  private void profile(String key, JsonNode profile, String module, FieldPath owner) {
    JsonNode annotation = annotations.get(key);
    if (annotation == null || !profile.isObject()) {
      return;
    }
    String value = annotation.asText();
    FieldPath at =
        owner
            .child("securityContext")
            .child(module.equals("seccomp") ? "seccompProfile" : "appArmorProfile");
    boolean sameType =
        switch (PodFields.text(profile, "type")) {
          case "Unconfined" -> value.equals("unconfined");
          case "RuntimeDefault" ->
              value.equals("runtime/default")
                  || (module.equals("seccomp") && value.equals("docker/default"));
          case "Localhost" -> value.startsWith(LOCALHOST);
          default -> true;
        };
    if (!sameType) {
      errors.forbidden(at.child("type"), module + " type in annotation and field must match");
    } else if (PodFields.text(profile, "type").equals("Localhost")
        && !value.equals(LOCALHOST + PodFields.text(profile, "localhostProfile"))) {
      errors.forbidden(
          at.child("localhostProfile"), module + " profile in annotation and field must match");
    }
  }

  /// Checks annotations that are decided at creation: a pod cannot become a mirror pod, and its
  /// AppArmor profile cannot change while it runs.
  void unchanged(JsonNode old) {
    for (Map.Entry<String, JsonNode> annotation : old.properties()) {
      String key = annotation.getKey();
      if (!annotation.getValue().equals(annotations.get(key))) {
        forbid(key, "may not remove or update ");
      }
    }
    for (Map.Entry<String, JsonNode> annotation : annotations.properties()) {
      if (!old.has(annotation.getKey())) {
        forbid(annotation.getKey(), "may not add ");
      }
    }
  }

  private void forbid(String key, String change) {
    if (key.startsWith(APP_ARMOR)) {
      errors.forbidden(path.key(key), change + "AppArmor annotations");
    } else if (key.equals(PodAnnotations.MIRROR)) {
      errors.forbidden(path.key(key), change + "mirror pod annotation");
    }
  }
}
