package dev.berth.cri;

import dev.berth.cri.v1.AuthConfig;
import dev.berth.cri.v1.Image;
import dev.berth.cri.v1.ImageFilter;
import dev.berth.cri.v1.ImageFsInfoResponse;
import dev.berth.cri.v1.ImageSpec;
import dev.berth.cri.v1.ImageStatusResponse;
import dev.berth.cri.v1.PodSandboxConfig;
import java.util.List;

/// CRI's ImageService, called and waited for; under the rules of `RuntimeClient`.
public interface ImageClient {
  List<Image> listImages(ImageFilter filter);

  /// `image` is not set in the answer when the service does not have it.
  ImageStatusResponse imageStatus(ImageSpec image, boolean verbose);

  /// Takes as long as it takes; interrupt the thread to give up.
  ///
  /// @return the reference under which the service knows the image
  String pullImage(ImageSpec image, AuthConfig auth, PodSandboxConfig sandboxConfig);

  void removeImage(ImageSpec image);

  ImageFsInfoResponse imageFsInfo();
}
