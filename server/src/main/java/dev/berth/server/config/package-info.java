/// Reading of configuration files in upstream's form ([ConfigNode]), with every mistake at once.
@NullMarked
package dev.berth.server.config;

import org.jspecify.annotations.NullMarked;
