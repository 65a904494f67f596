package dev.berth.vm.pods;

import dev.berth.vm.guest.GuestAgent;
import dev.berth.vm.guest.model.GuestException;
import dev.berth.vm.images.VmImages;
import dev.berth.vm.machine.MachineException;
import dev.berth.vm.pods.state.DeliveredTree;
import java.util.Set;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Removes a container from its guest, with what no other container of the pod uses. What the guest
/// does not release now ends with its machine. The caller holds the lock of the sandbox.
public final class ContainerRelease {
  private static final Logger log = LoggerFactory.getLogger(ContainerRelease.class);

  private final PodInventory inventory;
  private final VmImages images;

  public ContainerRelease(PodInventory inventory, VmImages images) {
    this.inventory = inventory;
    this.images = images;
  }

  /// Ends the container if it runs, and forgets it.
  public void remove(LiveContainer container) {
    LivePod pod = container.pod();
    boolean released = pod.guest().map(guest -> removeFromGuest(container, guest)).orElse(false);
    inventory.remove(container);
    if (released) {
      pod.guest().ifPresent(guest -> release(container, guest));
    }
  }

  private static boolean removeFromGuest(LiveContainer container, PodGuest guest) {
    try {
      guest.agent().remove(container.id());
      return true;
    } catch (GuestException e) {
      log.warn(
          "container not removed in guest container={} reason={}", container.id(), e.getMessage());
      return false;
    }
  }

  private void release(LiveContainer container, PodGuest guest) {
    LivePod pod = container.pod();
    Set<String> inUse =
        pod.containers().stream()
            .flatMap(other -> other.record().trees().stream())
            .map(DeliveredTree::name)
            .collect(Collectors.toSet());
    try {
      GuestAgent agent = guest.agent();
      for (DeliveredTree tree : container.record().trees()) {
        if (!inUse.contains(tree.name())) {
          agent.removeTree(tree.name());
        }
      }
      new DiskSlots(pod, guest.machine(), images).clear();
    } catch (GuestException | MachineException e) {
      log.warn("volumes not released container={} reason={}", container.id(), e.getMessage());
    }
  }
}
