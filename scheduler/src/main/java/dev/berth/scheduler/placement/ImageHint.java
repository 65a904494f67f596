package dev.berth.scheduler.placement;

import dev.berth.api.RequiredNodeAffinity;
import dev.berth.api.pods.PodPlatform;
import dev.berth.api.pods.PodPlatform.Isolation;
import dev.berth.registry.placement.HandlerPlatforms;
import dev.berth.registry.placement.ImageRemedy;
import dev.berth.registry.placement.NodeNames;
import dev.berth.registry.placement.PlatformOffer;
import dev.berth.registry.placement.PlatformOffers;
import dev.berth.registry.platforms.PlatformMismatch;
import dev.berth.scheduler.cluster.ClusterState;
import dev.berth.scheduler.cluster.NodeShape;
import dev.berth.scheduler.cluster.NodeState;
import dev.berth.scheduler.model.NodeInfo;
import dev.berth.scheduler.model.PodRequirements;
import dev.berth.scheduler.model.RuntimeClassInfo;
import java.util.ArrayList;
import java.util.List;

/// Says which RuntimeClasses and nodes could run an image that a pod waits for, in the words of
/// admission. Looks at one node of each shape, so that waiting pods cost little.
record ImageHint(ClusterState cluster, PodRequirements needs) {
  /// The whole sentence.
  String sentence(PlatformMismatch mismatch) {
    PlatformOffers allowed = new PlatformOffers();
    PlatformOffers excluded = new PlatformOffers();
    for (NodeShape shape : cluster.shapes()) {
      collect(shape, isAllowed(shape.example()) ? allowed : excluded);
    }
    return mismatch.message(
        new ImageRemedy(needs.images().platforms(), mismatch.platforms()).of(allowed, excluded));
  }

  /// A pod with a class has the selector of the class, which says nothing about other classes. A
  /// single node that the pod names by affinity counts as one of its shape.
  private boolean isAllowed(NodeInfo node) {
    if (!needs.className().isEmpty() || needs.nodes().distinguishesNodes()) {
      return true;
    }
    PodPlatform asked = needs.platform();
    return needs.nodes().matches(node.name(), node.labels())
        && new PodPlatform(asked.os(), "", asked.architecture())
            .mismatch(node.labels(), Isolation.PROCESS)
            .isEmpty();
  }

  private void collect(NodeShape shape, PlatformOffers offers) {
    HandlerPlatforms runs = shape.traits().platforms().ofService(needs.serviceName());
    NodeNames nodes = names(shape);
    offers.add(new PlatformOffer("", runs.targets().getOrDefault("", List.of()), nodes));
    for (RuntimeClassInfo candidate : cluster.classes()) {
      if (selects(candidate, shape.example())) {
        offers.add(
            new PlatformOffer(
                candidate.name(),
                runs.targets().getOrDefault(candidate.handler(), List.of()),
                nodes));
      }
    }
  }

  /// Nodes of a shape differ in their host names; a class that selects one is left out.
  private static boolean selects(RuntimeClassInfo candidate, NodeInfo node) {
    return !candidate.nodeSelector().containsKey(RequiredNodeAffinity.HOSTNAME)
        && candidate.selects(node);
  }

  private static NodeNames names(NodeShape shape) {
    List<String> names = new ArrayList<>();
    shape
        .groups()
        .forEach(
            groups ->
                groups
                    .values()
                    .forEach(members -> members.stream().map(NodeState::name).forEach(names::add)));
    return NodeNames.of(names);
  }
}
