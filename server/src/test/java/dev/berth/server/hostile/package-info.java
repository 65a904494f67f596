/// Clients that mean no good, or behave as if: over real sockets, with their own TLS, HTTP/1.1 and
/// HTTP/2.
@NullMarked
package dev.berth.server.hostile;

import org.jspecify.annotations.NullMarked;
