package dev.berth.vm.machine;

import dev.berth.vm.machine.QemuPlan.GuestMemory;
import dev.berth.vm.machine.QemuPlan.ScratchDisk;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// The command line of a machine: steps of the launcher, which opens what only root may open, and
/// then QEMU. A saved machine is restored by the command line that it was saved with, but for what
/// is behind its devices.
final class QemuCommand {
  static final String MONITOR_SOCKET = "monitor.sock";
  static final String AGENT_SOCKET = "agent.sock";
  static final String CONSOLE = "console.ring";
  static final String LOG = "qemu.ring";

  /// The guest program finds its port by this name.
  private static final String AGENT_PORT = "dev.berth.agent";

  /// All disks have the size of the largest possible image, so that a guest need not hear of a
  /// change. What is behind the image reads as zeros.
  static final long SLOT_BYTES = 1L << 40;

  /// A panic resets, and `-no-reboot` turns a reset into an end.
  private static final String KERNEL_ARGUMENTS =
      "console=ttyS0 no_timer_check random.trust_cpu=on reboot=t panic=-1 oops=panic rdinit=/init";

  /// No timer of this machine can calibrate the clock of a translated processor, and a busy host
  /// would spoil it: the frequency is given. It is the host's, which the launcher measures.
  private static final String FREQUENCY = "tsc_early_khz=1000000";

  private final List<String> steps = new ArrayList<>();
  private final List<String> qemu = new ArrayList<>();
  private final int group;
  private int descriptor = 3;

  private QemuCommand(int group) {
    this.group = group;
  }

  /// @param group that may use the accelerator's device; 0 if none is needed
  static List<String> of(Path launcher, Path program, int group, QemuPlan plan) {
    QemuCommand command = new QemuCommand(group);
    command.steps.add(launcher.toString());
    command.qemu.addAll(List.of("--", program.toString()));
    command.machine(plan);
    command.channels();
    command.disks(plan.scratch());
    command.network(plan);
    command.qemu("-device", "virtio-balloon-device,id=balloon");
    command.qemu("-object", "rng-builtin,id=random", "-device", "virtio-rng-device,rng=random");
    command.start(plan);
    List<String> all = new ArrayList<>(command.steps);
    all.addAll(command.qemu);
    return List.copyOf(all);
  }

  private void machine(QemuPlan plan) {
    for (Path group : plan.cgroups()) {
      step("cgroup", group.toString());
    }
    Accelerator accelerator = plan.accelerator();
    qemu("-name", plan.name(), "-nodefaults", "-no-user-config", "-display", "none");
    qemu("-machine", "microvm,acpi=on,isa-serial=on,ioapic2=on,memory-backend=memory");
    qemu("-accel", accelerator.option(), "-cpu", accelerator.processor());
    qemu("-m", plan.size().memoryMebibytes() + "M", "-smp", "" + plan.size().processors());
    qemu("-sandbox");
    qemu("on,obsolete=deny,elevateprivileges=deny,spawn=deny,resourcecontrol=deny");
    // A guest that resets itself ends, and what it wrote last stays to be read.
    qemu("-no-reboot");
    qemu("-object", memory(plan));
  }

  private String memory(QemuPlan plan) {
    String size = "id=memory,size=%dM".formatted(plan.size().memoryMebibytes());
    return switch (plan.memory()) {
      case GuestMemory.Anonymous() -> "memory-backend-ram," + size;
      case GuestMemory.Mapped(Path file, boolean copyOnWrite) ->
          "memory-backend-file,%s,share=%s,mem-path=/proc/self/fd/%d"
              .formatted(size, copyOnWrite ? "off" : "on", open("share", file));
    };
  }

  /// The sockets listen before QEMU runs, so that a client connects at once and waits for QEMU.
  private void channels() {
    int monitor = open("listen", Path.of(MONITOR_SOCKET));
    int agent = open("listen", Path.of(AGENT_SOCKET));
    qemu("-chardev", "socket,id=monitor,server=on,wait=off,fd=" + monitor);
    qemu("-mon", "chardev=monitor,mode=control");
    qemu("-chardev", "socket,id=agent,server=on,wait=off,fd=" + agent);
    qemu("-device", "virtio-serial-device", "-device");
    qemu("virtserialport,chardev=agent,name=" + AGENT_PORT);
    qemu("-chardev", "stdio,id=console,signal=off", "-serial", "chardev:console");
  }

  private void disks(ScratchDisk scratch) {
    for (int slot = 0; slot < VirtualMachine.IMAGE_SLOTS; slot++) {
      qemu("-blockdev");
      qemu(
          "driver=null-co,node-name=%s,read-zeroes=on,read-only=on,size=%d"
              .formatted(emptyNode(slot), SLOT_BYTES));
      qemu("-device");
      qemu(
          "virtio-blk-device,id=image%d,serial=image%d,drive=%s"
              .formatted(slot, slot, emptyNode(slot)));
    }
    // What a guest writes lives as long as its machine: a crash of the host need not find it.
    String written = "file.driver=file,file.filename=%s,file.locking=off,cache.no-flush=on";
    switch (scratch) {
      case ScratchDisk.Plain(String file) ->
          qemu(
              "-blockdev", "driver=raw,node-name=scratch,discard=unmap," + written.formatted(file));
      case ScratchDisk.Overlay(String file, Path base) -> {
        int opened = open("open", base);
        qemu("-add-fd", "set=1,fd=" + opened);
        qemu(
            "-blockdev",
            "driver=raw,node-name=base,read-only=on,file.driver=file,file.locking=off");
        append(",file.filename=/dev/fdset/1");
        qemu("-blockdev", "driver=qcow2,node-name=scratch,backing=base,discard=unmap,");
        append(written.formatted(file));
      }
    }
    qemu("-device", "virtio-blk-device,id=scratch,serial=scratch,drive=scratch");
  }

  /// Without a network of a pod it has one alone: devices of a saved machine must find the same
  /// features behind them again.
  private void network(QemuPlan plan) {
    step("network", plan.network().map(pod -> pod.namespace().toString()).orElse("new"));
    int tap = descriptor++;
    step("tap", plan.network().map(pod -> pod.tap()).orElse("tap0"), "" + tap);
    qemu("-netdev", "tap,id=network,fd=" + tap);
    qemu("-device", "virtio-net-device,id=network,netdev=network,mac=02:00:00:00:00:01");
  }

  private void start(QemuPlan plan) {
    if (plan.accelerator() == Accelerator.TCG && plan.incoming().isEmpty()) {
      step("clock", FREQUENCY);
    }
    qemu("-kernel", "/proc/self/fd/" + open("open", plan.guest().kernel()));
    qemu("-initrd", "/proc/self/fd/" + open("open", plan.guest().initramfs()));
    qemu("-append", KERNEL_ARGUMENTS + clock(plan.accelerator()));
    if (plan.incoming().isPresent()) {
      // Its number is that of `incomingDescriptor`.
      open("open", plan.incoming().get());
      qemu("-S", "-incoming", "defer");
    }
    step("keep", CONSOLE, "1");
    step("keep", LOG, "2");
    step("user", "" + plan.user(), "" + group);
  }

  private static String clock(Accelerator accelerator) {
    return switch (accelerator) {
      case KVM -> "";
      case TCG -> " " + FREQUENCY + " tsc=reliable";
    };
  }

  /// The number by which a restored machine knows the file of its saved state: the last one opened.
  static int incomingDescriptor(List<String> command) {
    int last = command.indexOf("keep") - 1;
    return Integer.parseInt(command.get(last));
  }

  static String emptyNode(int slot) {
    return "empty" + slot;
  }

  private int open(String kind, Path file) {
    int opened = descriptor++;
    step(kind, file.toString(), "" + opened);
    return opened;
  }

  private void step(String... words) {
    steps.addAll(List.of(words));
  }

  private void qemu(String... words) {
    qemu.addAll(List.of(words));
  }

  private void append(String text) {
    qemu.set(qemu.size() - 1, qemu.getLast() + text);
  }
}
