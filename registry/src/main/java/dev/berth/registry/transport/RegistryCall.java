package dev.berth.registry.transport;

import dev.berth.registry.credentials.RegistryCredentials;

/// One thing to get from a repository.
///
/// @param registry as references name it
/// @param repository without the registry, such as `library/nginx`
/// @param path behind the repository, such as `manifests/latest`
/// @param accept media types
public record RegistryCall(
    RegistryEndpoint endpoint,
    String registry,
    String repository,
    String path,
    String accept,
    RegistryCredentials credentials,
    TimeBudget budget) {}
