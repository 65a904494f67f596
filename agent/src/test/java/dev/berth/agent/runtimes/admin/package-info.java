@NullMarked
package dev.berth.agent.runtimes.admin;

import org.jspecify.annotations.NullMarked;
