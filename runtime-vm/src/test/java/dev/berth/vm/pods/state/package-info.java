/// Tests.
@org.jspecify.annotations.NullMarked
package dev.berth.vm.pods.state;
