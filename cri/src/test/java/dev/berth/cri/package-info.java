/// Clients and servers of runtime services against small fakes.
@NullMarked
package dev.berth.cri;

import org.jspecify.annotations.NullMarked;
