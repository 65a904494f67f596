package dev.berth.server.admission.runtimeclass;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.registry.placement.ClusterPlatforms;
import dev.berth.registry.placement.NodePlatforms;
import dev.berth.server.admission.Writes;
import dev.berth.server.auth.FakeObjects;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// A cluster's runtimes as a test declares them.
public final class FakeCatalog implements RuntimeCatalog {
  public final FakeObjects objects = new FakeObjects();
  private final List<NodePlatforms> nodes = new ArrayList<>();
  private final List<RuntimeClassPolicy> classes = new ArrayList<>();
  private final Map<String, Set<String>> offered = new HashMap<>();

  /// A class whose handler has its name; the annotations have single quotes.
  public FakeCatalog with(String name, String annotations) {
    ObjectNode runtimeClass =
        Writes.json(
            "{'metadata':{'name':'%s','annotations':{%s}},'handler':'%s'}"
                .formatted(name, annotations, name));
    objects.put(ClassOverheadAndScheduling.BUCKET, runtimeClass);
    classes.add(RuntimeClassPolicy.of(runtimeClass));
    classes.sort(Comparator.comparing(RuntimeClassPolicy::name));
    return this;
  }

  /// One node offers the handler with these features.
  FakeCatalog offering(String handler, String... features) {
    offered.put(handler, Set.of(features));
    return this;
  }

  @Override
  public List<RuntimeClassPolicy> classes() {
    return classes;
  }

  @Override
  public int nodesOffering(String handler) {
    return offered.containsKey(handler) ? 1 : 0;
  }

  @Override
  public Set<String> features(String handler) {
    return offered.getOrDefault(handler, Set.of());
  }

  /// A node, as its Node object reports it.
  public FakeCatalog withNode(ObjectNode node) {
    nodes.add(NodePlatforms.parse(node));
    return this;
  }

  @Override
  public ClusterPlatforms platforms() {
    return new ClusterPlatforms(nodes);
  }
}
