/// HTTP/1.1, WebSockets and SPDY on loopback ports and unix sockets, as small as the simulator
/// needs: the admin's knobs and the streams of containers. One request per connection.
@NullMarked
package dev.berth.sim.http;

import org.jspecify.annotations.NullMarked;
