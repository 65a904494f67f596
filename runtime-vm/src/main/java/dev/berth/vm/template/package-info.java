/// Saved machines, from which the machines of pods are cloned.
///
/// Start with `TemplateStore`, which is made from `TemplateSettings`, the `QemuLauncher` of the
/// machines, the files that guests boot (`GuestKernel::files`), an `AcceleratorProbe`, a
/// `GuestProbe.agent()` and a clock.
@NullMarked
package dev.berth.vm.template;

import org.jspecify.annotations.NullMarked;
