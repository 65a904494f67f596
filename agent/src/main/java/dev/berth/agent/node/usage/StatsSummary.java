package dev.berth.agent.node.usage;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.agent.files.DiskUsage;
import dev.berth.agent.usage.ContainerUsage;
import dev.berth.agent.usage.FreeDiskSpace;
import dev.berth.agent.usage.ImageStoreUsage;
import dev.berth.agent.usage.InterfaceCounters;
import dev.berth.agent.usage.MemoryDetails;
import dev.berth.agent.usage.NodeUsage;
import dev.berth.agent.usage.PodStorage;
import dev.berth.agent.usage.ResourceUsage;
import dev.berth.agent.usage.UsageReader.SandboxUse;
import dev.berth.agent.usage.VolumeUsage;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The JSON of `/stats/summary` in the kubelet's form; unknown values are left out.
///
/// @param sandboxes and `storage`: by pod UID
/// @param containers the disk of containers' writable layers, if services report it
/// @param rates current CPU usage in nanocores, by [#NODE], by the names of the node's own parts
///   and by [#key(ContainerUsage)]
record StatsSummary(
    NodeUsage usage,
    MachineUsage machine,
    Map<String, SandboxUse> sandboxes,
    Map<String, PodStorage> storage,
    ImageStoreUsage images,
    ImageStoreUsage containers,
    Map<String, Long> rates) {
  static final String NODE = "";

  static String key(ContainerUsage one) {
    return one.podUid() + "/" + one.container() + "/" + one.madeAt();
  }

  byte[] json() {
    ObjectNode summary = JsonNodeFactory.instance.objectNode();
    node(summary.putObject("node"));
    ArrayNode pods = summary.putArray("pods");
    usage.byPod().values().forEach(some -> pod(pods.addObject(), some));
    return summary.toString().getBytes(StandardCharsets.UTF_8);
  }

  private void node(ObjectNode node) {
    node.put("nodeName", usage.node());
    node.put("startTime", text(machine.startedAt()));
    use(node, usage.machine(), rates.get(NODE));
    node.withObject("/memory").put("availableBytes", machine.memory().available());
    swap(node);
    ArrayNode system = node.putArray("systemContainers");
    for (SystemContainerUsage one : machine.system()) {
      ObjectNode part = system.addObject().put("name", one.name());
      part.put("startTime", text(one.startedAt()));
      use(part, one.use(), rates.get(one.name()));
    }
    use(system.addObject().put("name", "pods"), usage.ofPods(), rate(usage.containers()));
    networks(node, machine.networks());
    disk(node.putObject("fs"), usage.time(), machine.disk(), machine.disk().used());
    ObjectNode runtime = node.putObject("runtime");
    store(runtime.putObject("imageFs"), images, images.used());
    DiskUsage layers =
        usage.containers().stream()
            .map(ContainerUsage::layer)
            .reduce(DiskUsage.NONE, DiskUsage::plus);
    store(
        runtime.putObject("containerFs"),
        containers.room().isPresent() ? containers : images,
        containers.used().equals(DiskUsage.NONE) ? layers : containers.used());
    node.putObject("rlimit")
        .put("time", text(usage.time()))
        .put("maxpid", machine.processes().capacity())
        .put("curproc", machine.processes().capacity() - machine.processes().available());
  }

  private void store(ObjectNode where, ImageStoreUsage store, DiskUsage used) {
    disk(where, usage.time(), store.room().orElse(null), used);
  }

  private void pod(ObjectNode pod, List<ContainerUsage> some) {
    ContainerUsage any = some.getFirst();
    pod.putObject("podRef")
        .put("name", any.pod())
        .put("namespace", any.namespace())
        .put("uid", any.podUid());
    some.stream()
        .map(ContainerUsage::madeAt)
        .min(Comparator.naturalOrder())
        .ifPresent(first -> pod.put("startTime", text(first)));
    PodStorage stored = storage.get(any.podUid());
    ArrayNode inside = pod.putArray("containers");
    some.forEach(one -> container(inside.addObject(), one, stored));
    use(pod, NodeUsage.sum(some), rate(some));
    SandboxUse whole = sandboxes.get(any.podUid());
    if (whole != null) {
      // A machine around the containers has memory of its own, which the sum does not have.
      ObjectNode memory = pod.withObject("/memory");
      if (whole.memory() > memory.path("workingSetBytes").asLong()) {
        memory.put("workingSetBytes", whole.memory());
      }
      networks(pod, whole.networks());
      pod.putObject("process_stats").put("process_count", whole.processes());
    }
    if (stored != null) {
      stored(pod, some, stored);
    }
  }

  private void stored(ObjectNode pod, List<ContainerUsage> some, PodStorage stored) {
    ArrayNode volumes = pod.putArray("volume");
    for (VolumeUsage volume : stored.volumes()) {
      disk(volumes.addObject(), stored.time(), volume.room(), volume.used())
          .put("name", volume.name());
    }
    DiskUsage all = stored.ofNode();
    for (ContainerUsage one : some) {
      all = all.plus(one.layer());
    }
    disk(pod.putObject("ephemeral-storage"), stored.time(), machine.disk(), all);
  }

  private void container(ObjectNode where, ContainerUsage one, @Nullable PodStorage stored) {
    where.put("name", one.container()).put("startTime", text(one.madeAt()));
    use(where, one.use(), rate(one));
    store(
        where.putObject("rootfs"),
        containers.room().isPresent() ? containers : images,
        one.layer());
    DiskUsage logs = stored == null ? null : stored.logs().get(one.container());
    if (stored != null && logs != null) {
      disk(where.putObject("logs"), stored.time(), machine.disk(), logs);
    }
  }

  private void use(ObjectNode where, ResourceUsage use, @Nullable Long nanoCores) {
    String at = text(usage.time());
    ObjectNode cpu = where.putObject("cpu").put("time", at);
    if (nanoCores != null) {
      cpu.put("usageNanoCores", nanoCores);
    }
    cpu.put("usageCoreNanoSeconds", use.cpu());
    ObjectNode memory = where.putObject("memory").put("time", at);
    memory.put("workingSetBytes", use.memory());
    MemoryDetails details = use.details();
    if (details.isKnown()) {
      memory.put("usageBytes", details.usage()).put("rssBytes", details.resident());
      memory.put("pageFaults", details.faults()).put("majorPageFaults", details.majorFaults());
    }
  }

  private void swap(ObjectNode node) {
    node.putObject("swap")
        .put("time", text(usage.time()))
        .put("swapAvailableBytes", machine.swap().available())
        .put("swapUsageBytes", machine.swap().capacity() - machine.swap().available());
  }

  private long rate(List<ContainerUsage> some) {
    return some.stream().mapToLong(this::rate).sum();
  }

  /// The service's own rate where it has one. A container that started after the last reading has
  /// the average of its life.
  private long rate(ContainerUsage one) {
    if (one.nanoCores() > 0) {
      return one.nanoCores();
    }
    Long measured = rates.get(key(one));
    long life = Duration.between(one.madeAt(), usage.time()).toMillis();
    return measured != null ? measured : one.use().cpu() / Math.max(1, life) * 1000;
  }

  private void networks(ObjectNode where, List<InterfaceCounters> networks) {
    if (networks.isEmpty()) {
      return;
    }
    ObjectNode network = where.putObject("network").put("time", text(usage.time()));
    network(network, networks.getFirst());
    ArrayNode all = network.putArray("interfaces");
    networks.forEach(one -> network(all.addObject(), one));
  }

  private static void network(ObjectNode where, InterfaceCounters one) {
    where
        .put("name", one.name())
        .put("rxBytes", one.receivedBytes())
        .put("rxErrors", one.receivedErrors())
        .put("txBytes", one.sentBytes())
        .put("txErrors", one.sentErrors());
  }

  private static ObjectNode disk(
      ObjectNode where, Instant time, @Nullable FreeDiskSpace room, DiskUsage used) {
    where.put("time", text(time));
    if (room != null) {
      where
          .put("availableBytes", room.bytes().available())
          .put("capacityBytes", room.bytes().capacity())
          .put("inodesFree", room.inodes().available())
          .put("inodes", room.inodes().capacity());
    }
    return where.put("usedBytes", used.bytes()).put("inodesUsed", used.inodes());
  }

  private static String text(Instant time) {
    return time.truncatedTo(ChronoUnit.SECONDS).toString();
  }
}
