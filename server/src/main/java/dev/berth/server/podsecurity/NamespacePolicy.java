package dev.berth.server.podsecurity;

import dev.berth.server.validation.FieldErrors;
import dev.berth.server.validation.FieldPath;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// What is refused, noted in the audit log and warned about in one namespace.
public record NamespacePolicy(LevelVersion enforce, LevelVersion audit, LevelVersion warn) {
  public static final NamespacePolicy PRIVILEGED =
      new NamespacePolicy(
          LevelVersion.PRIVILEGED, LevelVersion.PRIVILEGED, LevelVersion.PRIVILEGED);

  /// What all labels and audit annotations begin with.
  public static final String PREFIX = "pod-security.kubernetes.io/";

  private static final FieldPath LABELS = FieldPath.of("metadata").child("labels");

  /// The policy of a namespace by its labels. A label that cannot be read makes `enforce` as strict
  /// as possible and is ignored in the other modes, which refuse nothing.
  ///
  /// @param defaults counts where there is no label
  /// @param errors gets the labels that cannot be read
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

  /// Only the modes that ask for something.
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
