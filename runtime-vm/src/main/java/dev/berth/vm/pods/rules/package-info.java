/// What a guest gets from the configuration of a pod, and what is refused: pure decisions.
///
/// Start with `SandboxRules` and `ContainerRules`.
@NullMarked
package dev.berth.vm.pods.rules;

import org.jspecify.annotations.NullMarked;
