@NullMarked
package dev.berth.agent.node.http;

import org.jspecify.annotations.NullMarked;
