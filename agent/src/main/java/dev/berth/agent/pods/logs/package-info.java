/// Log files of containers: their rotation, their links and where they are.
///
/// Start with [dev.berth.agent.pods.logs.ContainerLookup], which finds containers for logs and
/// streams, and [dev.berth.agent.pods.logs.LogRotation].
@NullMarked
package dev.berth.agent.pods.logs;

import org.jspecify.annotations.NullMarked;
