/// The gRPC services of the simulator. They hand each call to the model, after the fault rules.
/// Start at `SimRuntimeService`.
@NullMarked
package dev.berth.sim.service;

import org.jspecify.annotations.NullMarked;
