package dev.berth.vm.pods;

import dev.berth.api.Problem;
import dev.berth.cri.serving.CallRefusal;
import dev.berth.vm.images.VmImages;
import dev.berth.vm.machine.VirtualMachine;
import io.grpc.Status;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;

/// The slots for image disks of one machine. Containers of one image share a disk, which is
/// read-only. The caller holds the lock of the sandbox.
public final class DiskSlots {
  private final LivePod pod;
  private final VirtualMachine machine;
  private final VmImages images;

  public DiskSlots(LivePod pod, VirtualMachine machine, VmImages images) {
    this.pod = pod;
    this.machine = machine;
    this.images = images;
  }

  /// The serial number of a slot's disk, by which the guest finds it.
  public static String serial(int slot) {
    return "image" + slot;
  }

  /// Chooses a slot for each image: the one that it is in, or else an empty one.
  ///
  /// @throws CallRefusal RESOURCE_EXHAUSTED if the machine has too few
  public SortedMap<Integer, String> choose(Collection<String> imageIds) {
    SortedMap<Integer, String> inUse = inUse();
    SortedMap<Integer, String> chosen = new TreeMap<>();
    for (String image : imageIds) {
      int slot =
          slotOf(image, chosen)
              .or(() -> slotOf(image, inUse))
              .orElseGet(() -> empty(inUse, chosen));
      chosen.put(slot, image);
    }
    return chosen;
  }

  public static Optional<Integer> slotOf(String image, Map<Integer, String> disks) {
    return disks.entrySet().stream()
        .filter(disk -> disk.getValue().equals(image))
        .map(Map.Entry::getKey)
        .findFirst();
  }

  /// What containers have; a slot that no container has was left by one that could not be created.
  private SortedMap<Integer, String> inUse() {
    SortedMap<Integer, String> disks = new TreeMap<>();
    pod.containers().forEach(container -> disks.putAll(container.record().disks()));
    return disks;
  }

  private int empty(Map<Integer, String> inUse, Map<Integer, String> chosen) {
    SortedSet<Integer> filled = machine.usedSlots();
    for (boolean isLeftover : new boolean[] {false, true}) {
      for (int slot = 0; slot < VirtualMachine.IMAGE_SLOTS; slot++) {
        if (!inUse.containsKey(slot)
            && !chosen.containsKey(slot)
            && filled.contains(slot) == isLeftover) {
          return slot;
        }
      }
    }
    throw new CallRefusal(
        Status.Code.RESOURCE_EXHAUSTED,
        new Problem(
                "the container cannot be created",
                "its pod has more than %d different images at once, and its machine no more disks"
                    .formatted(VirtualMachine.IMAGE_SLOTS),
                "Use fewer images in the pod, or split it")
            .toString());
  }

  /// Puts the chosen images into their slots.
  public void fill(SortedMap<Integer, String> chosen) {
    SortedMap<Integer, String> inUse = inUse();
    chosen.forEach(
        (slot, image) -> {
          if (!inUse.containsKey(slot)) {
            if (machine.usedSlots().contains(slot)) {
              machine.detachImage(slot);
            }
            machine.attachImage(slot, images.extents(image));
          }
        });
  }

  /// Empties the slots that no container has.
  public void clear() {
    SortedMap<Integer, String> inUse = inUse();
    machine.usedSlots().stream()
        .filter(slot -> !inUse.containsKey(slot))
        .toList()
        .forEach(machine::detachImage);
  }
}
