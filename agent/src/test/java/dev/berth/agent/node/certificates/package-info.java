@NullMarked
package dev.berth.agent.node.certificates;

import org.jspecify.annotations.NullMarked;
