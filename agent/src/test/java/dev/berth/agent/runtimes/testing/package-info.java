/// Runtime services of tests, in this process.
@NullMarked
package dev.berth.agent.runtimes.testing;

import org.jspecify.annotations.NullMarked;
