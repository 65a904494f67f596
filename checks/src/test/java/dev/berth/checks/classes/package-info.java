/// RuntimeClass end to end: what upstream's tests ask of a cluster, and the stories of the KEPs.
@NullMarked
package dev.berth.checks.classes;

import org.jspecify.annotations.NullMarked;
