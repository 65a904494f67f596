package dev.berth.registry.placement;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.api.platforms.WindowsRule;
import dev.berth.registry.platforms.ImagePlatform;
import dev.berth.registry.platforms.TargetPlatform;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Predicate;

/// What a cluster runs: for pods without a class and for each RuntimeClass, the platforms, with
/// some nodes by name. Admission, scheduler and command line collect it from nodes and classes; an
/// agent, which may not read other nodes, reads what the control plane publishes.
///
/// Not thread-safe while offers are added.
public final class PlatformOffers {
  private static final String HYPER_V = "hyperv";

  /// By class, then by what its handler runs, so that equal clusters have equal text.
  private final Map<String, Map<String, PlatformOffer>> offers = new TreeMap<>();

  public static PlatformOffers of(
      Collection<NodePlatforms> nodes, Collection<CandidateClass> classes) {
    PlatformOffers offers = new PlatformOffers();
    for (NodePlatforms node : nodes) {
      offers.add(node, classes);
    }
    return offers;
  }

  private void add(NodePlatforms node, Collection<CandidateClass> classes) {
    NodeNames name = NodeNames.of(node.node());
    add(new PlatformOffer("", node.targets(NodePlatforms.DEFAULT_HANDLER), name));
    for (CandidateClass candidate : classes) {
      if (candidate.matches(node)) {
        add(new PlatformOffer(candidate.name(), node.targets(candidate.handler()), name));
      }
    }
  }

  /// Nodes of which nobody knows the platform offer nothing.
  public void add(PlatformOffer offer) {
    if (!offer.targets().isEmpty()) {
      offers
          .computeIfAbsent(offer.className(), _ -> new TreeMap<>())
          .merge(offer.targets().toString(), offer, PlatformOffer::with);
    }
  }

  /// Those that run all images of a pod, by class; pods without a class come under "".
  Map<String, List<PlatformOffer>> running(Predicate<TargetPlatform> runs) {
    Map<String, List<PlatformOffer>> running = new TreeMap<>();
    offers.forEach(
        (className, all) -> {
          List<PlatformOffer> some =
              all.values().stream()
                  .filter(offer -> offer.targets().stream().allMatch(runs))
                  .toList();
          if (!some.isEmpty()) {
            running.put(className, some);
          }
        });
    return running;
  }

  /// For `parse`, with equal text for equal offers.
  public ArrayNode toJson() {
    ArrayNode list = JsonNodeFactory.instance.arrayNode();
    for (Map<String, PlatformOffer> all : offers.values()) {
      for (PlatformOffer offer : all.values()) {
        ObjectNode tree = list.addObject();
        if (!offer.className().isEmpty()) {
          tree.put("runtimeClass", offer.className());
        }
        ArrayNode platforms = tree.putArray("platforms");
        for (TargetPlatform target : offer.targets()) {
          ObjectNode platform = platforms.addObject().put("platform", target.platform().toString());
          if (target.windowsRule() == WindowsRule.HYPER_V) {
            platform.put("isolation", HYPER_V);
          }
        }
        tree.put("count", offer.nodes().count());
        offer.nodes().first().forEach(tree.putArray("nodes")::add);
      }
    }
    return list;
  }

  /// Reads what `toJson` writes; what it cannot read offers nothing.
  public static PlatformOffers parse(JsonNode list) {
    PlatformOffers offers = new PlatformOffers();
    for (JsonNode tree : list) {
      List<TargetPlatform> targets = new ArrayList<>();
      for (JsonNode target : tree.path("platforms")) {
        target(target).ifPresent(targets::add);
      }
      List<String> names = new ArrayList<>();
      tree.path("nodes").forEach(name -> names.add(name.asText()));
      if (targets.size() == tree.path("platforms").size() && !names.isEmpty()) {
        offers.add(
            new PlatformOffer(
                tree.path("runtimeClass").asText(""),
                targets,
                new NodeNames(names, Math.max(names.size(), tree.path("count").asInt()))));
      }
    }
    return offers;
  }

  private static Optional<TargetPlatform> target(JsonNode tree) {
    WindowsRule rule =
        tree.path("isolation").asText("").equals(HYPER_V)
            ? WindowsRule.HYPER_V
            : WindowsRule.PROCESS_ISOLATION;
    return ImagePlatform.parseWithVersion(tree.path("platform").asText(""))
        .map(platform -> new TargetPlatform(platform, rule));
  }
}
