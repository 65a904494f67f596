package dev.berth.sim;

import dev.berth.cri.CriEndpoint;
import dev.berth.sim.images.ImageCatalog;
import dev.berth.sim.profile.SimProfile;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/// One simulated runtime service.
///
/// @param name for logs and the admin's answers
/// @param podRanges one or two ranges of addresses for pods
/// @param mountpoint where images would be; an existing directory lets agents measure the disk
/// @param admin the unix socket at which knobs are turned, if any
public record SimConfig(
    String name,
    CriEndpoint endpoint,
    SimProfile profile,
    ImageCatalog catalog,
    List<String> podRanges,
    String mountpoint,
    InitialKnobs knobs,
    Optional<Path> admin) {
  public static final List<String> POD_RANGES = List.of("10.88.0.0/16");

  public SimConfig {
    podRanges = List.copyOf(podRanges);
  }

  /// A service in which every image exists and nothing goes wrong.
  public static SimConfig of(String name, CriEndpoint endpoint, SimProfile profile) {
    return new SimConfig(
        name,
        endpoint,
        profile,
        ImageCatalog.ofAnything(),
        POD_RANGES,
        mountpoint(profile),
        InitialKnobs.NONE,
        Optional.empty());
  }

  public static String mountpoint(SimProfile profile) {
    return profile.platform().isWindows() ? "C:\\ProgramData\\sim" : "/";
  }

  public SimConfig with(ImageCatalog other) {
    return new SimConfig(name, endpoint, profile, other, podRanges, mountpoint, knobs, admin);
  }

  public SimConfig with(InitialKnobs other) {
    return new SimConfig(name, endpoint, profile, catalog, podRanges, mountpoint, other, admin);
  }

  public SimConfig withAdmin(Path socket) {
    return new SimConfig(
        name, endpoint, profile, catalog, podRanges, mountpoint, knobs, Optional.of(socket));
  }
}
