/// Images of pods: makes sure they are there, with which credentials, how many at a time, and takes
/// those away that nobody uses when the disk gets full.
///
/// Start with [dev.berth.agent.images.ImagePuller].
@NullMarked
package dev.berth.agent.images;

import org.jspecify.annotations.NullMarked;
