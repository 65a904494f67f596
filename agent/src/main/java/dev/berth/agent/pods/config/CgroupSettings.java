package dev.berth.agent.pods.config;

/// Where pods' control groups are.
///
/// @param parent of all pods, such as `/kubepods`; empty leaves the choice to the runtime service
/// @param systemd whether names are those of systemd's slices
public record CgroupSettings(String parent, boolean systemd) {
  public static final CgroupSettings BY_THE_RUNTIME = new CgroupSettings("", false);
}
