/// Pods from a real API server to real containerd and back.
@org.jspecify.annotations.NullMarked
package dev.berth.checks.pods;
