/// What a runtime service does, as tests that run against real containerd and against the
/// simulator.
///
/// An interface holds the tests of one sort of calls, and each runtime is a class that implements
/// them all: `ContainerdContractIT`, `SimulatorContractIT`. Start reading at {@link
/// dev.berth.checks.contract.SandboxContract}.
@NullMarked
package dev.berth.checks.contract;

import org.jspecify.annotations.NullMarked;
