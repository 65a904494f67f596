package dev.berth.server.discovery;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.server.json.JsonTrees;
import dev.berth.server.kinds.catalog.ServedKinds;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/// All discovery documents; each is made when it is first asked for and then kept as bytes.
public final class DiscoveryDocuments {
  private static final List<String> CORE = List.of("");

  private final ServedGroups groups;
  private final PlainDocuments plain;
  private final AggregatedDocuments aggregated;

  /// Bounded by the number of groups and versions.
  private final Map<String, TaggedDocument> documents = new ConcurrentHashMap<>();

  public DiscoveryDocuments(ServedKinds kinds) {
    this.groups = new ServedGroups(kinds);
    this.plain = new PlainDocuments(groups);
    this.aggregated = new AggregatedDocuments(groups);
  }

  /// The version of the aggregated form.
  public enum Aggregation {
    V2("v2"),
    V2BETA1("v2beta1");

    private final String version;

    Aggregation(String version) {
      this.version = version;
    }

    /// The exact `Content-Type` of the answer, which is also what clients put into `Accept`.
    public String mediaType() {
      return "application/json;g=apidiscovery.k8s.io;v=" + version + ";as=APIGroupDiscoveryList";
    }
  }

  /// `/api`, which names the address at which the client reached the server.
  ///
  /// It is not kept, because it names the address of the request.
  public byte[] apiVersions(String serverAddress) {
    return JsonTrees.bytes(PlainDocuments.apiVersions(groups.versions(""), serverAddress));
  }

  /// `/apis`.
  public byte[] groupList() {
    return cached("groups", plain::groupList).body();
  }

  /// `/apis/<group>`.
  public Optional<byte[]> group(String group) {
    return group.isEmpty() || groups.versions(group).isEmpty()
        ? Optional.empty()
        : Optional.of(cached("group " + group, () -> plain.group(group)).body());
  }

  /// `/api/v1` (with the group "") or `/apis/<group>/<version>`.
  public Optional<byte[]> resourceList(String group, String version) {
    return groups.resources(group, version).isEmpty()
        ? Optional.empty()
        : Optional.of(
            cached("list " + group + "/" + version, () -> plain.resourceList(group, version))
                .body());
  }

  /// The aggregated form of `/api`.
  public TaggedDocument aggregatedCore(Aggregation form) {
    return aggregated("core", CORE, form);
  }

  /// The aggregated form of `/apis`.
  public TaggedDocument aggregatedGroups(Aggregation form) {
    return aggregated("all", groups.named(), form);
  }

  private TaggedDocument aggregated(String key, List<String> wanted, Aggregation form) {
    return cached(
        "aggregated " + key + " " + form.version, () -> aggregated.document(wanted, form.version));
  }

  /// Group names and versions in the order of preference, the core group first as "".
  public Map<String, List<String>> groupVersions() {
    return groups.all();
  }

  private TaggedDocument cached(String key, Supplier<ObjectNode> source) {
    return documents.computeIfAbsent(key, _ -> new TaggedDocument(JsonTrees.bytes(source.get())));
  }
}
