/// Tests of the life of pods, with simulated runtime services and an API server in memory.
@org.jspecify.annotations.NullMarked
package dev.berth.agent.pods;
