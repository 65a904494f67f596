package dev.berth.server.validation.security;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.api.pods.PodPlatform;
import dev.berth.server.validation.FieldErrors;
import dev.berth.server.validation.FieldPath;
import dev.berth.server.validation.fields.PodContainers;
import dev.berth.server.validation.fields.PodFields;
import java.util.List;

/// Fields that a pod may not set for its operating system.
///
/// A pod without `os` may be meant for either system, so nothing is forbidden then.
///
/// KEP-2802: the field makes the intent known to admission, before any node sees the pod.
public final class SecurityOsRules {
  private static final List<String> SYSTEMS = List.of("linux", "windows");
  private static final String NOT_ON_WINDOWS = "cannot be set for a windows pod";
  private static final String NOT_ON_LINUX = "windows options cannot be set for a linux pod";
  // In upstream's order, which is the order of the errors.
  private static final List<String> OF_PODS =
      List.of(
          "securityContext.appArmorProfile",
          "securityContext.seLinuxOptions",
          "hostUsers",
          "hostPID",
          "hostIPC",
          "securityContext.seccompProfile",
          "securityContext.fsGroup",
          "securityContext.fsGroupChangePolicy",
          "securityContext.sysctls",
          "shareProcessNamespace",
          "securityContext.runAsUser",
          "securityContext.runAsGroup",
          "securityContext.supplementalGroups",
          "securityContext.supplementalGroupsPolicy");
  private static final List<String> OF_CONTAINERS =
      List.of(
          "appArmorProfile",
          "seLinuxOptions",
          "seccompProfile",
          "capabilities",
          "readOnlyRootFilesystem",
          "privileged",
          "allowPrivilegeEscalation",
          "procMount",
          "runAsUser",
          "runAsGroup");

  private SecurityOsRules() {}

  public static void validate(JsonNode spec, FieldPath path, FieldErrors errors) {
    if (!PodFields.has(spec, "os")) {
      return;
    }
    String system = PodPlatform.os(spec);
    switch (system) {
      case "" -> errors.required(path.child("os").child("name"), "cannot be empty");
      case "linux" -> linux(spec, path, errors);
      case "windows" -> windows(spec, path, errors);
      default -> errors.notSupportedInOrder(path.child("os"), system, SYSTEMS);
    }
  }

  private static void linux(JsonNode spec, FieldPath path, FieldErrors errors) {
    forbid(spec.path("securityContext"), "windowsOptions", NOT_ON_LINUX, path, errors);
    PodContainers.visit(
        spec,
        path,
        (container, at) ->
            forbid(container.path("securityContext"), "windowsOptions", NOT_ON_LINUX, at, errors));
  }

  private static void forbid(
      JsonNode context, String field, String why, FieldPath owner, FieldErrors errors) {
    if (PodFields.has(context, field)) {
      errors.forbidden(owner.child("securityContext").child(field), why);
    }
  }

  private static void windows(JsonNode spec, FieldPath path, FieldErrors errors) {
    for (String setting : OF_PODS) {
      int dot = setting.indexOf('.');
      JsonNode owner = dot < 0 ? spec : spec.path("securityContext");
      if (PodFields.has(owner, setting.substring(dot + 1))) {
        errors.forbidden(path.child(setting), NOT_ON_WINDOWS);
      }
    }
    PodContainers.visit(
        spec,
        path,
        (container, at) -> {
          for (String field : OF_CONTAINERS) {
            forbid(container.path("securityContext"), field, NOT_ON_WINDOWS, at, errors);
          }
        });
  }
}
