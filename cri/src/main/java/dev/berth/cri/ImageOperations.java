package dev.berth.cri;

import dev.berth.cri.v1.ImageFsInfoRequest;
import dev.berth.cri.v1.ImageFsInfoResponse;
import dev.berth.cri.v1.ImageServiceGrpc;
import dev.berth.cri.v1.ImageStatusRequest;
import dev.berth.cri.v1.ImageStatusResponse;
import dev.berth.cri.v1.ListImagesRequest;
import dev.berth.cri.v1.ListImagesResponse;
import dev.berth.cri.v1.PullImageRequest;
import dev.berth.cri.v1.PullImageResponse;
import dev.berth.cri.v1.RemoveImageRequest;
import dev.berth.cri.v1.RemoveImageResponse;
import dev.berth.cri.v1.StreamImagesRequest;
import dev.berth.cri.v1.StreamImagesResponse;

/// The methods of CRI's ImageService.
final class ImageOperations {
  static final CriOperation<ListImagesRequest, ListImagesResponse> LIST_IMAGES =
      CriOperation.of("list_images", ImageServiceGrpc.getListImagesMethod()).alsoInV1alpha2();

  /// Exists since Kubernetes 1.36; older services answer UNIMPLEMENTED.
  static final CriOperation<StreamImagesRequest, StreamImagesResponse> STREAM_IMAGES =
      CriOperation.of("list_images", ImageServiceGrpc.getStreamImagesMethod());

  static final CriOperation<ImageStatusRequest, ImageStatusResponse> IMAGE_STATUS =
      CriOperation.of("image_status", ImageServiceGrpc.getImageStatusMethod()).alsoInV1alpha2();
  static final CriOperation<PullImageRequest, PullImageResponse> PULL_IMAGE =
      CriOperation.of("pull_image", ImageServiceGrpc.getPullImageMethod())
          .alsoInV1alpha2()
          .refusing(reply -> ReplyCheck.unless(reply.getImageRef(), "image_ref"));
  static final CriOperation<RemoveImageRequest, RemoveImageResponse> REMOVE_IMAGE =
      CriOperation.of("remove_image", ImageServiceGrpc.getRemoveImageMethod())
          .alsoInV1alpha2()
          .doneWhenAbsent(RemoveImageResponse.getDefaultInstance());
  static final CriOperation<ImageFsInfoRequest, ImageFsInfoResponse> IMAGE_FS_INFO =
      CriOperation.of("image_fs_info", ImageServiceGrpc.getImageFsInfoMethod()).alsoInV1alpha2();

  private ImageOperations() {}
}
