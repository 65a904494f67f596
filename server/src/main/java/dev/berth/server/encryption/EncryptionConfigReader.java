package dev.berth.server.encryption;

import dev.berth.server.config.ConfigNode;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Reads and validates an EncryptionConfiguration by upstream's rules.
///
/// All mistakes of a file are found at once, with the place of each. A provider that this server
/// lacks is an error and never ignored: values would silently be stored as plain text.
public final class EncryptionConfigReader {
  private static final List<Integer> KEY_BYTES = List.of(16, 24, 32);
  private static final String USABLE = "use aesgcm, or identity for values that are not encrypted";

  private EncryptionConfigReader() {}

  /// Reads the file; returns null and adds every error when it is invalid.
  public static @Nullable ValueEncryption read(Path file, List<String> mistakes) {
    List<String> found = new ArrayList<>();
    ConfigNode root =
        ConfigNode.read(file, "apiserver.config.k8s.io/v1", "EncryptionConfiguration", found);
    List<ValueEncryption.Rule> rules = root == null ? List.of() : rules(root);
    mistakes.addAll(found);
    return found.isEmpty() ? new ValueEncryption(rules, file) : null;
  }

  private static List<ValueEncryption.Rule> rules(ConfigNode root) {
    root.allow("apiVersion", "kind", "metadata", "resources");
    List<ValueEncryption.Rule> rules = new ArrayList<>();
    List<ConfigNode> entries = root.list("resources");
    if (entries.isEmpty()) {
      root.mistake("resources", "at least one entry with resources and providers is required");
    }
    for (ConfigNode entry : entries) {
      entry.allow("resources", "providers");
      rules.add(new ValueEncryption.Rule(resources(entry), providers(entry)));
    }
    return rules;
  }

  private static List<ResourcePattern> resources(ConfigNode entry) {
    List<ResourcePattern> patterns = new ArrayList<>();
    if (entry.list("resources").isEmpty()) {
      entry.mistake("resources", "at least one resource is required, such as secrets");
    }
    for (ConfigNode element : entry.list("resources")) {
      String text = element.text();
      ResourcePattern pattern = ResourcePattern.parse(text);
      nameMistake(text, pattern).ifPresent(element::mistake);
      if (patterns.contains(pattern)) {
        element.mistake("%s is listed twice".formatted(text));
      } else if (patterns.stream().anyMatch(other -> overlap(other, pattern))) {
        element.mistake(
            "%s overlaps with another resource of the list; give each its own entry, the special one first"
                .formatted(text));
      }
      patterns.add(pattern);
    }
    return patterns;
  }

  /// Within one entry the order would be ambiguous; different entries have an order.
  private static boolean overlap(ResourcePattern one, ResourcePattern other) {
    return one.matches(other) || other.matches(one);
  }

  private static Optional<String> nameMistake(String text, ResourcePattern pattern) {
    if (!text.toLowerCase(Locale.ROOT).equals(text) || text.isEmpty()) {
      return Optional.of(
          "must be a plural name in lower case, such as secrets or deployments.apps");
    }
    if (text.equals("*")) {
      return Optional.of("use '*.' for all resources of the core group or '*.*' for all resources");
    }
    if (pattern.group().equals("events.k8s.io")) {
      return Optional.of("events are stored in the core group: use events");
    }
    if (pattern.group().equals("extensions")) {
      return Optional.of("nothing is stored in the group extensions: use the group apps");
    }
    return pattern.group().equals("*") && !pattern.isEverything()
        ? Optional.of("the same resource cannot be selected in all groups: name its group")
        : Optional.empty();
  }

  private static List<ValueProvider> providers(ConfigNode entry) {
    List<ValueProvider> providers = new ArrayList<>();
    if (entry.list("providers").isEmpty()) {
      entry.mistake("providers", "at least one provider is required, such as aesgcm");
    }
    Set<String> names = new HashSet<>();
    for (ConfigNode element : entry.list("providers")) {
      provider(element, names).ifPresent(providers::add);
    }
    return providers;
  }

  private static Optional<ValueProvider> provider(ConfigNode element, Set<String> names) {
    if (element.fieldNames().size() != 1) {
      element.mistake(
          "must have exactly one provider, aesgcm or identity (found: %s)"
              .formatted(element.fieldNames()));
      return Optional.empty();
    }
    String type = element.fieldNames().iterator().next();
    return switch (type) {
      case "identity" -> Optional.of(new ValueProvider.Identity());
      case "aesgcm" -> aesGcm(element, names);
      case "aescbc" ->
          refused(
              element,
              type,
              "is not provided: it does not authenticate values, so they could be altered and swapped; ");
      case "secretbox", "kms" -> refused(element, type, "is not provided by this server; ");
      default -> refused(element, type, "unknown provider; ");
    };
  }

  private static Optional<ValueProvider> refused(ConfigNode element, String type, String why) {
    element.mistake(type, why + USABLE);
    return Optional.empty();
  }

  private static Optional<ValueProvider> aesGcm(ConfigNode element, Set<String> names) {
    Optional<ConfigNode> provider = element.field("aesgcm");
    if (provider.isEmpty() || provider.get().allow("keys").list("keys").isEmpty()) {
      element.mistake("aesgcm", "at least one key is required, with name and secret");
      return Optional.empty();
    }
    List<AesGcmKey> keys = new ArrayList<>();
    for (ConfigNode key : provider.get().list("keys")) {
      key.allow("name", "secret");
      String name = key.text("name");
      if (name.isEmpty() || name.contains(":")) {
        key.mistake("name", "must be a name without ':', which stored values refer to");
      } else if (!names.add(name)) {
        key.mistake("name", "another key of the same resources is called %s".formatted(name));
      }
      secret(key).ifPresent(secret -> keys.add(new AesGcmKey(name, secret)));
    }
    return keys.isEmpty() ? Optional.empty() : Optional.of(new ValueProvider.AesGcm(keys));
  }

  /// Errors never contain a secret, not even an unusable one.
  private static Optional<byte[]> secret(ConfigNode key) {
    byte[] secret;
    try {
      secret = Base64.getDecoder().decode(key.text("secret"));
    } catch (IllegalArgumentException _) {
      key.mistake("secret", "must be in base64, as from `head -c 32 /dev/urandom | base64`");
      return Optional.empty();
    }
    if (!KEY_BYTES.contains(secret.length)) {
      key.mistake(
          "secret",
          "must be 16, 24 or 32 bytes in base64, as from `head -c 32 /dev/urandom | base64` (it has %d)"
              .formatted(secret.length));
      Arrays.fill(secret, (byte) 0);
      return Optional.empty();
    }
    return Optional.of(secret);
  }
}
