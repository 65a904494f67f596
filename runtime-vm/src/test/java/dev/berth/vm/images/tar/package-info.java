/// Tests of images.
@NullMarked
package dev.berth.vm.images.tar;

import org.jspecify.annotations.NullMarked;
