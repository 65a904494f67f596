/// Saved machines, from which the machines of pods are cloned.
///
/// Start with `TemplateStore`.
@NullMarked
package dev.berth.vm.template;

import org.jspecify.annotations.NullMarked;
