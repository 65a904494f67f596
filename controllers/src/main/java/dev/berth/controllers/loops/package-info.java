/// What every loop is built with: the client, time, and how to make queues and informers.
@NullMarked
package dev.berth.controllers.loops;

import org.jspecify.annotations.NullMarked;
