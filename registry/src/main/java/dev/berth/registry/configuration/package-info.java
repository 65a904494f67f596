/// What administrators write about registries: directories in the layout of containerd's `certs.d`.
/// Start at `RegistryHosts`.
@NullMarked
package dev.berth.registry.configuration;

import org.jspecify.annotations.NullMarked;
