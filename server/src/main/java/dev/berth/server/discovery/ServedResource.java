package dev.berth.server.discovery;

import dev.berth.server.kinds.ResourceKind;
import dev.berth.server.kinds.ServedVersion;
import dev.berth.server.kinds.Subresource;
import dev.berth.server.kinds.Verb;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/// A resource of a group and version, as discovery describes it.
///
/// @param storageHash identifies the stored version; "" when the resource is not stored
record ServedResource(
    String group,
    String version,
    String plural,
    String singular,
    String kind,
    boolean namespaced,
    Set<Verb> verbs,
    List<String> shortNames,
    List<String> categories,
    List<Subresource> subresources,
    String storageHash) {

  static ServedResource of(ResourceKind kind, ServedVersion served) {
    ResourceKind.Names names = kind.names();
    return new ServedResource(
        served.group(),
        served.version(),
        names.plural(),
        names.singular(),
        names.kind(),
        kind.namespaced(),
        EnumSet.copyOf(kind.verbs()),
        kind.shortNames(served),
        kind.categories(served),
        kind.subresources().stream().sorted(Comparator.comparing(Subresource::name)).toList(),
        kind.verbs().contains(Verb.LIST) ? storageHash(kind) : "");
  }

  /// Upstream's algorithm, so that clients see equal values for equal stored versions.
  private static String storageHash(ResourceKind kind) {
    ServedVersion stored = kind.storedVersion();
    String text = stored.group() + "/" + stored.version() + "/" + kind.names().kind();
    byte[] digest = DocumentDigests.of("SHA-256", text.getBytes(StandardCharsets.UTF_8));
    return Base64.getEncoder().encodeToString(Arrays.copyOf(digest, 8));
  }
}
