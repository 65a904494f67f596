/// Credentials of registries: what they are, and which of a Docker configuration is for which
/// image. Start at `DockerConfig`.
@NullMarked
package dev.berth.registry.credentials;

import org.jspecify.annotations.NullMarked;
