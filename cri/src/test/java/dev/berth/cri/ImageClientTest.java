package dev.berth.cri;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.berth.cri.v1.AuthConfig;
import dev.berth.cri.v1.Image;
import dev.berth.cri.v1.ImageFilter;
import dev.berth.cri.v1.ImageServiceGrpc;
import dev.berth.cri.v1.ImageSpec;
import dev.berth.cri.v1.ImageStatusRequest;
import dev.berth.cri.v1.ImageStatusResponse;
import dev.berth.cri.v1.ListImagesRequest;
import dev.berth.cri.v1.ListImagesResponse;
import dev.berth.cri.v1.PodSandboxConfig;
import dev.berth.cri.v1.PullImageRequest;
import dev.berth.cri.v1.PullImageResponse;
import io.grpc.Context;
import io.grpc.Status;
import io.grpc.stub.StreamObserver;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class ImageClientTest {
  private final Services services = new Services();
  private final FakeImages fake = new FakeImages();
  private final ImageClient images = services.inProcess(fake).images();

  @AfterEach
  void close() {
    services.close();
  }

  @Test
  void imagesAreListedAndAbsentOnesAreNotAFailure() {
    assertThat(images.listImages(ImageFilter.getDefaultInstance())).hasSize(1);
    assertThat(images.imageStatus(spec("absent"), false).hasImage()).isFalse();
  }

  @Test
  void aPullHasNoDeadlineAndAnswersTheReference() {
    assertThat(pull()).isEqualTo("sha256:web");
    assertThat(fake.deadline).isFalse();
  }

  @Test
  void aPullWithoutReferenceIsAFailure() {
    fake.reference = "";

    assertThat(catchThrowableOfType(CriException.class, this::pull))
        .hasMessageContaining("PullImage: INTERNAL: the reply is incomplete, it lacks image_ref");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          RegistryUnavailable                                                   | REGISTRY_UNAVAILABLE
          RegistryUnavailable: no route to host                                 | REGISTRY_UNAVAILABLE
          rpc error: code = Unknown desc = SignatureValidationFailed: unsigned  | SIGNATURE_VALIDATION_FAILED
          RROUnsupported                                                        | RRO_UNSUPPORTED
          ImageVolumeMountFailed: layer gone                                    | IMAGE_VOLUME_MOUNT_FAILED
          the registry says RegistryUnavailable                                 |
          RegistryUnavailableSometimes                                          |
          """)
  void failuresThatRuntimesNameAreRecognised(String text, CriErrorName name) {
    fake.failure = Status.UNKNOWN.withDescription(text);

    CriException failure = catchThrowableOfType(CriException.class, this::pull);

    assertThat(failure.errorName().orElse(null)).isEqualTo(name);
  }

  private String pull() {
    return images.pullImage(
        spec("web"), AuthConfig.getDefaultInstance(), PodSandboxConfig.getDefaultInstance());
  }

  private static ImageSpec spec(String image) {
    return ImageSpec.newBuilder().setImage(image).build();
  }

  private static final class FakeImages extends ImageServiceGrpc.ImageServiceImplBase {
    private volatile Status failure = Status.OK;
    private volatile String reference = "sha256:web";
    private volatile boolean deadline = true;

    @Override
    public void listImages(ListImagesRequest request, StreamObserver<ListImagesResponse> replies) {
      replies.onNext(
          ListImagesResponse.newBuilder().addImages(Image.newBuilder().setId("web")).build());
      replies.onCompleted();
    }

    @Override
    public void imageStatus(
        ImageStatusRequest request, StreamObserver<ImageStatusResponse> replies) {
      replies.onNext(ImageStatusResponse.getDefaultInstance());
      replies.onCompleted();
    }

    @Override
    public void pullImage(PullImageRequest request, StreamObserver<PullImageResponse> replies) {
      deadline = Context.current().getDeadline() != null;
      if (failure.isOk()) {
        replies.onNext(PullImageResponse.newBuilder().setImageRef(reference).build());
        replies.onCompleted();
      } else {
        replies.onError(failure.asRuntimeException());
      }
    }
  }
}
