package dev.berth.registry.placement;

import dev.berth.registry.platforms.TargetPlatform;
import java.util.List;

/// What pods of a RuntimeClass get on some nodes.
///
/// @param className empty for pods without a class
/// @param targets what the handler runs; it may be of several runtime services, and a pod may get
///   any of them
public record PlatformOffer(String className, List<TargetPlatform> targets, NodeNames nodes) {
  public PlatformOffer {
    targets = List.copyOf(targets);
  }

  PlatformOffer with(PlatformOffer others) {
    return new PlatformOffer(className, targets, nodes.with(others.nodes()));
  }
}
