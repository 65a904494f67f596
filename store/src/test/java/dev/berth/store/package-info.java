/// What every store must do, whatever its journal.
@NullMarked
package dev.berth.store;

import org.jspecify.annotations.NullMarked;
