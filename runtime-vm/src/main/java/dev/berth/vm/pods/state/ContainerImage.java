package dev.berth.vm.pods.state;

/// The image of a container.
///
/// @param id digest of its configuration
/// @param name its first tag, else its id
/// @param reference its first digest, else its id
public record ContainerImage(String id, String name, String reference) {}
