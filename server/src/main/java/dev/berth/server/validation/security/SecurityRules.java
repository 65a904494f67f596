package dev.berth.server.validation.security;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.server.validation.FieldErrors;
import dev.berth.server.validation.FieldPath;
import dev.berth.server.validation.fields.PodFields;
import java.util.List;

/// The rules of security contexts, of pods and of containers.
///
/// Upstream's `ValidatePodSecurityContext` and `ValidateSecurityContext`. What is valid here may
/// still be forbidden in a namespace by Pod Security.
public final class SecurityRules {
  private static final long MAX_ID = 0xffffffffL;
  private static final String ID_RANGE = "must be between 0 and 4294967295, inclusive";
  // KEP-4265.
  private static final List<String> PROC_MOUNTS = List.of("Default", "Unmasked");
  private static final List<String> GROUP_CHANGES = List.of("Always", "OnRootMismatch");
  // KEP-3619.
  private static final List<String> GROUP_POLICIES = List.of("Merge", "Strict");
  // KEP-1710.
  private static final List<String> LABEL_CHANGES = List.of("MountOption", "Recursive");

  private SecurityRules() {}

  public static void container(
      JsonNode context, boolean hostUsers, FieldPath path, FieldErrors errors) {
    id(context, "runAsUser", path, errors);
    id(context, "runAsGroup", path, errors);
    if (PodFields.has(context, "procMount")) {
      String mount = PodFields.text(context, "procMount");
      if (!PROC_MOUNTS.contains(mount)) {
        errors.notSupportedInOrder(path.child("procMount"), mount, PROC_MOUNTS);
      } else if (hostUsers && mount.equals("Unmasked")) {
        errors.invalid(
            path.child("procMount"), mount, "`hostUsers` must be false to use `Unmasked`");
      }
    }
    SecurityProfileRules.seccomp(context.path("seccompProfile"), path, errors);
    escalation(context, path, errors);
    SecurityWindowsRules.options(context.path("windowsOptions"), path, errors);
    SecurityProfileRules.appArmor(context.path("appArmorProfile"), path, errors);
  }

  /// Both settings give what the other forbids.
  private static void escalation(JsonNode context, FieldPath path, FieldErrors errors) {
    if (!PodFields.has(context, "allowPrivilegeEscalation")
        || PodFields.isTrue(context, "allowPrivilegeEscalation")) {
      return;
    }
    if (PodFields.isTrue(context, "privileged")) {
      errors.invalid(
          path, context, "cannot set `allowPrivilegeEscalation` to false and `privileged` to true");
    }
    for (JsonNode capability : context.path("capabilities").path("add")) {
      // With the prefix, as upstream compares; the form without it, which runtimes use, is not
      // found.
      if (capability.asText().equals("CAP_SYS_ADMIN")) {
        errors.invalid(
            path,
            context,
            "cannot set `allowPrivilegeEscalation` to false and `capabilities.Add` CAP_SYS_ADMIN");
      }
    }
  }

  public static void pod(JsonNode spec, FieldPath specPath, FieldErrors errors) {
    JsonNode context = spec.path("securityContext");
    boolean sharesTwice =
        PodFields.isTrue(spec, "shareProcessNamespace") && PodFields.isTrue(spec, "hostPID");
    if (context.isEmpty() && !sharesTwice) {
      return;
    }
    FieldPath path = specPath.child("securityContext");
    id(context, "fsGroup", path, errors);
    id(context, "runAsUser", path, errors);
    id(context, "runAsGroup", path, errors);
    JsonNode groups = context.path("supplementalGroups");
    for (int i = 0; i < groups.size(); i++) {
      id(groups.get(i).longValue(), path.child("supplementalGroups").index(i), errors);
    }
    if (sharesTwice) {
      errors.invalid(
          path.child("shareProcessNamespace"),
          spec.path("shareProcessNamespace"),
          "ShareProcessNamespace and HostPID cannot both be enabled");
    }
    SecuritySysctlRules.validate(spec, context.path("sysctls"), path.child("sysctls"), errors);
    oneOf(context, "fsGroupChangePolicy", GROUP_CHANGES, path, errors);
    SecurityProfileRules.seccomp(context.path("seccompProfile"), path, errors);
    SecurityWindowsRules.options(context.path("windowsOptions"), path, errors);
    SecurityProfileRules.appArmor(context.path("appArmorProfile"), path, errors);
    oneOf(context, "supplementalGroupsPolicy", GROUP_POLICIES, path, errors);
    oneOf(context, "seLinuxChangePolicy", LABEL_CHANGES, path, errors);
  }

  private static void oneOf(
      JsonNode context, String field, List<String> supported, FieldPath path, FieldErrors errors) {
    String value = PodFields.text(context, field);
    if (PodFields.has(context, field) && !supported.contains(value)) {
      errors.notSupportedInOrder(path.child(field), value, supported);
    }
  }

  private static void id(JsonNode context, String field, FieldPath path, FieldErrors errors) {
    if (PodFields.has(context, field)) {
      id(PodFields.number(context, field), path.child(field), errors);
    }
  }

  /// Checks the id of a Unix user or group, which is an unsigned 32-bit number.
  public static void id(long id, FieldPath path, FieldErrors errors) {
    if (id < 0 || id > MAX_ID) {
      errors.invalid(path, id, ID_RANGE);
    }
  }

  /// Checks that a pod with its own users shares no other namespaces with the node.
  ///
  /// KEP-127: the ids of such a pod mean nothing in a namespace of the node.
  public static void hostUsers(JsonNode spec, FieldPath path, FieldErrors errors) {
    if (!PodFields.has(spec, "hostUsers") || PodFields.isTrue(spec, "hostUsers")) {
      return;
    }
    // The spelling of the last two is upstream's.
    String why = "when `pod.Spec.HostUsers` is false";
    if (PodFields.isTrue(spec, "hostNetwork")) {
      errors.forbidden(path.child("hostNetwork"), why);
    }
    if (PodFields.isTrue(spec, "hostPID")) {
      errors.forbidden(path.child("HostPID"), why);
    }
    if (PodFields.isTrue(spec, "hostIPC")) {
      errors.forbidden(path.child("HostIPC"), why);
    }
  }
}
