package dev.berth.launch.backup;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.api.Problem;
import dev.berth.launch.process.LaunchException;
import dev.berth.server.json.JsonTrees;
import dev.berth.server.kinds.ResourceKind;
import dev.berth.server.kinds.catalog.KindOptions;
import dev.berth.server.kinds.catalog.ServedKinds;
import dev.berth.server.schema.ObjectSchema;
import dev.berth.store.StoreEntry;
import dev.berth.store.StoreUnavailableException;
import dev.berth.store.embedded.StoreBackup;
import dev.berth.store.embedded.StoredContents;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// The objects of a backup, by kind, namespace and name; no server is started.
public final class BackupContents {
  /// The beginning of every value that Kubernetes encrypts at rest.
  private static final byte[] ENCRYPTED = "k8s:enc:".getBytes(StandardCharsets.US_ASCII);

  private final Path path;
  private final ServedKinds kinds;
  private final StoredContents contents;

  /// An object of the backup.
  ///
  /// @param resource such as `pods` or `deployments.apps`
  /// @param namespace empty for kinds without one
  public record Item(String resource, String namespace, String name, long revision) {}

  private BackupContents(Path path, ServedKinds kinds, StoredContents contents) {
    this.path = path;
    this.kinds = kinds;
    this.contents = contents;
  }

  /// Reads the whole backup and checks it.
  public static BackupContents read(Path path) {
    try {
      if (!StoreBackup.isPossible(path)) {
        throw new LaunchException(
            new Problem(
                "%s cannot be shown".formatted(path),
                "it contains no objects",
                "Name a directory that `berth backup DIR` created; `berth backup list DIR` lists backups"));
      }
      ServedKinds kinds = ServedKinds.standard(ObjectSchema.load(), KindOptions.STANDARD);
      return new BackupContents(path, kinds, StoredContents.read(path));
    } catch (StoreUnavailableException e) {
      throw new LaunchException(new Problem(e.what(), e.why(), e.whatToDo()), e);
    } catch (IOException e) {
      throw new LaunchException(
          new Problem(
              "%s cannot be read".formatted(path),
              String.valueOf(e.getMessage()),
              "Grant this user read permission"),
          e);
    }
  }

  public long revision() {
    return contents.revision();
  }

  /// The objects, in the order of their keys.
  public List<Item> items() {
    return contents.entries().stream().map(this::item).sorted(BackupContents::compare).toList();
  }

  private static int compare(Item one, Item other) {
    return key(one).compareTo(key(other));
  }

  private static String key(Item item) {
    return item.resource() + "/" + item.namespace() + "/" + item.name();
  }

  private Item item(StoreEntry<byte[]> entry) {
    String[] parts = entry.key().split("/", -1);
    return new Item(
        parts[0], parts.length > 2 ? parts[1] : "", parts[parts.length - 1], entry.revision());
  }

  /// The objects of a kind, by any name that kubectl accepts: `po`, `pod`, `Pod`, `pods`,
  /// `deployments.apps`.
  ///
  /// @param namespace empty for all
  public List<Item> items(String kind, String namespace) {
    String resource = resource(kind);
    return items().stream()
        .filter(item -> item.resource().equals(resource))
        .filter(item -> namespace.isEmpty() || item.namespace().equals(namespace))
        .toList();
  }

  /// The bucket of a kind by any of its names; refuses an unknown name with the kinds that there
  /// are.
  private String resource(String kind) {
    String wanted = kind.toLowerCase(Locale.ROOT);
    return kinds.all().stream()
        .filter(one -> names(one).anyMatch(wanted::equals))
        .findFirst()
        .map(ResourceKind::bucket)
        .orElseThrow(() -> unknown(kind));
  }

  private static Stream<String> names(ResourceKind kind) {
    List<String> names = new ArrayList<>(kind.names().shortNames());
    names.add(kind.bucket());
    names.add(kind.names().plural());
    names.add(kind.names().singular());
    return names.stream();
  }

  private LaunchException unknown(String kind) {
    String present =
        items().stream().map(Item::resource).distinct().collect(Collectors.joining(", "));
    return new LaunchException(
        new Problem(
            "%s cannot be shown".formatted(kind),
            "there is no such kind (%s has: %s)".formatted(path, present),
            "Name one of these kinds by its plural, singular or short name"));
  }

  /// An object with its version and kind, in a form that can be applied to a cluster: without
  /// revision and field owners.
  public ObjectNode object(String kind, String namespace, String name) {
    String resource = resource(kind);
    StoreEntry<byte[]> entry =
        contents.entries().stream()
            .filter(one -> matches(item(one), resource, namespace, name))
            .findFirst()
            .orElseThrow(() -> absent(resource, namespace, name));
    if (startsWith(entry.value(), ENCRYPTED)) {
      throw new LaunchException(
          new Problem(
              "%s of %s cannot be shown".formatted(entry.key(), path),
              "the object is encrypted at rest",
              "Restore the backup, and start a server with the same --encryption-provider-config"));
    }
    return withType(resource, entry);
  }

  /// The object with its version and kind, which the store leaves out: the key says them.
  private ObjectNode withType(String resource, StoreEntry<byte[]> entry) {
    ObjectNode stored = (ObjectNode) JsonTrees.parseTrusted(entry.value());
    ObjectNode shown = stored.objectNode();
    Optional<ResourceKind> kind = kinds.bucket(resource);
    kind.ifPresent(
        known ->
            shown
                .put("apiVersion", known.storedVersion().apiVersion())
                .put("kind", known.names().kind()));
    shown.setAll(stored);
    shown.withObject("metadata").remove("managedFields");
    return shown;
  }

  private static boolean matches(Item item, String resource, String namespace, String name) {
    return item.resource().equals(resource)
        && item.name().equals(name)
        && (item.namespace().isEmpty() || item.namespace().equals(namespace));
  }

  /// Refuses a missing object, with the namespaces that have one of the name.
  private LaunchException absent(String resource, String namespace, String name) {
    List<String> others =
        items().stream()
            .filter(item -> item.resource().equals(resource) && item.name().equals(name))
            .map(Item::namespace)
            .toList();
    return new LaunchException(
        new Problem(
            "%s \"%s\" cannot be shown".formatted(resource, name),
            others.isEmpty()
                ? "%s has none of that name".formatted(path)
                : "namespace %s has none of that name (namespaces that have one: %s)"
                    .formatted(namespace, String.join(", ", others)),
            "List the objects with `berth backup show %s %s`".formatted(path, resource)
                + (others.isEmpty() ? "" : ", or set --namespace")));
  }

  private static boolean startsWith(byte[] value, byte[] head) {
    return value.length >= head.length
        && Arrays.equals(value, 0, head.length, head, 0, head.length);
  }
}
