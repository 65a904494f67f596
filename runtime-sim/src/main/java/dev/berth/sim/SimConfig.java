package dev.berth.sim;

import dev.berth.cri.CriEndpoint;
import dev.berth.sim.images.ImageCatalog;
import dev.berth.sim.profile.SimProfile;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/// The configuration of one simulated runtime service.
///
/// @param name appears in logs and in answers of the admin endpoint
/// @param podRanges one or two address ranges for pods; a pod gets one address of each
/// @param mountpoint the file system that `ImageFsInfo` names; an existing directory lets agents
///   measure the disk
/// @param admin the unix socket of the admin endpoint, if there is one
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

  /// A service in which every image exists and no fault rule is set.
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

  /// The file system of a profile that names none.
  public static String mountpoint(SimProfile profile) {
    return profile.platform().isWindows() ? "C:\\ProgramData\\sim" : "/";
  }

  public SimConfig with(SimProfile other) {
    return new SimConfig(name, endpoint, other, catalog, podRanges, mountpoint, knobs, admin);
  }

  public SimConfig with(ImageCatalog other) {
    return new SimConfig(name, endpoint, profile, other, podRanges, mountpoint, knobs, admin);
  }

  public SimConfig with(InitialKnobs other) {
    return new SimConfig(name, endpoint, profile, catalog, podRanges, mountpoint, other, admin);
  }
}
