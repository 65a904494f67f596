package dev.berth.sim.service;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.cri.v1.Image;
import dev.berth.cri.v1.ImageSpec;
import dev.berth.cri.v1.Int64Value;
import dev.berth.registry.platforms.ImagePlatform;
import dev.berth.sim.images.PulledImage;
import dev.berth.sim.profile.ContractCompatibility;
import java.util.List;

/// Converts images to CRI's messages. CRI has one message per image id with all its tags and
/// digests; the store has one entry per name.
final class ImageMessages {
  private final ContractCompatibility compatibility;

  ImageMessages(ContractCompatibility compatibility) {
    this.compatibility = compatibility;
  }

  /// @param names one image under all its names; at least one
  Image image(List<PulledImage> names) {
    PulledImage first = names.getFirst();
    Image.Builder message =
        Image.newBuilder()
            .setId(first.id())
            .addAllRepoTags(sorted(names.stream().flatMap(name -> name.tags().stream()).toList()))
            .addAllRepoDigests(sorted(names.stream().map(PulledImage::repositoryDigest).toList()))
            .setSize(first.size());
    if (compatibility.hasImagesByHandler()) {
      PulledImage named = names.stream().min(ImageMessages::byReference).orElseThrow();
      message.setSpec(
          ImageSpec.newBuilder()
              .setImage(named.reference().toString())
              .setRuntimeHandler(named.handlerAsAsked()));
    }
    first.user().ifPresent(user -> message.setUid(Int64Value.newBuilder().setValue(user)));
    return message.build();
  }

  /// The verbose part of an image's status in containerd's form: `chainID` and the image's
  /// configuration.
  static String info(PulledImage image) {
    ImagePlatform platform = image.platform();
    ObjectNode info = JsonNodeFactory.instance.objectNode();
    // Simulated images have no layers, so the image's id stands in for the chain id of the layers.
    info.put("chainID", image.id());
    ObjectNode spec = info.putObject("imageSpec");
    spec.put("architecture", platform.architecture()).put("os", platform.os());
    if (!platform.variant().isEmpty()) {
      spec.put("variant", platform.variant());
    }
    if (!platform.osVersion().isEmpty()) {
      spec.put("os.version", platform.osVersion());
    }
    ObjectNode config = spec.putObject("config");
    image.user().ifPresent(user -> config.put("User", Long.toString(user)));
    ArrayNode command = config.putArray("Cmd");
    image.command().forEach(command::add);
    return info.toString();
  }

  private static List<String> sorted(List<String> texts) {
    return texts.stream().distinct().sorted().toList();
  }

  private static int byReference(PulledImage one, PulledImage other) {
    return one.reference().toString().compareTo(other.reference().toString());
  }
}
