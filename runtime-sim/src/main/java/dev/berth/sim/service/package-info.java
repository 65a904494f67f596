/// The gRPC services of the simulator: each call of the contract, handed to the model, with the
/// faults in front. Start at `SimRuntimeService`.
@NullMarked
package dev.berth.sim.service;

import org.jspecify.annotations.NullMarked;
