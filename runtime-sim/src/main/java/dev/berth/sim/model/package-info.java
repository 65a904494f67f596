/// Pods and containers in memory: the effect of each call, without gRPC. Start at `SimMachine`;
/// `SandboxLifecycle` and `ContainerLifecycle` hold the life cycles.
@NullMarked
package dev.berth.sim.model;

import org.jspecify.annotations.NullMarked;
