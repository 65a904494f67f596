package dev.berth.sim.images;

import dev.berth.registry.transport.RegistryEndpoint;

/// A real registry, whose images are looked up there.
///
/// @param host as references name it, such as `docker.io` or `registry.example.com:5000`
/// @param endpoint where it answers, with the credentials of pulls that bring none
public record RegistryHost(String host, RegistryEndpoint endpoint) {}
