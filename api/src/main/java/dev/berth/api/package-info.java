/// The vocabulary that every module shares: problems, quantities, selectors, label rules, taints.
@NullMarked
package dev.berth.api;

import org.jspecify.annotations.NullMarked;
