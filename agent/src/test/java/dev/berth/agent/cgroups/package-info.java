/// Tests of control groups.
@org.jspecify.annotations.NullMarked
package dev.berth.agent.cgroups;
