package dev.berth.registry.configuration;

import dev.berth.registry.RegistrySettings;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/// How registries are reached, and the files that say so, for programs that read them themselves.
///
/// @param authority PEM file with authorities that all registries have in common; null for none
/// @param hosts directory in the layout of containerd's `certs.d`; null for none
public record RegistryAccess(
    RegistrySettings settings, @Nullable Path authority, @Nullable Path hosts) {
  /// No mirrors, no proxy, the authorities of the JDK.
  public static final RegistryAccess USUAL = new RegistryAccess(RegistrySettings.USUAL, null, null);
}
