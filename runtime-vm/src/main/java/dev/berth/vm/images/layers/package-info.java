/// What layers contain, and the tree that they make together.
///
/// `LayerConverter` turns the tar file of a layer into its data, in blocks, and its index.
/// `FileTree` applies the indexes of an image's layers by the rules of OCI. Nothing here touches
/// the host's file system by a name that a layer chose. May use `tar`.
@NullMarked
package dev.berth.vm.images.layers;

import org.jspecify.annotations.NullMarked;
