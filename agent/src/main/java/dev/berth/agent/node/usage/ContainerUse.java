package dev.berth.agent.node.usage;

/// What one container uses.
///
/// @param service the runtime service that told
record ContainerUse(
    String service, String namespace, String pod, String podUid, String container, Use use) {}
