package dev.berth.agent.volumes;

import java.nio.file.Path;

/// Where a volume lies that ends with its pod.
///
/// @param onDisk whether it takes of the node's disk, not of memory
public record VolumeLocation(String name, Path directory, boolean onDisk) {}
