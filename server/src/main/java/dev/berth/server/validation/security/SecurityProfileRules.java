package dev.berth.server.validation.security;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.server.validation.FieldErrors;
import dev.berth.server.validation.FieldPath;
import dev.berth.server.validation.fields.PodFields;
import dev.berth.server.validation.fields.VolumePathRules;
import java.nio.charset.StandardCharsets;
import java.util.List;

/// The rules of seccomp and AppArmor profiles.
///
/// KEP-135 for seccomp and KEP-24 for AppArmor.
final class SecurityProfileRules {
  private static final List<String> TYPES = List.of("Localhost", "RuntimeDefault", "Unconfined");

  /// Longer than any path.
  private static final int MAX_PROFILE = 4095;

  private SecurityProfileRules() {}

  static void seccomp(JsonNode profile, FieldPath context, FieldErrors errors) {
    if (!profile.isObject()) {
      return;
    }
    FieldPath path = context.child("seccompProfile");
    String type = PodFields.text(profile, "type");
    if (type.isEmpty()) {
      errors.required(path.child("type"), "type is required when seccompProfile is set");
    } else if (!TYPES.contains(type)) {
      errors.notSupportedInOrder(path.child("type"), type, TYPES);
    }
    boolean named = PodFields.has(profile, "localhostProfile");
    if (type.equals("Localhost")) {
      if (named) {
        String name = PodFields.text(profile, "localhostProfile");
        // The path is below the node's directory of profiles and must not leave it.
        VolumePathRules.descending(name, path.child("localhostProfile"), errors);
      } else {
        errors.required(
            path.child("localhostProfile"), "must be set when seccomp type is Localhost");
      }
    } else if (named) {
      errors.invalid(
          path.child("localhostProfile"),
          profile,
          "can only be set when seccomp type is Localhost");
    }
  }

  static void appArmor(JsonNode profile, FieldPath context, FieldErrors errors) {
    if (!profile.isObject()) {
      return;
    }
    FieldPath path = context.child("appArmorProfile");
    String type = PodFields.text(profile, "type");
    boolean named = PodFields.has(profile, "localhostProfile");
    String name = PodFields.text(profile, "localhostProfile");
    switch (type) {
      case "Localhost" -> localhost(named, name, path.child("localhostProfile"), errors);
      case "RuntimeDefault", "Unconfined" -> {
        if (named) {
          errors.invalid(
              path.child("localhostProfile"),
              name,
              "can only be set when AppArmor type is Localhost");
        }
      }
      case "" ->
          errors.required(path.child("type"), "type is required when appArmorProfile is set");
      default -> errors.notSupportedInOrder(path.child("type"), type, TYPES);
    }
  }

  private static void localhost(boolean named, String name, FieldPath path, FieldErrors errors) {
    if (!named || name.isEmpty()) {
      errors.required(path, "must be set when AppArmor type is Localhost");
    } else if (!name.equals(name.strip())) {
      errors.invalid(path, name, "must not be padded with whitespace");
    }
    if (name.getBytes(StandardCharsets.UTF_8).length > MAX_PROFILE) {
      errors.tooLong(path, MAX_PROFILE);
    }
  }
}
