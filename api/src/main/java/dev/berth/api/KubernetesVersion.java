package dev.berth.api;

/// The level of Kubernetes' API that server and agents have; clients choose their behavior by it.
public final class KubernetesVersion {
  public static final String MAJOR = "1";
  public static final String MINOR = "32";

  /// The version that `/version` and Node objects report. The part after the plus sign is Berth's
  /// own version, which clients ignore: they compare the part before it.
  public static final String GIT_VERSION = "v" + MAJOR + "." + MINOR + ".0+berth-0.1.0";

  private KubernetesVersion() {}

  /// The user agent of a component, such as `kube-probe/1.32`, for requests to the programs of
  /// users.
  public static String userAgent(String component) {
    return component + "/" + MAJOR + "." + MINOR;
  }
}
