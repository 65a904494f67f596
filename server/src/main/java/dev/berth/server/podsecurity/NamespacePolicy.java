package dev.berth.server.podsecurity;

import dev.berth.server.validation.FieldErrors;
import dev.berth.server.validation.FieldPath;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// The enforce, audit and warn policies of one namespace.
///
/// Each mode has its own level and version: usually a stricter policy warns before it is enforced.
public record NamespacePolicy(LevelVersion enforce, LevelVersion audit, LevelVersion warn) {
  public static final NamespacePolicy PRIVILEGED =
      new NamespacePolicy(
          LevelVersion.PRIVILEGED, LevelVersion.PRIVILEGED, LevelVersion.PRIVILEGED);

  /// Prefix of all labels and audit annotations.
  public static final String PREFIX = "pod-security.kubernetes.io/";

  private static final FieldPath LABELS = FieldPath.of("metadata").child("labels");

  /// Reads the policy from a namespace's labels. An invalid label makes `enforce` as strict as
  /// possible; the other modes ignore it, since they reject nothing.
  ///
  /// @param defaults the policy for modes without a label
  /// @param errors receives invalid labels
  public static NamespacePolicy of(
      Map<String, String> labels, NamespacePolicy defaults, FieldErrors errors) {
    if (labels.isEmpty()) {
      return defaults;
    }
    return new NamespacePolicy(
        mode("enforce", labels, defaults.enforce, PolicyLevel.RESTRICTED, errors),
        mode("audit", labels, defaults.audit, PolicyLevel.PRIVILEGED, errors),
        mode("warn", labels, defaults.warn, PolicyLevel.PRIVILEGED, errors));
  }

  private static LevelVersion mode(
      String mode,
      Map<String, String> labels,
      LevelVersion defaults,
      PolicyLevel unreadable,
      FieldErrors errors) {
    LevelVersion policy = defaults;
    String level = labels.get(PREFIX + mode);
    if (level != null) {
      policy =
          policy.with(
              PolicyLevel.parse(level)
                  .orElseGet(
                      () -> {
                        errors.invalid(LABELS.key(PREFIX + mode), level, PolicyLevel.ACCEPTED);
                        return unreadable;
                      }));
    }
    String key = PREFIX + mode + "-version";
    String version = labels.get(key);
    if (version != null) {
      policy =
          policy.with(
              PolicyVersion.parse(version)
                  .orElseGet(
                      () -> {
                        errors.invalid(LABELS.key(key), version, PolicyVersion.ACCEPTED);
                        return PolicyVersion.LATEST;
                      }));
    }
    return policy;
  }

  public boolean isPrivileged() {
    return enforce.isPrivileged() && audit.isPrivileged() && warn.isPrivileged();
  }

  public boolean isEquivalentTo(NamespacePolicy other) {
    return enforce.isEquivalentTo(other.enforce)
        && audit.isEquivalentTo(other.audit)
        && warn.isEquivalentTo(other.warn);
  }

  /// Prints only modes that require anything.
  @Override
  public String toString() {
    List<String> modes = new ArrayList<>();
    if (!enforce.isPrivileged()) {
      modes.add("enforce=" + enforce);
    }
    if (!audit.isPrivileged()) {
      modes.add("audit=" + audit);
    }
    if (!warn.isPrivileged()) {
      modes.add("warn=" + warn);
    }
    return String.join(", ", modes);
  }
}
