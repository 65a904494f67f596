package dev.berth.vm.kernel;

import dev.berth.api.Problem;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// A kernel with its modules.
///
/// @param release such as `6.1.0-50-cloud-amd64`
/// @param image the file `vmlinuz-RELEASE`
/// @param modules the directory `lib/modules/RELEASE`
record KernelInstallation(String release, Path image, Path modules) {
  private static final Pattern NUMBER = Pattern.compile("\\d+");

  /// The newest kernel of the first root directory that has a usable one.
  ///
  /// @param roots directories with `boot` and `lib/modules`, such as `/`
  static KernelInstallation find(List<Path> roots) {
    List<String> incomplete = new ArrayList<>();
    for (Path root : roots) {
      Optional<KernelInstallation> newest =
          in(root, incomplete).stream().max(Comparator.comparing(KernelInstallation::order));
      if (newest.isPresent()) {
        return newest.get();
      }
    }
    String found = incomplete.isEmpty() ? "" : "; unusable: " + String.join(", ", incomplete);
    throw new KernelException(
        new Problem(
            "no kernel for virtual machines",
            "no readable boot/vmlinuz-* with lib/modules in %s%s".formatted(roots, found),
            "Unpack the Debian package linux-image-cloud-amd64 into %s with `dpkg-deb -x`, and run"
                    .formatted(roots.getFirst())
                + " `depmod -b` on it; it need not be installed"),
        null);
  }

  private static List<KernelInstallation> in(Path root, List<String> incomplete) {
    List<KernelInstallation> kernels = new ArrayList<>();
    Path boot = root.resolve("boot");
    if (!Files.isDirectory(boot)) {
      return kernels;
    }
    try (DirectoryStream<Path> images = Files.newDirectoryStream(boot, "vmlinuz-*")) {
      for (Path image : images) {
        String release = image.getFileName().toString().substring("vmlinuz-".length());
        Path modules = root.resolve("lib/modules").resolve(release);
        if (!Files.isReadable(image)) {
          incomplete.add(image + " (not readable)");
        } else if (!Files.isReadable(modules.resolve("modules.dep"))) {
          incomplete.add(image + " (no " + modules.resolve("modules.dep") + ")");
        } else {
          kernels.add(new KernelInstallation(release, image, modules));
        }
      }
    } catch (IOException failure) {
      incomplete.add(boot + " (" + failure + ")");
    }
    return kernels;
  }

  /// Kernels made for virtual machines first, then by the numbers of the release.
  private String order() {
    StringBuilder order = new StringBuilder(release.contains("cloud") ? "1" : "0");
    Matcher number = NUMBER.matcher(release);
    while (number.find()) {
      order.append('.').append("0".repeat(Math.max(0, 9 - number.group().length())));
      order.append(number.group());
    }
    return order.toString();
  }
}
