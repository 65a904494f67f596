package dev.berth.vm.machine;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.locks.ReentrantLock;

/// The disks for images of one machine. A slot is in use while its descriptor is in the machine's
/// directory: written before QEMU gets the disk, and removed after QEMU gave it back.
final class ImageSlots {
  private final MachineDirectory directory;
  private final MonitorLink monitor;
  private final ReentrantLock lock = new ReentrantLock();

  ImageSlots(MachineDirectory directory, MonitorLink monitor) {
    this.directory = directory;
    this.monitor = monitor;
  }

  void attach(int slot, List<Path> extents) {
    check(slot);
    lock.lock();
    try {
      if (used().contains(slot)) {
        throw MachineFailures.refused(
            "image cannot be attached to virtual machine %s".formatted(name()),
            "slot %d is in use".formatted(slot),
            "");
      }
      write(slot, sizes(extents), extents);
      plug(slot);
    } catch (IOException failure) {
      release(slot);
      throw MachineFailures.request(
          "image cannot be attached to virtual machine %s in slot %d".formatted(name(), slot),
          failure);
    } finally {
      lock.unlock();
    }
  }

  private List<Long> sizes(List<Path> extents) throws IOException {
    List<Long> sizes = new ArrayList<>();
    long total = 0;
    for (Path extent : extents) {
      long size = Files.size(extent);
      if (size % ImageDescriptor.SECTOR != 0
          || !Files.getPosixFilePermissions(extent).contains(PosixFilePermission.OTHERS_READ)) {
        throw new IOException(
            "%s has %d bytes, and must have a multiple of 512 and be readable by all"
                .formatted(extent, size));
      }
      sizes.add(size);
      total += size;
    }
    if (total > QemuCommand.SLOT_BYTES) {
      throw new IOException("the image has %d bytes, more than a disk".formatted(total));
    }
    return sizes;
  }

  /// Extents of no bytes are left out of the disk: QEMU refuses them.
  private void write(int slot, List<Long> sizes, List<Path> extents) throws IOException {
    List<Long> filled = new ArrayList<>();
    for (int i = 0; i < extents.size(); i++) {
      if (sizes.get(i) > 0) {
        Path link = directory.file(ImageDescriptor.extent(slot, filled.size()));
        Files.deleteIfExists(link);
        Files.createLink(link, extents.get(i));
        filled.add(sizes.get(i));
      }
    }
    Path descriptor = directory.file(ImageDescriptor.file(slot));
    Files.writeString(descriptor, ImageDescriptor.text(slot, filled, QemuCommand.SLOT_BYTES));
    Files.setPosixFilePermissions(descriptor, PosixFilePermissions.fromString("r--r--r--"));
  }

  private void plug(int slot) throws IOException {
    String node = node(slot);
    Map<String, Object> file =
        Map.of("driver", "file", "filename", ImageDescriptor.file(slot), "locking", "off");
    monitor.execute(
        "blockdev-add",
        Map.of("driver", "vmdk", "node-name", node, "read-only", true, "file", file));
    setDrive(slot, node);
  }

  private void setDrive(int slot, String node) throws IOException {
    monitor.execute("qom-set", Map.of("path", path(slot), "property", "drive", "value", node));
  }

  void detach(int slot) {
    check(slot);
    lock.lock();
    try {
      if (used().contains(slot)) {
        setDrive(slot, QemuCommand.emptyNode(slot));
        monitor.execute("blockdev-del", Map.of("node-name", node(slot)));
        deleteFiles(slot);
      }
    } catch (IOException failure) {
      throw MachineFailures.request(
          "image cannot be taken out of slot %d of virtual machine %s".formatted(slot, name()),
          failure);
    } finally {
      lock.unlock();
    }
  }

  /// Frees the slots that a killed service was about to fill: QEMU has not got their disks.
  void recover() {
    lock.lock();
    try {
      // Connects, also where no slot is in use: the link then knows whether the guest runs.
      monitor.connected();
      for (int slot : used()) {
        JsonNode drive =
            monitor.execute("qom-get", Map.of("path", path(slot), "property", "drive"));
        if (!drive.asText().equals(node(slot))) {
          release(slot);
        }
      }
    } catch (IOException failure) {
      throw MachineFailures.request("disks of virtual machine %s".formatted(name()), failure);
    } finally {
      lock.unlock();
    }
  }

  /// Undoes as much as was done.
  private void release(int slot) {
    try {
      setDrive(slot, QemuCommand.emptyNode(slot));
      monitor.execute("blockdev-del", Map.of("node-name", node(slot)));
    } catch (IOException neverAdded) {
      // QEMU refuses to remove what it does not have.
    }
    try {
      deleteFiles(slot);
    } catch (IOException failure) {
      throw MachineFailures.files(name(), failure);
    }
  }

  private void deleteFiles(int slot) throws IOException {
    try (DirectoryStream<Path> links =
        Files.newDirectoryStream(directory.path(), "image%d-*".formatted(slot))) {
      for (Path link : links) {
        Files.deleteIfExists(link);
      }
    }
    Files.deleteIfExists(directory.file(ImageDescriptor.file(slot)));
  }

  SortedSet<Integer> used() {
    SortedSet<Integer> used = new TreeSet<>();
    for (int slot = 0; slot < VirtualMachine.IMAGE_SLOTS; slot++) {
      if (Files.exists(directory.file(ImageDescriptor.file(slot)))) {
        used.add(slot);
      }
    }
    return used;
  }

  private static void check(int slot) {
    if (slot < 0 || slot >= VirtualMachine.IMAGE_SLOTS) {
      throw new IllegalArgumentException("no slot " + slot);
    }
  }

  private String name() {
    return directory.path().getFileName().toString();
  }

  private static String node(int slot) {
    return "disk" + slot;
  }

  private static String path(int slot) {
    return "/machine/peripheral/image" + slot;
  }
}
