package dev.berth.vm.service;

import dev.berth.cri.serving.CallRefusal;
import dev.berth.cri.serving.ContainerLimits;
import dev.berth.cri.serving.RandomIds;
import dev.berth.cri.v1.ContainerConfig;
import dev.berth.cri.v1.CreateContainerRequest;
import dev.berth.cri.v1.CreateContainerResponse;
import dev.berth.vm.guest.GuestAgent;
import dev.berth.vm.guest.model.GuestContainer;
import dev.berth.vm.guest.model.GuestMount;
import dev.berth.vm.guest.model.GuestMount.MountSource.ImageSource;
import dev.berth.vm.images.StoredImage;
import dev.berth.vm.images.VmImages;
import dev.berth.vm.pods.ContainerRelease;
import dev.berth.vm.pods.DiskSlots;
import dev.berth.vm.pods.LiveContainer;
import dev.berth.vm.pods.LivePod;
import dev.berth.vm.pods.PodGuest;
import dev.berth.vm.pods.PodInventory;
import dev.berth.vm.pods.TreeDelivery;
import dev.berth.vm.pods.rules.ContainerRules;
import dev.berth.vm.pods.rules.ProcessRule;
import dev.berth.vm.pods.state.ContainerEnd;
import dev.berth.vm.pods.state.ContainerImage;
import dev.berth.vm.pods.state.ContainerPhase;
import dev.berth.vm.pods.state.ContainerRecord;
import dev.berth.vm.pods.state.DeliveredTree;
import dev.berth.vm.pods.volumes.MountPlan;
import dev.berth.vm.pods.volumes.MountPlan.ImageMount;
import dev.berth.vm.pods.volumes.VolumePlanner;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// `CreateContainer`: gives the guest the image and the volumes of a container, which does not run
/// yet. A container that cannot be created leaves nothing.
final class CreateContainer {
  private static final Logger log = LoggerFactory.getLogger(CreateContainer.class);

  private final FoundPods found;
  private final VmImages images;
  private final ContainerRelease release;
  private final TreeDelivery delivery;
  private final RandomIds ids;

  CreateContainer(
      FoundPods found,
      VmImages images,
      ContainerRelease release,
      TreeDelivery delivery,
      RandomIds ids) {
    this.found = found;
    this.images = images;
    this.release = release;
    this.delivery = delivery;
    this.ids = ids;
  }

  CreateContainerResponse call(CreateContainerRequest request) {
    String sandbox = request.getPodSandboxId();
    LivePod pod = found.pod(sandbox, "failed to find sandbox id \"%s\"".formatted(sandbox));
    pod.calls().lock();
    try {
      String id = create(pod, request.getConfig());
      return CreateContainerResponse.newBuilder().setContainerId(id).build();
    } finally {
      pod.calls().unlock();
    }
  }

  private String create(LivePod pod, ContainerConfig config) {
    PodGuest guest =
        pod.guest()
            .filter(_ -> pod.record().isReady())
            .orElseThrow(
                () ->
                    // containerd's check is the lookup of the sandbox's task.
                    CallRefusal.notFound(
                        "failed to get sandbox container task: no running task found: task %s not found: not found"
                            .formatted(pod.id())));
    if (!config.hasMetadata()) {
      throw CallRefusal.unknown("container config must include metadata");
    }
    ContainerRules.check(config);
    StoredImage image = image(config.getImage().getImage());
    MountPlan plan = plan(config);
    Map<ImageMount, StoredImage> volumes = new LinkedHashMap<>();
    plan.images().forEach(mount -> volumes.put(mount, image(mount.image())));
    DiskSlots slots = new DiskSlots(pod, guest.machine(), images);
    List<String> wanted = new ArrayList<>(List.of(image.id()));
    volumes.values().forEach(volume -> wanted.add(volume.id()));
    SortedMap<Integer, String> disks = slots.choose(wanted);
    LiveContainer container =
        found.inventory().reserve(record(pod, config, image, disks, plan), pod);
    try {
      slots.fill(disks);
      GuestAgent agent = guest.agent();
      deliver(pod, agent, plan.trees());
      agent.create(guestContainer(container, pod, image, mounts(plan, volumes, disks)));
      found.inventory().show(container, container.record().created());
    } catch (RuntimeException e) {
      undo(container, e);
      throw e;
    }
    return container.id();
  }

  private StoredImage image(String name) {
    return images
        .find(name)
        .orElseThrow(
            () ->
                CallRefusal.notFound("failed to resolve image \"%s\": not found".formatted(name)));
  }

  private static MountPlan plan(ContainerConfig config) {
    try {
      return VolumePlanner.plan(config);
    } catch (IOException e) {
      throw CallRefusal.unknown("the mounts of the container cannot be read: " + e);
    }
  }

  private ContainerRecord record(
      LivePod pod,
      ContainerConfig config,
      StoredImage image,
      SortedMap<Integer, String> disks,
      MountPlan plan) {
    PodInventory inventory = found.inventory();
    return new ContainerRecord(
        ids.id(),
        pod.id(),
        config,
        new ContainerImage(
            image.id(),
            image.tags().isEmpty() ? image.id() : image.tags().getFirst(),
            image.digests().isEmpty() ? image.id() : image.digests().getFirst()),
        disks,
        DiskSlots.slotOf(image.id(), disks).orElseThrow(),
        plan.trees(),
        plan.messageFile(),
        ContainerRecord.logFile(config, pod.record()),
        ContainerLimits.initial(config),
        ContainerPhase.CREATING,
        inventory.now(),
        0,
        ContainerEnd.NONE);
  }

  private void deliver(LivePod pod, GuestAgent agent, List<DeliveredTree> trees) {
    for (DeliveredTree tree : trees) {
      try {
        delivery.deliver(pod, agent, tree);
      } catch (IOException e) {
        throw CallRefusal.unknown(
            "the volume %s cannot be read: %s".formatted(tree.source(), e.getMessage()));
      }
    }
  }

  private static List<GuestMount> mounts(
      MountPlan plan, Map<ImageMount, StoredImage> volumes, SortedMap<Integer, String> disks) {
    List<GuestMount> mounts = new ArrayList<>(plan.mounts());
    volumes.forEach(
        (mount, image) -> {
          int slot = DiskSlots.slotOf(image.id(), disks).orElseThrow();
          mounts.add(
              new GuestMount(
                  mount.destination(),
                  new ImageSource(DiskSlots.serial(slot)),
                  mount.subPath(),
                  true));
        });
    return mounts;
  }

  private static GuestContainer guestContainer(
      LiveContainer container, LivePod pod, StoredImage image, List<GuestMount> mounts) {
    ContainerRecord record = container.record();
    return ProcessRule.container(
        record.id(),
        DiskSlots.serial(record.rootSlot()),
        pod.record().config().getHostname(),
        record.config(),
        image.defaults(),
        mounts);
  }

  /// What is not undone here ends with the machine, or when the slots are needed.
  private void undo(LiveContainer container, RuntimeException cause) {
    log.info("container not created container={} reason={}", container.id(), cause.getMessage());
    try {
      release.remove(container);
    } catch (RuntimeException e) {
      log.warn("container not removed container={} reason={}", container.id(), e.toString());
    }
  }
}
