package dev.berth.vm.service;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.cri.serving.CallRefusal;
import dev.berth.cri.v1.AuthConfig;
import dev.berth.cri.v1.FilesystemIdentifier;
import dev.berth.cri.v1.FilesystemUsage;
import dev.berth.cri.v1.Image;
import dev.berth.cri.v1.ImageFilter;
import dev.berth.cri.v1.ImageFsInfoRequest;
import dev.berth.cri.v1.ImageFsInfoResponse;
import dev.berth.cri.v1.ImageStatusRequest;
import dev.berth.cri.v1.ImageStatusResponse;
import dev.berth.cri.v1.Int64Value;
import dev.berth.cri.v1.PullImageRequest;
import dev.berth.cri.v1.PullImageResponse;
import dev.berth.cri.v1.RemoveImageRequest;
import dev.berth.cri.v1.RemoveImageResponse;
import dev.berth.cri.v1.UInt64Value;
import dev.berth.registry.ImageReference;
import dev.berth.registry.ImageRequest;
import dev.berth.registry.credentials.RegistryCredentials;
import dev.berth.vm.images.ImageStoreUsage;
import dev.berth.vm.images.StoredImage;
import dev.berth.vm.images.VmImages;
import io.grpc.Context;
import io.grpc.Deadline;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/// The calls of CRI's ImageService. An image is the same for both handlers: guests run the platform
/// of the node.
final class ImageVerbs {
  /// Clients have no deadline for pulls; this one ends a pull from a registry that went silent.
  private static final Duration PULL_LIMIT = Duration.ofHours(1);

  private final VmImages images;
  private final LongSupplier now;

  ImageVerbs(VmImages images, LongSupplier now) {
    this.images = images;
    this.now = now;
  }

  PullImageResponse pull(PullImageRequest request) {
    String name = request.getImage().getImage();
    ImageReference reference =
        ImageReference.parse(name)
            .orElseThrow(() -> CallRefusal.unknown(ImageReference.complaint(name)));
    RegistryCredentials credentials = credentials(request.getAuth());
    StoredImage image =
        images.pull(
            new ImageRequest(
                reference,
                credentials.isAnonymous() ? List.of() : List.of(credentials),
                limit(),
                true));
    return PullImageResponse.newBuilder().setImageRef(image.id()).build();
  }

  private static Duration limit() {
    Deadline deadline = Context.current().getDeadline();
    return deadline == null
        ? PULL_LIMIT
        : Duration.ofNanos(Math.max(1, deadline.timeRemaining(TimeUnit.NANOSECONDS)));
  }

  /// `auth` holds `user:password` in base64 and comes before the single fields, as in a Docker
  /// configuration.
  private static RegistryCredentials credentials(AuthConfig auth) {
    if (!auth.getAuth().isEmpty()) {
      try {
        byte[] both = Base64.getDecoder().decode(auth.getAuth());
        return RegistryCredentials.parse(new String(both, StandardCharsets.UTF_8));
      } catch (IllegalArgumentException _) {
        return RegistryCredentials.parse(auth.getAuth());
      }
    }
    return new RegistryCredentials(auth.getUsername(), auth.getPassword(), auth.getIdentityToken());
  }

  /// Answers without an image when there is none: an absent image is no error for this call.
  ImageStatusResponse status(ImageStatusRequest request) {
    ImageStatusResponse.Builder response = ImageStatusResponse.newBuilder();
    images
        .find(request.getImage().getImage())
        .ifPresent(
            image -> {
              response.setImage(message(image));
              if (request.getVerbose()) {
                response.putInfo("info", info(image));
              }
            });
    return response.build();
  }

  List<Image> list(ImageFilter filter) {
    String name = filter.getImage().getImage();
    List<StoredImage> found = name.isEmpty() ? images.list() : images.find(name).stream().toList();
    return found.stream().map(ImageVerbs::message).toList();
  }

  RemoveImageResponse remove(RemoveImageRequest request) {
    // CRI asks for the image as a whole, whichever of its names the request has.
    images.find(request.getImage().getImage()).ifPresent(image -> images.remove(image.id()));
    return RemoveImageResponse.getDefaultInstance();
  }

  ImageFsInfoResponse usage(ImageFsInfoRequest request) {
    ImageStoreUsage usage = images.usage();
    FilesystemUsage images =
        FilesystemUsage.newBuilder()
            .setTimestamp(now.getAsLong())
            .setFsId(FilesystemIdentifier.newBuilder().setMountpoint(usage.directory().toString()))
            .setUsedBytes(UInt64Value.newBuilder().setValue(usage.bytes()))
            .setInodesUsed(UInt64Value.newBuilder().setValue(usage.files()))
            .build();
    return ImageFsInfoResponse.newBuilder()
        .addImageFilesystems(images)
        .addContainerFilesystems(images)
        .build();
  }

  private static Image message(StoredImage image) {
    Image.Builder message =
        Image.newBuilder()
            .setId(image.id())
            .addAllRepoTags(image.tags())
            .addAllRepoDigests(image.digests())
            .setSize(image.size())
            .setPinned(image.pinned());
    String user = image.defaults().user().split(":", 2)[0];
    if (user.matches("\\d{1,18}")) {
      message.setUid(Int64Value.newBuilder().setValue(Long.parseLong(user)));
    } else {
      message.setUsername(user);
    }
    return message.build();
  }

  /// The verbose part in containerd's form. Layers have no chain here, so the image's id stands for
  /// its content.
  private static String info(StoredImage image) {
    StoredImage.ImageDefaults defaults = image.defaults();
    ObjectNode info = JsonNodeFactory.instance.objectNode();
    info.put("chainID", image.id());
    ObjectNode spec = info.putObject("imageSpec");
    spec.put("os", "linux").put("architecture", architecture());
    ObjectNode config = spec.putObject("config");
    config
        .put("User", defaults.user())
        .put("WorkingDir", defaults.workingDirectory())
        .put("StopSignal", defaults.stopSignal());
    add(config.putArray("Entrypoint"), defaults.entrypoint());
    add(config.putArray("Cmd"), defaults.command());
    add(config.putArray("Env"), defaults.environment());
    return info.toString();
  }

  private static void add(ArrayNode array, List<String> texts) {
    texts.forEach(array::add);
  }

  /// In the words of images.
  private static String architecture() {
    String name = System.getProperty("os.arch", "");
    return switch (name) {
      case "x86_64", "amd64" -> "amd64";
      case "aarch64" -> "arm64";
      default -> name;
    };
  }
}
