package dev.berth.agent.pods.config;

import dev.berth.agent.images.ImageDescription;
import dev.berth.agent.runtimes.registration.ServiceHandler;
import io.fabric8.kubernetes.api.model.Container;
import org.jspecify.annotations.Nullable;

/// A container to be created, with what its configuration depends on.
///
/// @param targetId the container whose processes it sees; null for its own or its pod's
/// @param image its image
/// @param handler the handler of its pod's sandbox
public record ContainerContext(
    Container container,
    @Nullable String targetId,
    ImageDescription image,
    ServiceHandler handler) {}
