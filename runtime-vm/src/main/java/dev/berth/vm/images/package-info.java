/// Images for guests: layers are converted once and shared by all machines; an image is a small
/// EROFS file system whose contents lie in the data of its layers.
///
/// Start with `VmImages`; `VmImageStores` opens one in a directory. Rooms, lower ones first: `tar`
/// (reads archives of strangers), `layers` (contents of layers and the tree that they make),
/// `erofs` (writes the file system), the package itself (store, pulls, archives).
///
/// On disk: `layers/DIGEST` (data and index of a layer), `metadata/ID` (file system of an image),
/// `catalog.json` (names; what it does not name is not there), `work` (what is not complete).
@NullMarked
package dev.berth.vm.images;

import org.jspecify.annotations.NullMarked;
