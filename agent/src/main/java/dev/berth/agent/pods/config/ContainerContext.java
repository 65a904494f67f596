package dev.berth.agent.pods.config;

import dev.berth.agent.images.ImageDescription;
import dev.berth.agent.runtimes.registration.ServiceHandler;
import io.fabric8.kubernetes.api.model.Container;
import org.jspecify.annotations.Nullable;

/// A container that is about to be made, and what it depends on.
///
/// @param targetId the container whose processes it sees; null for its own or its pod's
/// @param image what is known of its image
/// @param handler with which its pod's sandbox was made
public record ContainerContext(
    Container container,
    @Nullable String targetId,
    ImageDescription image,
    ServiceHandler handler) {}
