package dev.berth.sim.service;

import dev.berth.cri.serving.CallRefusal;
import dev.berth.cri.serving.GrpcAnswers;
import dev.berth.cri.v1.AuthConfig;
import dev.berth.cri.v1.FilesystemIdentifier;
import dev.berth.cri.v1.FilesystemUsage;
import dev.berth.cri.v1.Image;
import dev.berth.cri.v1.ImageFilter;
import dev.berth.cri.v1.ImageFsInfoRequest;
import dev.berth.cri.v1.ImageFsInfoResponse;
import dev.berth.cri.v1.ImageServiceGrpc.ImageServiceImplBase;
import dev.berth.cri.v1.ImageSpec;
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
import dev.berth.cri.v1.UInt64Value;
import dev.berth.sim.images.ImageStore;
import dev.berth.sim.images.ImageStore.RequestedImage;
import dev.berth.sim.images.PulledImage;
import dev.berth.sim.knobs.ServiceKnobs;
import dev.berth.sim.model.SimMachine;
import dev.berth.sim.profile.ContractCompatibility;
import dev.berth.sim.profile.SimHandler;
import io.grpc.stub.StreamObserver;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;

/// CRI's ImageService. An image belongs to the handler that it was pulled for; with
/// `containerd-1.6` it belongs to the host.
public final class SimImageService extends ImageServiceImplBase {
  /// KEP-1301's annotation for the handler, used before `ImageSpec` had a field for it.
  private static final String ANNOTATION = "kubernetes.io/runtimehandler";

  private final SimMachine machine;
  private final ImageStore images;
  private final ServiceKnobs knobs;
  private final ContractCompatibility compatibility;
  private final ImageMessages messages;
  private final String mountpoint;

  public SimImageService(SimMachine machine, String mountpoint) {
    this.machine = machine;
    this.images = machine.images();
    this.knobs = machine.knobs();
    this.compatibility = knobs.profile().compatibility();
    this.messages = new ImageMessages(compatibility);
    this.mountpoint = mountpoint;
  }

  @Override
  public void pullImage(PullImageRequest request, StreamObserver<PullImageResponse> answer) {
    GrpcAnswers.one(
        answer,
        () -> {
          ImageSpec spec = request.getImage();
          RequestedImage wanted =
              new RequestedImage(
                  spec.getImage(),
                  handlerName(spec),
                  handlerKey(spec),
                  handler(spec),
                  credentials(request.getAuth()));
          PulledImage image = images.pull(wanted, knobs.pulls(), GrpcCaller.current());
          return PullImageResponse.newBuilder().setImageRef(image.id()).build();
        });
  }

  /// Answers without an image when there is none: an absent image is no error for this call.
  @Override
  public void imageStatus(ImageStatusRequest request, StreamObserver<ImageStatusResponse> answer) {
    GrpcAnswers.one(
        answer,
        () -> {
          ImageSpec spec = request.getImage();
          handler(spec);
          ImageStatusResponse.Builder response = ImageStatusResponse.newBuilder();
          images
              .find(spec.getImage(), handlerKey(spec))
              .ifPresent(
                  image -> {
                    response.setImage(messages.image(images.sameAs(image)));
                    if (request.getVerbose()) {
                      response.putInfo("info", ImageMessages.info(image));
                    }
                  });
          return response.build();
        });
  }

  @Override
  public void listImages(ListImagesRequest request, StreamObserver<ListImagesResponse> answer) {
    GrpcAnswers.one(
        answer,
        () -> ListImagesResponse.newBuilder().addAllImages(matching(request.getFilter())).build());
  }

  @Override
  public void streamImages(
      StreamImagesRequest request, StreamObserver<StreamImagesResponse> answer) {
    GrpcAnswers.chunks(
        answer,
        matching(request.getFilter()),
        chunk -> StreamImagesResponse.newBuilder().addAllImages(chunk).build());
  }

  /// Removes the image with all its names, and succeeds for an unknown one. Containers keep the
  /// image that they were created from.
  @Override
  public void removeImage(RemoveImageRequest request, StreamObserver<RemoveImageResponse> answer) {
    GrpcAnswers.done(
        answer,
        RemoveImageResponse.getDefaultInstance(),
        () -> images.remove(request.getImage().getImage(), handlerKey(request.getImage())));
  }

  /// The file system of the images, by which the kubelet decides about image garbage collection.
  @Override
  public void imageFsInfo(ImageFsInfoRequest request, StreamObserver<ImageFsInfoResponse> answer) {
    GrpcAnswers.one(
        answer,
        () -> {
          List<PulledImage> all = images.list();
          long bytes = all.stream().mapToLong(PulledImage::size).sum();
          FilesystemUsage usage =
              FilesystemUsage.newBuilder()
                  .setTimestamp(machine.timeline().nanos())
                  .setFsId(FilesystemIdentifier.newBuilder().setMountpoint(mountpoint))
                  .setUsedBytes(UInt64Value.newBuilder().setValue(bytes))
                  .setInodesUsed(UInt64Value.newBuilder().setValue(all.size()))
                  .build();
          return ImageFsInfoResponse.newBuilder().addImageFilesystems(usage).build();
        });
  }

  /// The images that a filter selects, one entry per image with all its names. containerd 1.6
  /// ignores the filter.
  private List<Image> matching(ImageFilter filter) {
    ImageSpec spec = filter.getImage();
    List<PulledImage> found =
        spec.getImage().isEmpty() || !compatibility.hasImagesByHandler()
            ? images.list()
            : images.find(spec.getImage(), handlerKey(spec)).stream().toList();
    return found.stream().map(images::sameAs).map(messages::image).distinct().toList();
  }

  /// The handler that a call names; CRI refuses a name that the runtime does not have.
  private SimHandler handler(ImageSpec spec) {
    String name = handlerName(spec);
    return knobs
        .profile()
        .handler(name)
        .orElseThrow(
            () -> CallRefusal.unknown("no runtime for \"%s\" is configured".formatted(name)));
  }

  /// The key of the handler in the store, where the default handler has one spelling only.
  private String handlerKey(ImageSpec spec) {
    return knobs.profile().canonical(handlerName(spec));
  }

  private String handlerName(ImageSpec spec) {
    if (!compatibility.hasImagesByHandler()) {
      return "";
    }
    return spec.getRuntimeHandler().isEmpty()
        ? spec.getAnnotationsOrDefault(ANNOTATION, "")
        : spec.getRuntimeHandler();
  }

  private static String credentials(AuthConfig auth) {
    // `auth` holds `user:password` in base64 and comes before the single fields, as in a Docker
    // configuration.
    if (auth.getAuth().isEmpty()) {
      return auth.getUsername().isEmpty() ? "" : auth.getUsername() + ":" + auth.getPassword();
    }
    try {
      return new String(Base64.getDecoder().decode(auth.getAuth()), StandardCharsets.UTF_8);
    } catch (IllegalArgumentException _) {
      return auth.getAuth();
    }
  }
}
