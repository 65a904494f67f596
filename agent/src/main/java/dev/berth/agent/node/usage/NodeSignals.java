package dev.berth.agent.node.usage;

import dev.berth.agent.node.machine.LinuxMachine;
import dev.berth.agent.pressure.EvictionSignal;
import dev.berth.agent.pressure.SignalReadings;
import dev.berth.agent.pressure.SignalReadings.Reading;
import dev.berth.agent.pressure.SignalSource;
import dev.berth.agent.runtimes.ImageService;
import dev.berth.agent.runtimes.RuntimeServices;
import dev.berth.agent.usage.FreeDiskSpace;
import dev.berth.cri.CriEndpoint;
import dev.berth.cri.CriException;
import dev.berth.cri.v1.FilesystemUsage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Reads eviction signals of a machine and of the disks of its image services, of which the fullest
/// counts. The directories of image services are discovered once, in the background.
public final class NodeSignals implements SignalSource {
  private static final Logger log = LoggerFactory.getLogger(NodeSignals.class);

  private final LinuxMachine machine;
  private final RuntimeServices runtimes;

  /// By image service; a service being asked has an entry, too.
  private final ConcurrentMap<String, List<Path>> directories = new ConcurrentHashMap<>();

  private final Set<String> asked = ConcurrentHashMap.newKeySet();

  public NodeSignals(LinuxMachine machine, RuntimeServices runtimes) {
    this.machine = machine;
    this.runtimes = runtimes;
  }

  @Override
  public SignalReadings read() {
    Map<EvictionSignal, Reading> signals = new EnumMap<>(EvictionSignal.class);
    try {
      signals.put(EvictionSignal.MEMORY, machine.memoryLeft());
      signals.put(EvictionSignal.PIDS, machine.processesLeft());
      FreeDiskSpace own = machine.diskLeft();
      put(signals, EvictionSignal.NODE_DISK, EvictionSignal.NODE_INODES, own);
      return withImages(signals, own, imageDisks());
    } catch (IOException e) {
      log.debug("eviction signals incomplete reason={}", e.toString());
      return new SignalReadings(signals, false, Set.of());
    }
  }

  private static SignalReadings withImages(
      Map<EvictionSignal, Reading> signals, FreeDiskSpace own, List<ImageDisk> disks) {
    Optional<FreeDiskSpace> fullest =
        disks.stream()
            .map(ImageDisk::room)
            .min(Comparator.comparingDouble(FreeDiskSpace::partLeft));
    fullest.ifPresent(
        room -> put(signals, EvictionSignal.IMAGE_DISK, EvictionSignal.IMAGE_INODES, room));
    boolean apart = disks.stream().noneMatch(disk -> disk.room().device() == own.device());
    Set<CriEndpoint> users =
        disks.stream()
            .filter(disk -> fullest.isPresent() && disk.room().device() == fullest.get().device())
            .map(ImageDisk::service)
            .collect(Collectors.toSet());
    return new SignalReadings(signals, !disks.isEmpty() && apart, users);
  }

  /// The disk of an image service.
  private record ImageDisk(CriEndpoint service, FreeDiskSpace room) {}

  private static void put(
      Map<EvictionSignal, Reading> signals,
      EvictionSignal bytes,
      EvictionSignal inodes,
      FreeDiskSpace disk) {
    signals.put(bytes, disk.bytes());
    if (disk.inodes().capacity() > 0) {
      signals.put(inodes, disk.inodes());
    }
  }

  private List<ImageDisk> imageDisks() throws IOException {
    List<ImageDisk> disks = new ArrayList<>();
    for (ImageService service : runtimes.imageServices()) {
      for (Path directory : directoriesOf(service)) {
        if (Files.exists(directory)) {
          disks.add(new ImageDisk(service.endpoint(), FreeDiskSpace.of(directory)));
        }
      }
    }
    return disks;
  }

  private List<Path> directoriesOf(ImageService service) {
    String key = service.name() + " " + service.endpoint();
    List<Path> known = directories.get(key);
    if (known == null && asked.add(key)) {
      Thread.ofVirtual().name("image-disk-of-" + service.name()).start(() -> ask(service, key));
    }
    return known == null ? List.of() : known;
  }

  private void ask(ImageService service, String key) {
    try {
      List<FilesystemUsage> disks = service.client().imageFsInfo().getImageFilesystemsList();
      directories.put(
          key,
          disks.stream()
              .map(usage -> Path.of(usage.getFsId().getMountpoint()))
              .filter(Path::isAbsolute)
              .toList());
    } catch (CriException e) {
      log.debug("image disk unknown service={} reason={}", service.name(), e.getMessage());
    } finally {
      asked.remove(key);
    }
  }
}
