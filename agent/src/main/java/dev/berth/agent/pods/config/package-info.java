/// Turns a pod's specification into the configurations that runtime services are called with; pure,
/// apart from what pods refer to (ConfigMaps, Secrets).
///
/// Start with [dev.berth.agent.pods.config.SandboxConfigs] and
/// [dev.berth.agent.pods.config.ContainerConfigs]. What is special to an operating system is behind
/// [dev.berth.agent.pods.config.PlatformConfig].
@NullMarked
package dev.berth.agent.pods.config;

import org.jspecify.annotations.NullMarked;
