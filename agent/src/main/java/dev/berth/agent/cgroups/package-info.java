/// Control groups of the kernel, in both of its versions and made by the agent or by systemd: the
/// levels of pods' quality of service, and one group for each pod.
///
/// Start with [dev.berth.agent.cgroups.PodCgroups].
@NullMarked
package dev.berth.agent.cgroups;

import org.jspecify.annotations.NullMarked;
