package dev.berth.vm.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class GuestKernelTest {
  private static final byte[] PROGRAM = "the program".getBytes(StandardCharsets.UTF_8);

  @TempDir Path home;

  @Test
  void withoutAKernelTheMessageNamesThePackage() {
    GuestKernel kernel = new GuestKernel(List.of(home), home.resolve("made"), PROGRAM);

    assertThatThrownBy(kernel::files)
        .isInstanceOf(KernelException.class)
        .hasMessageContaining("no readable boot/vmlinuz-* with lib/modules in [%s]", home)
        .hasMessageContaining("Unpack the Debian package linux-image-cloud-amd64 into " + home);
  }

  @Test
  void theNewestKernelForMachinesIsUsed() throws IOException {
    install("6.1.0-9-cloud-amd64");
    install("6.1.0-50-cloud-amd64");
    install("6.12.0-1-amd64");

    assertThat(KernelInstallation.find(List.of(home)).release()).isEqualTo("6.1.0-50-cloud-amd64");
  }

  @Test
  void filesAreMadeOnceAndANewProgramGivesNewOnes() throws IOException {
    install("6.1.0-50-cloud-amd64");
    Path made = home.resolve("made");
    GuestFiles first = new GuestKernel(List.of(home), made, PROGRAM).files();

    assertThat(new GuestKernel(List.of(home), made, PROGRAM).files()).isEqualTo(first);
    assertThat(new GuestKernel(List.of(home), made, new byte[] {1}).files().identity())
        .isNotEqualTo(first.identity());
    String initramfs = Files.readString(first.initramfs(), StandardCharsets.ISO_8859_1);
    assertThat(initramfs)
        .contains("the program", "modules/virtio_blk.ko", "virtio_mmio.ko\nvirtio_blk.ko\n");
    assertThat(Files.readString(first.kernel())).isEqualTo("kernel 6.1.0-50-cloud-amd64");
  }

  @Test
  void whatAKilledProcessLeftIsRemoved() throws IOException {
    install("6.1.0-50-cloud-amd64");
    Path left = Files.createDirectories(home.resolve("made/.making-1"));
    Files.writeString(left.resolve("vmlinuz"), "half");

    new GuestKernel(List.of(home), home.resolve("made"), PROGRAM).files();

    try (Stream<Path> all = Files.list(home.resolve("made"))) {
      assertThat(all).hasSize(1);
    }
  }

  private void install(String release) throws IOException {
    Files.createDirectories(home.resolve("boot"));
    Files.writeString(home.resolve("boot/vmlinuz-" + release), "kernel " + release);
    Path modules = Files.createDirectories(home.resolve("lib/modules").resolve(release));
    List<String> names =
        List.of(
            "virtio_mmio",
            "virtio_blk",
            "virtio_net",
            "virtio_console",
            "virtio_balloon",
            "virtio-rng",
            "erofs",
            "overlay");
    Files.write(modules.resolve("modules.dep"), names.stream().map(name -> name + ".ko:").toList());
    Files.writeString(modules.resolve("modules.builtin"), "kernel/fs/ext4/ext4.ko\n");
    for (String name : names) {
      Files.writeString(modules.resolve(name + ".ko"), "module " + name);
    }
  }
}
