/// The status of a pod in the API, as kubectl expects it, written once per change.
///
/// Start with [dev.berth.agent.pods.status.StatusRules], which is pure, and
/// [dev.berth.agent.pods.status.StatusWriter], which writes.
@NullMarked
package dev.berth.agent.pods.status;

import org.jspecify.annotations.NullMarked;
