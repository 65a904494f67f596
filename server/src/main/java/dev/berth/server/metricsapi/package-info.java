/// `metrics.k8s.io`, which `kubectl top` asks: what nodes and pods use now.
///
/// Nothing is collected in the background: a request reads a node's `/metrics/resource`, and the
/// result is cached for some seconds. Start at {@link dev.berth.server.metricsapi.MetricsApi}.
/// Knows nothing of HTTP.
@NullMarked
package dev.berth.server.metricsapi;

import org.jspecify.annotations.NullMarked;
