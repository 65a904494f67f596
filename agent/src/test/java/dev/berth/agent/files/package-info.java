/// Tests of files that somebody else changes meanwhile.
@NullMarked
package dev.berth.agent.files;

import org.jspecify.annotations.NullMarked;
