/// Tests.
@NullMarked
package dev.berth.store.memory;

import org.jspecify.annotations.NullMarked;
