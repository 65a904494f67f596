package dev.berth.agent.node.usage;

import dev.berth.agent.node.machine.DiskRoom;
import dev.berth.agent.node.machine.LinuxMachine;
import dev.berth.agent.pressure.Readings;
import dev.berth.agent.pressure.Readings.Reading;
import dev.berth.agent.pressure.Signal;
import dev.berth.agent.pressure.Signals;
import dev.berth.agent.runtimes.ImageService;
import dev.berth.agent.runtimes.Runtimes;
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

/// What is left of a machine, and on the disks of all its image services: of these, the fullest
/// counts. Where services have their images is asked once, in the background.
public final class NodeSignals implements Signals {
  private static final Logger log = LoggerFactory.getLogger(NodeSignals.class);

  private final LinuxMachine machine;
  private final Runtimes runtimes;

  /// By image service; those that are asked at this moment have an entry, too.
  private final ConcurrentMap<String, List<Path>> folders = new ConcurrentHashMap<>();

  private final Set<String> asked = ConcurrentHashMap.newKeySet();

  public NodeSignals(LinuxMachine machine, Runtimes runtimes) {
    this.machine = machine;
    this.runtimes = runtimes;
  }

  @Override
  public Readings read() {
    Map<Signal, Reading> signals = new EnumMap<>(Signal.class);
    try {
      signals.put(Signal.MEMORY, machine.memoryLeft());
      signals.put(Signal.PIDS, machine.processesLeft());
      DiskRoom own = machine.diskLeft();
      put(signals, Signal.NODE_DISK, Signal.NODE_INODES, own);
      return withImages(signals, own, imageDisks());
    } catch (IOException e) {
      log.debug("not everything could be read: {}", e.toString());
      return new Readings(signals, false, Set.of());
    }
  }

  private static Readings withImages(
      Map<Signal, Reading> signals, DiskRoom own, List<ImageDisk> disks) {
    Optional<DiskRoom> fullest =
        disks.stream().map(ImageDisk::room).min(Comparator.comparingDouble(DiskRoom::partLeft));
    fullest.ifPresent(room -> put(signals, Signal.IMAGE_DISK, Signal.IMAGE_INODES, room));
    boolean apart = disks.stream().noneMatch(disk -> disk.room().device() == own.device());
    Set<CriEndpoint> users =
        disks.stream()
            .filter(disk -> fullest.isPresent() && disk.room().device() == fullest.get().device())
            .map(ImageDisk::service)
            .collect(Collectors.toSet());
    return new Readings(signals, !disks.isEmpty() && apart, users);
  }

  /// Where an image service has images.
  private record ImageDisk(CriEndpoint service, DiskRoom room) {}

  private static void put(
      Map<Signal, Reading> signals, Signal bytes, Signal inodes, DiskRoom disk) {
    signals.put(bytes, disk.bytes());
    if (disk.inodes().capacity() > 0) {
      signals.put(inodes, disk.inodes());
    }
  }

  private List<ImageDisk> imageDisks() throws IOException {
    List<ImageDisk> disks = new ArrayList<>();
    for (ImageService service : runtimes.imageServices()) {
      for (Path folder : foldersOf(service)) {
        if (Files.exists(folder)) {
          disks.add(new ImageDisk(service.endpoint(), DiskRoom.of(folder)));
        }
      }
    }
    return disks;
  }

  private List<Path> foldersOf(ImageService service) {
    String key = service.name() + " " + service.endpoint();
    List<Path> known = folders.get(key);
    if (known == null && asked.add(key)) {
      Thread.ofVirtual().name("image-disk-of-" + service.name()).start(() -> ask(service, key));
    }
    return known == null ? List.of() : known;
  }

  private void ask(ImageService service, String key) {
    try {
      List<FilesystemUsage> disks = service.client().imageFsInfo().getImageFilesystemsList();
      folders.put(
          key,
          disks.stream()
              .map(usage -> Path.of(usage.getFsId().getMountpoint()))
              .filter(Path::isAbsolute)
              .toList());
    } catch (CriException e) {
      log.debug("image disk unknown service={}: {}", service.name(), e.getMessage());
    } finally {
      asked.remove(key);
    }
  }
}
