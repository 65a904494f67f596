package dev.berth.agent.node.usage;

import dev.berth.agent.volumes.DiskUse;

/// What one container uses.
///
/// @param service the runtime service that told
/// @param layer what it wrote beside its volumes
public record ContainerUse(
    String service,
    String namespace,
    String pod,
    String podUid,
    String container,
    Use use,
    DiskUse layer) {}
