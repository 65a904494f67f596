package dev.berth.agent.node.usage;

import dev.berth.agent.usage.CpuRates;
import dev.berth.agent.usage.ImageStoreUsage;
import dev.berth.agent.usage.NodeUsage;
import dev.berth.agent.usage.PodStorage;
import dev.berth.agent.usage.UsageReader;
import dev.berth.agent.usage.UsageReader.Everything;
import dev.berth.cri.v1.FilesystemUsage;
import dev.berth.cri.v1.ImageFsInfoResponse;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.Stream;

/// Builds the node's `/stats/summary`: asks runtime services with a timeout, and never waits for a
/// disk measurement.
public final class SummaryProvider {
  /// The time between two readings when there is no earlier one.
  private static final Duration SHORT = Duration.ofMillis(200);

  /// Waits between two readings.
  public interface Pause {
    void pause(Duration time) throws InterruptedException;
  }

  private final UsageReader reader;
  private final Supplier<MachineUsage> machine;
  private final Supplier<Map<String, PodStorage>> storage;
  private final Pause pause;
  private final CpuRates rates = new CpuRates();

  /// @param storage the last measurement, by pod UID
  public SummaryProvider(
      UsageReader reader,
      Supplier<MachineUsage> machine,
      Supplier<Map<String, PodStorage>> storage,
      Pause pause) {
    this.reader = reader;
    this.machine = machine;
    this.storage = storage;
    this.pause = pause;
  }

  public byte[] read() {
    Everything readings = reader.readAll();
    MachineUsage machineUsage = machine.get();
    if (rates.isBlank(readings.usage().time())) {
      rates.begin(readings.usage().time(), counters(readings.usage(), machineUsage));
      if (!isPaused()) {
        return json(readings, machineUsage);
      }
      readings = reader.readAll();
      machineUsage = machine.get();
    }
    return json(readings, machineUsage);
  }

  private boolean isPaused() {
    try {
      pause.pause(SHORT);
      return true;
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  private byte[] json(Everything readings, MachineUsage machineUsage) {
    List<ImageFsInfoResponse> stores = readings.stores();
    return new StatsSummary(
            readings.usage(),
            machineUsage,
            readings.sandboxes(),
            storage.get(),
            ImageStoreUsage.of(
                all(stores.stream().map(ImageFsInfoResponse::getImageFilesystemsList))),
            ImageStoreUsage.of(
                all(stores.stream().map(ImageFsInfoResponse::getContainerFilesystemsList))),
            rates.of(readings.usage().time(), counters(readings.usage(), machineUsage)))
        .json();
  }

  private static Map<String, Long> counters(NodeUsage usage, MachineUsage machineUsage) {
    Map<String, Long> counters = new HashMap<>();
    counters.put(StatsSummary.NODE, usage.machine().cpu());
    machineUsage.system().forEach(one -> counters.put(one.name(), one.use().cpu()));
    usage.containers().forEach(one -> counters.put(StatsSummary.key(one), one.use().cpu()));
    return counters;
  }

  private static List<FilesystemUsage> all(Stream<List<FilesystemUsage>> lists) {
    return lists.flatMap(List::stream).toList();
  }
}
