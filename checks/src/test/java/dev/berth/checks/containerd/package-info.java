/// Real containerd for tests: processes of Debian's packages, each with its own root, state,
/// socket, network and images. Start reading at {@link
/// dev.berth.checks.containerd.ContainerdProcess}.
@NullMarked
package dev.berth.checks.containerd;

import org.jspecify.annotations.NullMarked;
