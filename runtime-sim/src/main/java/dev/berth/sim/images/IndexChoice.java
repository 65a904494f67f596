package dev.berth.sim.images;

import dev.berth.sim.images.CatalogueImage.Variant;
import dev.berth.sim.profile.Handler;
import dev.berth.sim.profile.Platform;
import dev.berth.sim.profile.WindowsVersion;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/// Which entry of an image index a handler gets: the best that fits, index order breaking ties.
final class IndexChoice {
  private static final int NONE = -1;
  private static final WindowsVersion UNVERSIONED = new WindowsVersion(0, 0, 0, 0);

  private final Platform host;
  private final Platform wanted;
  private final boolean hyperV;

  IndexChoice(Handler handler, Platform host) {
    this.host = host;
    this.wanted = handler.platform(host);
    this.hyperV = handler.isHypervisor();
  }

  Optional<Variant> choose(CatalogueImage image) {
    if (!image.isIndex()) {
      // As containerd: a manifest without an index is taken as it is and fails when it is run.
      return image.variants().stream().findFirst();
    }
    Comparator<Variant> order =
        wanted.isWindows()
            ? Comparator.comparing(IndexChoice::version, IndexChoice::newerFirst)
            : Comparator.comparingInt(variant -> rank(variant.platform()));
    return image.variants().stream().filter(this::fits).min(order);
  }

  private boolean fits(Variant variant) {
    Platform platform = variant.platform();
    if (!wanted.isWindows()) {
      return platform.os().equals(wanted.os()) && rank(platform) != NONE;
    }
    return platform.isWindows()
        && platform.architecture().equals(wanted.architecture())
        && fitsWindows(platform);
  }

  private boolean fitsWindows(Platform platform) {
    Optional<WindowsVersion> image = WindowsVersion.parse(platform.osVersion());
    Optional<WindowsVersion> guest = WindowsVersion.parse(wanted.osVersion());
    if (image.isEmpty() || guest.isEmpty()) {
      return true;
    }
    if (!hyperV) {
      return image.get().runsAsProcessOn(guest.get());
    }
    boolean guestIsNamed = !wanted.osVersion().equals(host.osVersion());
    return guestIsNamed
        ? image.get().sameBuild(guest.get())
        : image.get().runsUnderHyperVOn(guest.get());
  }

  /// The order of architectures that a Linux host can run, best first.
  private int rank(Platform platform) {
    List<String> order =
        switch (wanted.architecture()) {
          case "amd64" -> List.of("amd64", "amd64/v1", "386");
          case "arm64" -> List.of("arm64", "arm64/v8", "arm/v8", "arm/v7", "arm/v6", "arm/v5");
          case "arm" -> List.of("arm/v7", "arm", "arm/v6", "arm/v5");
          default -> List.of(wanted.architecture());
        };
    String variant = platform.variant().isEmpty() ? "" : "/" + platform.variant();
    return order.indexOf(platform.architecture() + variant);
  }

  private static WindowsVersion version(Variant variant) {
    return WindowsVersion.parse(variant.platform().osVersion()).orElse(UNVERSIONED);
  }

  private static int newerFirst(WindowsVersion one, WindowsVersion other) {
    int builds = Integer.compare(other.build(), one.build());
    return builds != 0 ? builds : Integer.compare(other.revision(), one.revision());
  }
}
