package dev.berth.vm.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

final class ModuleOrderTest {
  private final ModuleOrder order =
      new ModuleOrder(
          List.of(
              "kernel/net.ko.xz: kernel/ring.ko.xz kernel/core.ko.xz",
              "kernel/ring.ko.xz: kernel/core.ko.xz",
              "kernel/core.ko.xz:",
              "kernel/hw/virtio-rng.ko: kernel/core.ko.xz"),
          List.of("kernel/fs/ext4/ext4.ko"));

  @Test
  void aModuleComesAfterWhatItNeeds() {
    assertThat(order.load(List.of("net", "virtio_rng", "ext4")))
        .containsExactly(
            "kernel/core.ko.xz",
            "kernel/ring.ko.xz",
            "kernel/net.ko.xz",
            "kernel/hw/virtio-rng.ko");
  }

  @Test
  void aModuleInsideTheKernelIsNotMissing() {
    assertThat(order.missing(List.of("net", "ext4", "erofs"))).containsExactly("erofs");
  }

  @Test
  void modulesThatNeedEachOtherComeToAnEnd() {
    ModuleOrder circle = new ModuleOrder(List.of("a.ko: b.ko", "b.ko: a.ko"), List.of());

    assertThat(circle.load(List.of("a"))).containsExactlyInAnyOrder("a.ko", "b.ko");
  }
}
