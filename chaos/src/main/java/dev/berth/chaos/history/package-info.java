/// Records of acknowledged writes and observations, and the rules that they must obey.
@NullMarked
package dev.berth.chaos.history;

import org.jspecify.annotations.NullMarked;
