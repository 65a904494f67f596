/// Requests that a node or a pod answers: logs, exec, attach, port-forward and proxy.
///
/// Start at {@link dev.berth.server.http.nodeproxy.PodStreams}.
@NullMarked
package dev.berth.server.http.nodeproxy;

import org.jspecify.annotations.NullMarked;
