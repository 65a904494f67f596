/// Frames of SPDY/3.1, which runtimes speak on the URLs that Exec, Attach and PortForward answer.
@NullMarked
package dev.berth.cri.streaming;

import org.jspecify.annotations.NullMarked;
