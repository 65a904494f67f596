/// The tour of `berth demo`. Start reading at {@link dev.berth.launch.demo.DemoTour}.
@NullMarked
package dev.berth.launch.demo;

import org.jspecify.annotations.NullMarked;
