package dev.berth.vm.images.layers;

/// Bounds on what a layer can make this host do.
///
/// @param layerBytes of the tar file of one layer
/// @param ratio of the tar file to its compressed form
/// @param freeBytes up to which the ratio does not matter
/// @param entries of one layer, and files of one image
/// @param indexBytes of names, link targets and extended attributes of one layer
public record LayerLimits(
    long layerBytes, int ratio, long freeBytes, int entries, long indexBytes) {
  public static final LayerLimits USUAL =
      new LayerLimits(64L << 30, 200, 256L << 20, 1_000_000, 128L << 20);
}
