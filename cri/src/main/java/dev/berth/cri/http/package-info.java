/// HTTP/1.1, WebSockets and SPDY on loopback ports and unix sockets for blocking code, with Netty's
/// codecs: the admin endpoint and the streams of containers. One request per connection. Start at
/// `HttpListener`.
@NullMarked
package dev.berth.cri.http;

import org.jspecify.annotations.NullMarked;
