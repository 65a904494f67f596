@NullMarked
package dev.berth.agent.pods.staticpods;

import org.jspecify.annotations.NullMarked;
