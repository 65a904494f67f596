/// Tests of images.
@NullMarked
package dev.berth.vm.images.layers;

import org.jspecify.annotations.NullMarked;
