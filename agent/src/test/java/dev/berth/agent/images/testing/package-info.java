/// Helpers of tests with images.
@org.jspecify.annotations.NullMarked
package dev.berth.agent.images.testing;
