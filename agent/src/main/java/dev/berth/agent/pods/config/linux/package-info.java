/// The parts of configurations that are special to Linux: control groups, users, capabilities and
/// security profiles.
///
/// Start with [dev.berth.agent.pods.config.linux.LinuxPlatform].
@NullMarked
package dev.berth.agent.pods.config.linux;

import org.jspecify.annotations.NullMarked;
