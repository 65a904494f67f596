/// Tests.
@NullMarked
package dev.berth.store.embedded;

import org.jspecify.annotations.NullMarked;
