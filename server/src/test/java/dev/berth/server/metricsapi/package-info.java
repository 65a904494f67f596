/// Tests of what nodes and pods use.
@org.jspecify.annotations.NullMarked
package dev.berth.server.metricsapi;
