/// What runtime services and the kernel report in numbers: processor time, memory, disks and images
/// of containers, pods and services.
///
/// Start with [dev.berth.agent.usage.UsageReader]; it asks services, never the pods.
@NullMarked
package dev.berth.agent.usage;

import org.jspecify.annotations.NullMarked;
