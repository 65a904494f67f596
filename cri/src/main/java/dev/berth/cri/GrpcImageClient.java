package dev.berth.cri;

import static dev.berth.cri.ImageOperations.IMAGE_FS_INFO;
import static dev.berth.cri.ImageOperations.IMAGE_STATUS;
import static dev.berth.cri.ImageOperations.LIST_IMAGES;
import static dev.berth.cri.ImageOperations.PULL_IMAGE;
import static dev.berth.cri.ImageOperations.REMOVE_IMAGE;
import static dev.berth.cri.ImageOperations.STREAM_IMAGES;

import dev.berth.cri.CriCalls.Listing;
import dev.berth.cri.v1.AuthConfig;
import dev.berth.cri.v1.Image;
import dev.berth.cri.v1.ImageFilter;
import dev.berth.cri.v1.ImageFsInfoRequest;
import dev.berth.cri.v1.ImageFsInfoResponse;
import dev.berth.cri.v1.ImageSpec;
import dev.berth.cri.v1.ImageStatusRequest;
import dev.berth.cri.v1.ImageStatusResponse;
import dev.berth.cri.v1.ListImagesRequest;
import dev.berth.cri.v1.ListImagesResponse;
import dev.berth.cri.v1.PodSandboxConfig;
import dev.berth.cri.v1.PullImageRequest;
import dev.berth.cri.v1.RemoveImageRequest;
import dev.berth.cri.v1.StreamImagesRequest;
import dev.berth.cri.v1.StreamImagesResponse;
import java.util.List;

/// Builds the requests of the ImageService. `CriCalls` makes the calls.
///
/// Calls about images have the ordinary deadline, except a pull, which has none.
final class GrpcImageClient implements ImageClient {
  private static final Listing<StreamImagesRequest, StreamImagesResponse, Image> PARTS =
      new Listing<>(STREAM_IMAGES, StreamImagesResponse::getImagesList);
  private static final Listing<ListImagesRequest, ListImagesResponse, Image> WHOLE =
      new Listing<>(LIST_IMAGES, ListImagesResponse::getImagesList);

  private final CriCalls calls;
  private final CriDeadlines deadlines;

  GrpcImageClient(CriCalls calls, CriDeadlines deadlines) {
    this.calls = calls;
    this.deadlines = deadlines;
  }

  @Override
  public List<Image> listImages(ImageFilter filter) {
    return calls.list(
        PARTS,
        StreamImagesRequest.newBuilder().setFilter(filter).build(),
        WHOLE,
        ListImagesRequest.newBuilder().setFilter(filter).build(),
        deadlines.ordinary());
  }

  @Override
  public ImageStatusResponse imageStatus(ImageSpec image, boolean verbose) {
    var request = ImageStatusRequest.newBuilder().setImage(image).setVerbose(verbose).build();
    return calls.unary(IMAGE_STATUS, request, deadlines.ordinary());
  }

  @Override
  public String pullImage(ImageSpec image, AuthConfig auth, PodSandboxConfig sandboxConfig) {
    var request =
        PullImageRequest.newBuilder()
            .setImage(image)
            .setAuth(auth)
            .setSandboxConfig(sandboxConfig)
            .build();
    // A pull takes as long as the registry and the network need; whoever waits for it interrupts
    // the thread to give up.
    return calls.unary(PULL_IMAGE, request, deadlines.unlimited()).getImageRef();
  }

  @Override
  public void removeImage(ImageSpec image) {
    calls.unary(
        REMOVE_IMAGE,
        RemoveImageRequest.newBuilder().setImage(image).build(),
        deadlines.ordinary());
  }

  @Override
  public ImageFsInfoResponse imageFsInfo() {
    return calls.unary(
        IMAGE_FS_INFO, ImageFsInfoRequest.getDefaultInstance(), deadlines.ordinary());
  }
}
