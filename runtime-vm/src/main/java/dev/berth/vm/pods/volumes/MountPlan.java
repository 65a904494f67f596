package dev.berth.vm.pods.volumes;

import dev.berth.vm.guest.model.GuestMount;
import dev.berth.vm.pods.state.DeliveredTree;
import java.util.List;

/// How a guest gets the mounts of a container.
///
/// @param images that are mounted beside the container's own, by the index of their mount
/// @param trees to deliver before the container is created
/// @param messageFile of the host, for the termination message; empty for none
public record MountPlan(
    List<GuestMount> mounts,
    List<ImageMount> images,
    List<DeliveredTree> trees,
    String messageFile) {
  public MountPlan {
    mounts = List.copyOf(mounts);
    images = List.copyOf(images);
    trees = List.copyOf(trees);
  }

  /// The guest's name of the file for the termination message.
  public static final String MESSAGE = "termination-message";

  /// An image as a volume (KEP-4639). Its disk is known once it has a slot.
  public record ImageMount(String image, String destination, String subPath) {}
}
