/// Tests of the event recorder.
@NullMarked
package dev.berth.client.events;

import org.jspecify.annotations.NullMarked;
