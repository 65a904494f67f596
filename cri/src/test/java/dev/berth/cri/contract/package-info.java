/// That the compiled contract is the published one.
@NullMarked
package dev.berth.cri.contract;

import org.jspecify.annotations.NullMarked;
