package dev.berth.launch.vm;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class VmRequirementsTest {
  private static final List<String> PROGRAMS =
      List.of("qemu-system-x86_64", "ip", "tc", "unshare", "nsenter", "setsid");

  @TempDir Path machine;

  private void install(List<String> programs) throws IOException {
    Files.createDirectories(machine.resolve("bin"));
    for (String program : programs) {
      Path file = Files.createFile(machine.resolve("bin").resolve(program));
      Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
    }
  }

  private Path kernel(String directory) throws IOException {
    Path root = machine.resolve(directory);
    Path modules = root.resolve("lib/modules/6.1.0-50-cloud-amd64");
    Files.createDirectories(modules);
    Files.createDirectories(root.resolve("boot"));
    Files.createFile(root.resolve("boot/vmlinuz-6.1.0-50-cloud-amd64"));
    Files.createFile(modules.resolve("modules.dep"));
    return root;
  }

  private VmRequirements find(String system, boolean root, Path... kernels) {
    return VmRequirements.find(system, root, List.of(machine.resolve("bin")), List.of(kernels));
  }

  @Test
  void aMachineWithEverythingHasNoObstacle() throws IOException {
    install(PROGRAMS);
    Path kernel = kernel("unpacked");
    VmRequirements found = find("Linux amd64", true, machine.resolve("absent"), kernel);
    assertThat(found.obstacle()).isEmpty();
    assertThat(found.kernel()).contains(kernel);
  }

  @Test
  void eachObstacleSaysWhatToDo() throws IOException {
    assertThat(find("Mac OS X aarch64", true).obstacle())
        .isEqualTo("they need Linux amd64, and this is Mac OS X aarch64");
    install(PROGRAMS.subList(2, PROGRAMS.size()));
    assertThat(find("Linux amd64", true).obstacle())
        .isEqualTo("qemu-system-x86_64, ip missing; install with `berth up --install`");
    install(PROGRAMS.subList(0, 2));
    assertThat(find("Linux amd64", true).obstacle())
        .isEqualTo("no kernel for guests; download one with `berth up --install`");
    assertThat(find("Linux amd64", false, kernel("unpacked")).obstacle())
        .isEqualTo("only root can start them: `sudo ./berth up`");
  }

  @Test
  void aKernelWithoutItsModulesDoesNotCount() throws IOException {
    Path root = kernel("half");
    Files.delete(root.resolve("lib/modules/6.1.0-50-cloud-amd64/modules.dep"));
    assertThat(VmRequirements.hasKernel(root)).isFalse();
  }
}
