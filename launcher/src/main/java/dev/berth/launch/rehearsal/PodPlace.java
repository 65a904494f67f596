package dev.berth.launch.rehearsal;

/// Where a pod runs, and what.
///
/// @param runtimeClass empty for none
/// @param system of the node, as people name it: `Windows Server 2019 (10.0.17763)`
/// @param isolation `process` or `hyperv`; empty on Linux
/// @param entry platform of the entry of the image's index
public record PodPlace(
    String pod,
    String runtimeClass,
    String node,
    String system,
    String handler,
    String isolation,
    String image,
    String entry) {}
