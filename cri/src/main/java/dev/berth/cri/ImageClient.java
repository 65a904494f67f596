package dev.berth.cri;

import dev.berth.cri.v1.AuthConfig;
import dev.berth.cri.v1.Image;
import dev.berth.cri.v1.ImageFilter;
import dev.berth.cri.v1.ImageFsInfoResponse;
import dev.berth.cri.v1.ImageSpec;
import dev.berth.cri.v1.ImageStatusResponse;
import dev.berth.cri.v1.PodSandboxConfig;
import java.util.List;

/// A blocking client of CRI's ImageService. The rules of `RuntimeClient` apply.
public interface ImageClient {
  /// Lists the images that match.
  List<Image> listImages(ImageFilter filter);

  /// Returns the status of an image; `image` is not set when the service does not have it.
  ImageStatusResponse imageStatus(ImageSpec image, boolean verbose);

  /// Pulls an image, without a deadline. Interrupt the thread to give up.
  ///
  /// @return the reference under which the service knows the image
  String pullImage(ImageSpec image, AuthConfig auth, PodSandboxConfig sandboxConfig);

  /// Removes an image. Removing an unknown image succeeds.
  void removeImage(ImageSpec image);

  /// Returns where images are stored and how much they use.
  ImageFsInfoResponse imageFsInfo();
}
