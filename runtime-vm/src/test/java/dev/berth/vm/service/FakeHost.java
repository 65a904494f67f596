package dev.berth.vm.service;

import dev.berth.api.Problem;
import dev.berth.registry.ImageRequest;
import dev.berth.vm.images.ImageStoreUsage;
import dev.berth.vm.images.StoredImage;
import dev.berth.vm.images.VmImages;
import dev.berth.vm.kernel.GuestFiles;
import dev.berth.vm.machine.MachineException;
import dev.berth.vm.machine.MachineExit;
import dev.berth.vm.machine.MachineExit.ExitReason;
import dev.berth.vm.machine.MachineSize;
import dev.berth.vm.machine.MachineSource;
import dev.berth.vm.machine.MachineSpec;
import dev.berth.vm.machine.MachineUsage;
import dev.berth.vm.machine.VirtualMachine;
import dev.berth.vm.machine.VirtualMachines;
import dev.berth.vm.network.DnsSettings;
import dev.berth.vm.network.InterfaceAddress;
import dev.berth.vm.network.NetworkException;
import dev.berth.vm.network.PodAddresses;
import dev.berth.vm.network.PodIdentity;
import dev.berth.vm.network.PodInterface;
import dev.berth.vm.network.PodNetworks;
import dev.berth.vm.network.PodRoute;
import dev.berth.vm.pods.RuntimeParts;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// The machines, guests, networks and images of a host, in memory. They outlive the service, as the
/// real ones do.
final class FakeHost {
  static final String IMAGE = "test.berth.dev/busybox:1";

  final Map<String, FakeMachine> machines = new ConcurrentHashMap<>();
  final Map<String, Optional<PodIdentity>> networks = new ConcurrentHashMap<>();
  final Set<String> reserved = ConcurrentHashMap.newKeySet();
  final List<MachineSpec> specs = new ArrayList<>();
  final Map<String, StoredImage> images = new ConcurrentHashMap<>();

  volatile boolean machinesFail;
  volatile boolean networksFail;

  /// Guests of machines that are started from then on hang.
  volatile boolean guestsHang;

  FakeHost() {
    addImage(IMAGE, List.of("echo"));
  }

  StoredImage addImage(String name, List<String> command) {
    StoredImage image =
        new StoredImage(
            "sha256:" + "%064x".formatted(name.hashCode() & 0xffffffffL),
            List.of(name),
            List.of(name.replaceFirst(":.*", "") + "@sha256:" + "d".repeat(64)),
            1000,
            false,
            new StoredImage.ImageDefaults(
                List.of(), command, List.of("IMAGE=1"), "/work", "1000", "SIGQUIT", List.of()));
    images.put(image.id(), image);
    return image;
  }

  RuntimeParts parts() {
    return new RuntimeParts(
        new Machines(),
        (size, shareMemory) ->
            new MachineSource.Booted(
                new GuestFiles(Path.of("/kernel"), Path.of("/initramfs"), "id"),
                Path.of("/scratch")),
        new Networks(),
        new Images(),
        (socket, limit, listener, positions) ->
            machine(String.valueOf(socket.getFileName())).guest.connect(listener, positions));
  }

  FakeMachine machine(String sandbox) {
    FakeMachine machine = machines.get(sandbox);
    if (machine == null) {
      throw new IllegalStateException("no machine of " + sandbox);
    }
    return machine;
  }

  FakeGuest guest(String sandbox) {
    return machine(sandbox).guest;
  }

  /// Nothing is left of any sandbox.
  boolean isEmpty() {
    return machines.isEmpty() && networks.isEmpty() && reserved.isEmpty();
  }

  static final class FakeMachine implements VirtualMachine {
    final FakeGuest guest = new FakeGuest();
    final SortedMap<Integer, List<Path>> disks = new ConcurrentSkipListMap<>();
    private final MachineSpec spec;
    private volatile @Nullable MachineExit exit;
    private volatile Consumer<MachineExit> listener = _ -> {};

    private FakeMachine(MachineSpec spec) {
      this.spec = spec;
    }

    void end(MachineExit how) {
      if (exit == null) {
        exit = how;
        guest.disconnect();
        guest.hangs = true;
        listener.accept(how);
      }
    }

    @Override
    public String sandboxId() {
      return spec.sandboxId();
    }

    @Override
    public long pid() {
      return 1;
    }

    @Override
    public MachineSize size() {
      return spec.size();
    }

    @Override
    public boolean sharesMemory() {
      return true;
    }

    @Override
    public Path agentSocket() {
      return Path.of("/sockets", spec.sandboxId());
    }

    @Override
    public void attachImage(int slot, List<Path> extents) {
      if (disks.putIfAbsent(slot, extents) != null) {
        throw failure("slot %d is in use".formatted(slot));
      }
    }

    @Override
    public void detachImage(int slot) {
      disks.remove(slot);
    }

    @Override
    public SortedSet<Integer> usedSlots() {
      return new TreeSet<>(disks.keySet());
    }

    @Override
    public void pause() {}

    @Override
    public void resume() {}

    @Override
    public boolean paused() {
      return false;
    }

    @Override
    public void balloon(long bytes) {
      throw failure("shares memory");
    }

    @Override
    public MachineUsage usage() {
      return new MachineUsage(9_000_000, 60 << 20, 90 << 20);
    }

    @Override
    public String console() {
      return "Kernel panic - not really\n";
    }

    @Override
    public Optional<MachineExit> exit() {
      return Optional.ofNullable(exit);
    }

    @Override
    public Optional<MachineExit> awaitExit(Duration limit) {
      return exit();
    }

    @Override
    public void onExit(Consumer<MachineExit> added) {
      listener = added;
      exit().ifPresent(added);
    }

    @Override
    public void kill() {
      end(new MachineExit(ExitReason.KILLED, ""));
    }
  }

  private static MachineException failure(String why) {
    return new MachineException(new Problem("the machine failed", why, ""), null);
  }

  private final class Machines implements VirtualMachines {
    @Override
    public int reserve(String sandboxId) {
      reserved.add(sandboxId);
      return 100_000 + reserved.size();
    }

    @Override
    public VirtualMachine start(MachineSpec spec) {
      if (machinesFail) {
        throw failure("QEMU is missing");
      }
      specs.add(spec);
      FakeMachine machine = new FakeMachine(spec);
      machine.guest.hangs = guestsHang;
      machines.put(spec.sandboxId(), machine);
      return machine;
    }

    @Override
    public Optional<VirtualMachine> find(String sandboxId) {
      return Optional.ofNullable(machines.get(sandboxId));
    }

    @Override
    public List<VirtualMachine> recover() {
      return List.copyOf(machines.values());
    }

    @Override
    public void remove(String sandboxId) {
      reserved.remove(sandboxId);
      FakeMachine machine = machines.remove(sandboxId);
      if (machine != null) {
        machine.kill();
      }
    }
  }

  private final class Networks implements PodNetworks {
    @Override
    public PodInterface create(String sandboxId, int owner) {
      networks.put(sandboxId, Optional.empty());
      return new PodInterface(Path.of("/namespaces", sandboxId), "tap0");
    }

    @Override
    public PodAddresses connect(PodIdentity pod) {
      if (networksFail) {
        throw new NetworkException(
            new Problem("the network of pod failed", "no addresses", ""), null);
      }
      networks.put(pod.sandboxId(), Optional.of(pod));
      return addresses(pod.sandboxId()).orElseThrow();
    }

    @Override
    public Optional<PodAddresses> addresses(String sandboxId) {
      return Optional.of(
          new PodAddresses(
              "02:00:00:00:00:01",
              1450,
              List.of(
                  new InterfaceAddress("10.9.0.7", 24, "10.9.0.1"),
                  new InterfaceAddress("fd00::7", 64, "fd00::1")),
              List.of(new PodRoute("0.0.0.0/0", "10.9.0.1"), new PodRoute("::/0", "fd00::1")),
              DnsSettings.NONE));
    }

    @Override
    public List<String> sandboxes() {
      return List.copyOf(networks.keySet());
    }

    @Override
    public void remove(String sandboxId) {
      networks.remove(sandboxId);
    }

    @Override
    public Optional<Problem> unready() {
      return networksFail
          ? Optional.of(new Problem("no network", "cni plugin not initialized", ""))
          : Optional.empty();
    }
  }

  private final class Images implements VmImages {
    @Override
    public StoredImage pull(ImageRequest request) {
      return addImage(request.image().toString(), List.of("pulled"));
    }

    @Override
    public List<StoredImage> load(Path archive) {
      return List.of();
    }

    @Override
    public Optional<StoredImage> find(String name) {
      return images.values().stream()
          .filter(image -> image.id().equals(name) || image.tags().contains(name))
          .findFirst();
    }

    @Override
    public List<StoredImage> list() {
      return List.copyOf(images.values());
    }

    @Override
    public void remove(String name) {
      images.remove(name);
    }

    @Override
    public ImageStoreUsage usage() {
      return new ImageStoreUsage(Path.of("/images"), 1000, 3);
    }

    @Override
    public List<Path> extents(String imageId) {
      return List.of(Path.of("/extents", imageId));
    }
  }
}
