/// Tests of images.
@NullMarked
package dev.berth.vm.images.erofs;

import org.jspecify.annotations.NullMarked;
