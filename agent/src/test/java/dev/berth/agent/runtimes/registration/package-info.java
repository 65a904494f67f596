@NullMarked
package dev.berth.agent.runtimes.registration;

import org.jspecify.annotations.NullMarked;
