package dev.berth.checks.contract;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.berth.checks.containerd.TestImages;
import dev.berth.cri.v1.Image;
import dev.berth.cri.v1.ImageFilter;
import dev.berth.cri.v1.ImageFsInfoRequest;
import dev.berth.cri.v1.ImageSpec;
import dev.berth.cri.v1.ImageStatusRequest;
import dev.berth.cri.v1.ImageStatusResponse;
import dev.berth.cri.v1.ListImagesRequest;
import dev.berth.cri.v1.PullImageRequest;
import dev.berth.cri.v1.RemoveImageRequest;
import io.grpc.Status;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

/// What a runtime says about images.
interface ImageContract extends RuntimeUnderTest {
  @Test
  default void anImageIsFoundByNameAndById() {
    Image image = status(TestImages.BUSYBOX).getImage();

    assertThat(image.getId()).matches("sha256:[0-9a-f]{64}");
    assertThat(image.getRepoTagsList()).containsExactly(TestImages.BUSYBOX);
    assertThat(image.getSize()).isPositive();
    assertThat(status(image.getId()).getImage()).isEqualTo(image);
    assertThat(status(image.getId().substring(7, 27)).getImage()).isEqualTo(image);
    assertThat(cri().images().listImages(ListImagesRequest.getDefaultInstance()).getImagesList())
        .contains(image);
  }

  @Test
  default void anImageSaysNothingAboutHandlers() {
    assertThat(status(TestImages.BUSYBOX).getImage().hasSpec()).isFalse();
  }

  @Test
  default void anImageIsTheSameForEveryHandlerAndForUnknownOnes() {
    Image image = status(TestImages.BUSYBOX).getImage();

    for (ImageSpec spec : List.of(forHandler(TestImages.BUSYBOX, "none"), annotated("none"))) {
      assertThat(cri().images().imageStatus(ImageStatusRequest.newBuilder().setImage(spec).build()))
          .isEqualTo(ImageStatusResponse.newBuilder().setImage(image).build());
      assertThat(
              cri()
                  .images()
                  .listImages(
                      ListImagesRequest.newBuilder()
                          .setFilter(ImageFilter.newBuilder().setImage(spec))
                          .build())
                  .getImagesList())
          .as("containerd does not heed the filter")
          .containsExactlyInAnyOrderElementsOf(
              cri().images().listImages(ListImagesRequest.getDefaultInstance()).getImagesList());
    }
  }

  @Test
  default void theDetailsOfAnImageAreItsConfiguration() throws IOException {
    ImageStatusResponse response =
        cri()
            .images()
            .imageStatus(
                ImageStatusRequest.newBuilder()
                    .setImage(spec(TestImages.BUSYBOX))
                    .setVerbose(true)
                    .build());

    JsonNode info = new ObjectMapper().readTree(response.getInfoOrThrow("info"));
    assertThat(info.at("/chainID").asText()).matches("sha256:[0-9a-f]{64}");
    assertThat(info.at("/imageSpec/os").asText()).isEqualTo("linux");
    assertThat(info.at("/imageSpec/architecture").asText()).isEqualTo(TestIndex.ARCHITECTURE);
    assertThat(info.at("/imageSpec/config").isObject()).isTrue();
  }

  @Test
  default void anImageThatIsNotThereIsNoError() {
    assertThat(status("test.berth.dev/none:1").hasImage()).isFalse();
    cri()
        .images()
        .removeImage(RemoveImageRequest.newBuilder().setImage(spec("none.example/x:1")).build());
  }

  @Test
  default void aNameThatIsNoneIsNotPulled() {
    Cri.refused(
        () ->
            cri()
                .images()
                .pullImage(PullImageRequest.newBuilder().setImage(spec("UPPER/none:1")).build()),
        Status.Code.UNKNOWN,
        "failed to parse image reference \"UPPER/none:1\": invalid reference format: repository"
            + " name must be lowercase");
  }

  @Test
  default void imagesTakeRoomSomewhere() {
    var filesystems =
        cri()
            .images()
            .imageFsInfo(ImageFsInfoRequest.getDefaultInstance())
            .getImageFilesystemsList();

    assertThat(filesystems).hasSize(1);
    assertThat(filesystems.getFirst().getFsId().getMountpoint()).isNotEmpty();
    assertThat(filesystems.getFirst().getTimestamp()).isPositive();
  }

  private ImageStatusResponse status(String name) {
    return cri().images().imageStatus(ImageStatusRequest.newBuilder().setImage(spec(name)).build());
  }

  private static ImageSpec annotated(String handler) {
    return spec(TestImages.BUSYBOX).toBuilder()
        .putAnnotations("kubernetes.io/runtimehandler", handler)
        .build();
  }

  private static ImageSpec forHandler(String name, String handler) {
    return spec(name).toBuilder().setRuntimeHandler(handler).build();
  }

  private static ImageSpec spec(String name) {
    return ImageSpec.newBuilder().setImage(name).build();
  }
}
