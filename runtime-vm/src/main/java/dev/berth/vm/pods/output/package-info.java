/// The output of containers: into log files in CRI's format, to clients that are attached, and how
/// much of it is safe.
///
/// Start with `ContainerOutput`.
@NullMarked
package dev.berth.vm.pods.output;

import org.jspecify.annotations.NullMarked;
