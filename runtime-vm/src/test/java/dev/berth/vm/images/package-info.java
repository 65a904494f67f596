/// Tests of images.
@NullMarked
package dev.berth.vm.images;

import org.jspecify.annotations.NullMarked;
