/// `metrics.k8s.io`, which `kubectl top` asks: what nodes and pods use now.
///
/// Nothing is collected in the background: a node is asked for its `/metrics/resource` when
/// somebody wants to know, and the answer is good for some seconds. Start at {@link
/// dev.berth.server.metricsapi.MetricsApi}. Nothing here knows of HTTP.
@NullMarked
package dev.berth.server.metricsapi;

import org.jspecify.annotations.NullMarked;
