/// SPDY/3.1 frames, which runtimes use at the URLs of `Exec`, `Attach` and `PortForward`.
@NullMarked
package dev.berth.cri.streaming;

import org.jspecify.annotations.NullMarked;
