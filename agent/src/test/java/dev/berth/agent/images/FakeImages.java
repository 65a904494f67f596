package dev.berth.agent.images;

import dev.berth.cri.ImageClient;
import dev.berth.cri.v1.AuthConfig;
import dev.berth.cri.v1.Image;
import dev.berth.cri.v1.ImageFilter;
import dev.berth.cri.v1.ImageFsInfoResponse;
import dev.berth.cri.v1.ImageSpec;
import dev.berth.cri.v1.ImageStatusResponse;
import dev.berth.cri.v1.PodSandboxConfig;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// An image service that has one image per name, whatever the handler, as containerd.
final class FakeImages implements ImageClient {
  /// What was pulled: name and user.
  final List<String> pulls = new ArrayList<>();

  private final Map<String, String> platforms = new HashMap<>();
  private final List<String> present = new ArrayList<>();

  /// An image that can be pulled.
  ///
  /// @param platform of its configuration, such as `linux/arm64`
  void offer(String name, String platform) {
    platforms.put(name, platform);
  }

  /// An image that is there.
  void load(String name, String platform) {
    offer(name, platform);
    present.add(name);
  }

  @Override
  public List<Image> listImages(ImageFilter filter) {
    return present.stream().map(FakeImages::image).toList();
  }

  @Override
  public ImageStatusResponse imageStatus(ImageSpec image, boolean verbose) {
    String name = image.getImage().replaceFirst("^id-of-", "");
    ImageStatusResponse.Builder answer = ImageStatusResponse.newBuilder();
    if (present.contains(name)) {
      answer.setImage(image(name));
      if (verbose) {
        String[] platform = platforms.getOrDefault(name, "/").split("/", -1);
        answer.putInfo(
            "info",
            "{\"imageSpec\":{\"os\":\"%s\",\"architecture\":\"%s\"}}"
                .formatted(platform[0], platform[1]));
      }
    }
    return answer.build();
  }

  private static Image image(String name) {
    return Image.newBuilder().setId("id-of-" + name).setSize(7).build();
  }

  @Override
  public String pullImage(ImageSpec image, AuthConfig auth, PodSandboxConfig sandboxConfig) {
    pulls.add((image.getImage() + " " + auth.getUsername()).strip());
    if (!platforms.containsKey(image.getImage())) {
      throw new IllegalStateException("no image " + image.getImage());
    }
    present.add(image.getImage());
    return "id-of-" + image.getImage();
  }

  @Override
  public void removeImage(ImageSpec image) {
    present.remove(image.getImage());
  }

  @Override
  public ImageFsInfoResponse imageFsInfo() {
    return ImageFsInfoResponse.getDefaultInstance();
  }
}
