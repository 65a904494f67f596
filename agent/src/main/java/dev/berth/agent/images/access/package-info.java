/// Who may use an image that is present: the record of pulls with their credentials, and the rules
/// that compare a pod's secrets with it (upstream's KubeletEnsureSecretPulledImages). Uses nothing
/// of its neighbors. Start at `PullRecords`.
@NullMarked
package dev.berth.agent.images.access;

import org.jspecify.annotations.NullMarked;
