package dev.berth.server.kinds.catalog;

import dev.berth.server.kinds.ResourceKind;
import dev.berth.server.kinds.ReviewKind;
import dev.berth.server.kinds.ServedVersion;
import dev.berth.server.schema.ObjectSchema;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// All kinds that are served, found by the names that requests use.
///
/// The catalog is made once at start and never changes, so any thread may read it. Custom resources
/// are not served.
public final class ServedKinds {
  private final List<ResourceKind> all;
  private final List<ReviewKind> reviews;
  private final Map<Key, ResourceKind> byPlural = new HashMap<>();
  private final Map<Key, ResourceKind> byKind = new HashMap<>();
  private final Map<String, ResourceKind> byBucket = new HashMap<>();

  private record Key(String group, String version, String name) {}

  public ServedKinds(List<ResourceKind> all, List<ReviewKind> reviews) {
    this.all = List.copyOf(all);
    this.reviews = List.copyOf(reviews);
    for (ResourceKind kind : all) {
      byBucket.put(kind.bucket(), kind);
      for (ServedVersion served : kind.versions()) {
        byPlural.put(key(served, kind.names().plural()), kind);
        byKind.put(key(served, kind.names().kind()), kind);
      }
    }
  }

  private static Key key(ServedVersion served, String name) {
    return new Key(served.group(), served.version(), name);
  }

  public static ServedKinds standard(ObjectSchema schema, KindOptions options) {
    List<ResourceKind> all = new ArrayList<>();
    all.add(PodKind.entry(schema));
    all.addAll(CoreKinds.entries(schema));
    all.add(EventKind.entry(schema));
    all.addAll(AppsKinds.entries(schema));
    all.add(JobKind.entry(schema));
    all.add(CertificateKind.entry(schema));
    all.add(LeaseKind.entry(schema));
    all.add(RuntimeClassKind.entry(schema, options));
    all.add(PriorityClassKind.entry(schema));
    all.addAll(StorageKinds.entries(schema));
    all.addAll(RbacKinds.entries(schema));
    return new ServedKinds(all, ReviewKinds.ALL);
  }

  public List<ResourceKind> all() {
    return all;
  }

  /// Kinds that are answered and never stored.
  public List<ReviewKind> reviews() {
    return reviews;
  }

  /// Finds a kind by the elements of a path: `("apps", "v1", "deployments")`; the core group is "".
  public Optional<ResourceKind> resource(String group, String version, String plural) {
    return Optional.ofNullable(byPlural.get(new Key(group, version, plural)));
  }

  /// Finds a kind by apiVersion and kind of a body: `("apps", "v1", "Deployment")`.
  public Optional<ResourceKind> kind(String group, String version, String kind) {
    return Optional.ofNullable(byKind.get(new Key(group, version, kind)));
  }

  /// Finds a kind by its name in the store: `deployments.apps`.
  public Optional<ResourceKind> bucket(String bucket) {
    return Optional.ofNullable(byBucket.get(bucket));
  }
}
