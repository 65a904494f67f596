/// Rules of pods, pod templates and bindings, of updates of pods, and advice about them.
///
/// Start at {@link dev.berth.server.validation.pods.PodValidator}.
@NullMarked
package dev.berth.server.validation.pods;

import org.jspecify.annotations.NullMarked;
