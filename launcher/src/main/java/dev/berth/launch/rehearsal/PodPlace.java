package dev.berth.launch.rehearsal;

/// The place of a running pod: node, handler and image entry.
///
/// @param runtimeClass empty for none
/// @param system the node's system under its product name: `Windows Server 2019 (10.0.17763)`
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
