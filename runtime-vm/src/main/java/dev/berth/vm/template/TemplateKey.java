package dev.berth.vm.template;

import dev.berth.vm.kernel.GuestFiles;
import dev.berth.vm.machine.Accelerator;
import dev.berth.vm.machine.MachineSize;
import dev.berth.vm.machine.QemuLauncher;
import dev.berth.vm.machine.QemuPlan;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;

/// What must be the same for a saved machine to be restored: the guest, the QEMU binary, and all of
/// QEMU's command line that does not belong to one pod.
final class TemplateKey {
  private TemplateKey() {}

  static String of(
      QemuLauncher launcher, MachineSize size, GuestFiles guest, Accelerator accelerator)
      throws IOException {
    Path nowhere = Path.of("/nowhere");
    QemuPlan form =
        new QemuPlan(
            "",
            nowhere,
            1,
            size,
            accelerator,
            new GuestFiles(nowhere, nowhere, ""),
            new QemuPlan.GuestMemory.Mapped(nowhere, true),
            new QemuPlan.ScratchDisk.Overlay("", nowhere),
            Optional.of(nowhere),
            Optional.empty(),
            List.of());
    String text =
        String.join("\n", launcher.command(form)) + "\n" + launcher.identity() + guest.identity();
    try {
      byte[] digest =
          MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
      return HexFormat.of().formatHex(digest, 0, 8);
    } catch (NoSuchAlgorithmException impossible) {
      throw new IllegalStateException(impossible);
    }
  }
}
