/// Rules of containers: names, images, ports, variables, mounts and probes.
///
/// Start at {@link dev.berth.server.validation.containers.ContainerRules}.
@NullMarked
package dev.berth.server.validation.containers;

import org.jspecify.annotations.NullMarked;
