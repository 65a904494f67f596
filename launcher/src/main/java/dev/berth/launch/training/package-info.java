/// A short run of everything, from which the JVM records its start-up cache (JEP 514).
///
/// Start reading at {@link dev.berth.launch.training.AotTraining}.
@NullMarked
package dev.berth.launch.training;

import org.jspecify.annotations.NullMarked;
