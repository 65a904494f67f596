@NullMarked
package dev.berth.agent.pods.references;

import org.jspecify.annotations.NullMarked;
