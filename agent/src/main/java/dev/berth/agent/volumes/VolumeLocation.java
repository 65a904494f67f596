package dev.berth.agent.volumes;

import java.nio.file.Path;

/// The directory of a volume that ends with its pod.
///
/// @param onDisk whether it occupies the node's disk, not memory
public record VolumeLocation(String name, Path directory, boolean onDisk) {}
