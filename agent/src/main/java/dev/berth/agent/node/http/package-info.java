/// The node's HTTPS server, with the paths and rules of the kubelet's.
///
/// Start with [dev.berth.agent.node.http.NodeServer]; `NodeHandler` is the way of every request:
/// who is it, may they, what do they get.
@NullMarked
package dev.berth.agent.node.http;

import org.jspecify.annotations.NullMarked;
