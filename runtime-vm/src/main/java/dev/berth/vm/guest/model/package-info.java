/// What the guest program is asked for and what it reports, as values.
@NullMarked
package dev.berth.vm.guest.model;

import org.jspecify.annotations.NullMarked;
