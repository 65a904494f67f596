/// HTTP to registries within bounds: deadlines, sizes, redirects, retries, the token flow, proxies
/// and certificate authorities. Start at `RegistryTransport`.
@NullMarked
package dev.berth.registry.transport;

import org.jspecify.annotations.NullMarked;
