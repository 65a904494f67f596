package dev.berth.vm.images;

import dev.berth.registry.ImageRequest;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/// The images of this host's guests. Methods may be called from any thread; several pulls of the
/// same content share the work. Everything is on disk and complete, or not there at all.
public interface VmImages {
  /// Pulls the entry of an image for a platform of the guests, converts the layers that are
  /// missing, and returns the image under its new name.
  ///
  /// @throws ImageException what is half-done is removed; layers that are complete stay for ten
  ///   minutes, for the next attempt, unless the disk is full
  StoredImage pull(ImageRequest request);

  /// Takes the images of an archive: an OCI layout or what `docker save` writes, as a tar file.
  ///
  /// @throws ImageException and nothing of the archive stays
  List<StoredImage> load(Path archive);

  /// Finds an image by reference, by id, by a unique prefix of its id, or by `name@digest`.
  Optional<StoredImage> find(String name);

  List<StoredImage> list();

  /// Removes a name of an image; the last name, or an id, removes the image. Layers that no image
  /// has go with it; machines keep what they use. Does nothing where nothing is.
  void remove(String name);

  ImageStoreUsage usage();

  /// The files whose contents, one behind the other, are the disk of an image. All stay until the
  /// image is removed; hard links to them stay valid afterwards.
  ///
  /// @throws ImageException if there is no such image
  List<Path> extents(String imageId);
}
