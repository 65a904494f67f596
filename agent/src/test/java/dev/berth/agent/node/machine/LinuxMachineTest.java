package dev.berth.agent.node.machine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.agent.pressure.SignalReadings.Reading;
import dev.berth.agent.usage.FreeDiskSpace;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class LinuxMachineTest {
  @TempDir private Path root;

  @BeforeEach
  void aSmallMachine() throws IOException {
    write("proc/meminfo", "MemTotal:        8000 kB\nMemFree:  1 kB\nMemAvailable:    3000 kB\n");
    write("proc/sys/kernel/osrelease", "6.1.0\n");
    write("etc/os-release", "NAME=x\nPRETTY_NAME=\"Debian GNU/Linux 12\"\n");
    write("etc/machine-id", "abc\n");
    write("sys/kernel/mm/hugepages/hugepages-2048kB/nr_hugepages", "3\n");
    write("sys/kernel/mm/hugepages/hugepages-1048576kB/nr_hugepages", "0\n");
    write("sys/kernel/mm/hugepages/hugepages-64kB/nr_hugepages", "5\n");
  }

  @Test
  void factsAreReadFromTheSystem() throws IOException {
    MachineInfo facts = new LinuxMachine(root, root).facts(4, "aarch64");

    assertThat(facts.architecture()).isEqualTo("arm64");
    assertThat(facts.kernelVersion()).isEqualTo("6.1.0");
    assertThat(facts.systemImage()).isEqualTo("Debian GNU/Linux 12");
    assertThat(facts.size().memory()).isEqualTo(8_000 << 10);
    assertThat(facts.size().hugePages())
        .isEqualTo(
            Map.of("hugepages-1Gi", 0L, "hugepages-2Mi", 6L << 20, "hugepages-64Ki", 320L << 10));
  }

  @Test
  void aMachineWithoutFirmwareIdsIsKnownByItsOwnId() throws IOException {
    assertThat(new LinuxMachine(root, root).facts(1, "x86_64").ids())
        .isEqualTo(new MachineInfo.Ids("abc", "abc", ""));
  }

  @Test
  void appArmorIsThereWhenTheKernelSaysSo() throws IOException {
    LinuxMachine machine = new LinuxMachine(root, root);
    assertThat(machine.hasAppArmor()).isFalse();

    Files.createDirectories(root.resolve("sys/kernel/security/apparmor"));
    write("sys/module/apparmor/parameters/enabled", "N\n");
    assertThat(machine.hasAppArmor()).isFalse();
    write("sys/module/apparmor/parameters/enabled", "Y\n");
    assertThat(machine.hasAppArmor()).isTrue();
  }

  @Test
  void whatIsLeftIsReadFromTheSystem() throws IOException {
    write("proc/sys/kernel/pid_max", "4194304\n");
    write("proc/sys/kernel/threads-max", "1000\n");
    write("proc/loadavg", "0.20 0.18 0.12 1/80 11206\n");
    LinuxMachine machine = new LinuxMachine(root, root);

    assertThat(machine.memoryLeft()).isEqualTo(new Reading(3_000 << 10, 8_000 << 10));
    assertThat(machine.processesLeft()).isEqualTo(new Reading(920, 1000));
  }

  /// The kernel's own files do not behave as files of a disk do.
  @Test
  void soItIsOnThisMachine() throws IOException {
    LinuxMachine machine = new LinuxMachine(Path.of("/"), root);

    assertThat(machine.processesLeft().capacity()).isGreaterThan(100);
    assertThat(machine.processesLeft().available())
        .isBetween(1L, machine.processesLeft().capacity());
    assertThat(machine.memoryLeft().available()).isBetween(1L, machine.memoryLeft().capacity());
  }

  @Test
  void memorySwapAndStartAreReadFromTheSystem() throws IOException {
    write(
        "proc/meminfo",
        "MemTotal: 9 kB\nMemFree: 1 kB\nAnonPages: 2 kB\nSwapTotal: 7 kB\nSwapFree: 3 kB\n");
    write("proc/vmstat", "pgfaults 1\npgfault 12\npgmajfault 3\n");
    write("proc/stat", "cpu  1 2\nbtime 1700000000\n");
    LinuxMachine machine = new LinuxMachine(root, root);

    assertThat(machine.memoryTaken()).isEqualTo(8 << 10);
    assertThat(machine.memoryOfProcesses()).isEqualTo(2 << 10);
    assertThat(machine.swapLeft()).isEqualTo(new Reading(3 << 10, 7 << 10));
    assertThat(machine.pageFaults("pgfault")).isEqualTo(12);
    assertThat(machine.bootSeconds()).isEqualTo(1_700_000_000);
  }

  @Test
  void aProcessTellsWhatItUsed() throws IOException {
    write(
        "proc/self/stat",
        "7 (a ) b) S 1 7 7 0 -1 4194560 100 0 5 0 30 20 0 0 20 0 9 0 250 1000 6 18446744073709551615\n");

    write("proc/self/status", "Name:\ta\nVmRSS:\t      24 kB\n");

    assertThat(LinuxProcess.of(root.resolve("proc/self")))
        .isEqualTo(new LinuxProcess(500_000_000, 24 << 10, 1000, 100, 5, 2.5));
  }

  @Test
  void theDiskTellsTheSameAsJavaAndItsInodesToo() throws IOException {
    FreeDiskSpace disk = new LinuxMachine(root, root).diskLeft();

    assertThat(disk.bytes().capacity()).isEqualTo(Files.getFileStore(root).getTotalSpace());
    assertThat(disk.bytes().available()).isBetween(1L, disk.bytes().capacity());
    assertThat(disk.inodes().available()).isBetween(0L, disk.inodes().capacity());
    assertThat(FreeDiskSpace.of(root.resolve("proc")).device()).isEqualTo(disk.device());
  }

  private void write(String file, String text) throws IOException {
    Path path = root.resolve(file);
    Files.createDirectories(path.getParent());
    Files.writeString(path, text);
  }
}
