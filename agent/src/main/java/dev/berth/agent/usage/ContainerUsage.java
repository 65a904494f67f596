package dev.berth.agent.usage;

import dev.berth.agent.files.DiskUsage;
import java.time.Instant;

/// The usage of one container.
///
/// @param service the runtime service that reported it
/// @param layer its writable layer
/// @param madeAt its creation; the epoch where unknown
/// @param nanoCores its current CPU usage; 0 where the service does not report it
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
