package dev.berth.agent.usage;

import dev.berth.agent.files.DiskUsage;
import java.time.Instant;

/// What one container uses.
///
/// @param service the runtime service that told
/// @param layer what it wrote beside its volumes
/// @param madeAt when the service made it; the epoch where that is not known
/// @param nanoCores how much of the processors it uses now; 0 where the service does not say
public record ContainerUsage(
    String service,
    String namespace,
    String pod,
    String podUid,
    String container,
    ResourceUsage use,
    DiskUsage layer,
    Instant madeAt,
    long nanoCores) {}
