package dev.berth.vm.machine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.vm.kernel.GuestFiles;
import dev.berth.vm.machine.QemuPlan.GuestMemory;
import dev.berth.vm.machine.QemuPlan.ScratchDisk;
import dev.berth.vm.network.PodInterface;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

final class QemuCommandTest {
  private static final Path ROOT = Path.of("/files");

  @Test
  void theLauncherOpensFilesInTheOrderOfTheirNumbers() {
    List<String> command = command(pod());

    assertThat(String.join(" ", command.subList(0, command.indexOf("--"))))
        .isEqualTo(
            "/launcher cgroup /sys/fs/cgroup/memory/pod/cgroup.procs share /files/memory 3"
                + " listen monitor.sock 4 listen agent.sock 5 open /files/scratch 6"
                + " network /run/netns/pod tap tap0 7 open /files/kernel 8"
                + " open /files/initramfs 9 open /files/state 10"
                + " keep console.ring 1 keep qemu.ring 2 user 70001 0");
    assertThat(QemuCommand.incomingDescriptor(command)).isEqualTo(10);
  }

  @Test
  void qemuGivesUpWhatAMachineDoesNotNeed() {
    assertThat(command(pod()))
        .contains("on,obsolete=deny,elevateprivileges=deny,spawn=deny,resourcecontrol=deny")
        .contains("-nodefaults", "-no-user-config", "-no-reboot")
        .containsSequence("-display", "none")
        .containsSequence("-S", "-incoming", "defer");
  }

  @Test
  void theDevicesOfATemplateAreThoseOfItsClones() {
    assertThat(devices(template())).isEqualTo(devices(pod()));
    assertThat(command(template()))
        .containsSequence("network", "new")
        .contains("memory-backend-file,id=memory,size=128M,share=on,mem-path=/proc/self/fd/3")
        .doesNotContain("-incoming");
    assertThat(command(pod()))
        .contains("memory-backend-file,id=memory,size=128M,share=off,mem-path=/proc/self/fd/3");
  }

  @Test
  void onlyATranslatedProcessorIsGivenItsFrequency() {
    assertThat(String.join(" ", command(plan(Accelerator.TCG, pod()))))
        .contains("tsc_early_khz=1000000");
    assertThat(String.join(" ", command(plan(Accelerator.KVM, pod()))))
        .contains("-accel kvm -cpu host")
        .doesNotContain("tsc_early_khz");
  }

  @Test
  void onlyAMachineThatBootsMeasuresTheFrequency() {
    assertThat(command(template())).containsSequence("clock", "tsc_early_khz=1000000");
    assertThat(command(pod())).doesNotContain("clock");
  }

  private static List<String> devices(QemuPlan plan) {
    List<String> command = command(plan);
    return IntStream.range(1, command.size())
        .filter(i -> List.of("-device", "-machine", "-cpu", "-append").contains(command.get(i - 1)))
        .mapToObj(command::get)
        .toList();
  }

  private static List<String> command(QemuPlan plan) {
    return QemuCommand.of(Path.of("/launcher"), Path.of("/qemu"), 0, plan);
  }

  private static QemuPlan pod() {
    return new QemuPlan(
        "berth-a",
        ROOT,
        70001,
        new MachineSize(128, 1),
        Accelerator.TCG,
        new GuestFiles(ROOT.resolve("kernel"), ROOT.resolve("initramfs"), "x"),
        new GuestMemory.Mapped(ROOT.resolve("memory"), true),
        new ScratchDisk.Overlay("scratch.qcow2", ROOT.resolve("scratch")),
        Optional.of(ROOT.resolve("state")),
        Optional.of(new PodInterface(Path.of("/run/netns/pod"), "tap0")),
        List.of(Path.of("/sys/fs/cgroup/memory/pod/cgroup.procs")));
  }

  private static QemuPlan template() {
    QemuPlan form = pod();
    return new QemuPlan(
        "berth-template",
        ROOT,
        70001,
        form.size(),
        form.accelerator(),
        form.guest(),
        new GuestMemory.Mapped(ROOT.resolve("memory"), false),
        new ScratchDisk.Plain("scratch"),
        Optional.empty(),
        Optional.empty(),
        List.of());
  }

  private static QemuPlan plan(Accelerator accelerator, QemuPlan form) {
    return new QemuPlan(
        form.name(),
        form.directory(),
        form.user(),
        form.size(),
        accelerator,
        form.guest(),
        form.memory(),
        form.scratch(),
        form.incoming(),
        form.network(),
        form.cgroups());
  }
}
