package dev.berth.checks.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.cri.v1.AuthConfig;
import dev.berth.cri.v1.Image;
import dev.berth.cri.v1.ImageSpec;
import dev.berth.cri.v1.ImageStatusRequest;
import dev.berth.cri.v1.ImageStatusResponse;
import dev.berth.cri.v1.ListImagesRequest;
import dev.berth.cri.v1.PullImageRequest;
import dev.berth.cri.v1.RemoveImageRequest;
import io.grpc.Status;
import org.junit.jupiter.api.Test;

/// Pulls from a real registry, and what is said when they fail.
interface PullContract extends RuntimeUnderTest {
  String REPOSITORY = "team/web";

  /// Skips the test when there is none.
  DebianRegistry registry();

  @Test
  default void anImageIsPulledByTagAndByDigest() throws Exception {
    TestIndex index = TestIndex.push(registry(), REPOSITORY, "1", TestIndex.HERE);

    String id = pull(":1", "secret");

    assertThat(id).isEqualTo(index.configs().getFirst());
    Image image = status(":1").getImage();
    assertThat(image.getId()).isEqualTo(id);
    assertThat(image.getRepoTagsList()).containsExactly(name(":1"));
    assertThat(image.getRepoDigestsList()).containsExactly(name("@" + index.digest()));
    assertThat(image.getUid().getValue()).isEqualTo(1000);
    assertThat(pull("@" + index.digest(), "secret")).isEqualTo(id);

    cri().images().removeImage(RemoveImageRequest.newBuilder().setImage(spec(name(":1"))).build());
    assertThat(status(":1").hasImage()).isFalse();
    assertThat(status("@" + index.digest()).hasImage()).isFalse();
  }

  @Test
  default void aPullForAnUnknownHandlerIsOneForTheHost() throws Exception {
    TestIndex index =
        TestIndex.push(
            registry(),
            REPOSITORY,
            "handlers",
            "\"os\":\"windows\",\"architecture\":\"amd64\",\"os.version\":\"10.0.17763.805\"",
            TestIndex.HERE);
    ImageSpec spec =
        spec(name(":handlers")).toBuilder()
            .setRuntimeHandler("none")
            .putAnnotations("kubernetes.io/runtimehandler", "other")
            .build();

    assertThat(pull(spec, "secret")).isEqualTo(index.configs().getLast());

    assertThat(status(":handlers").getImage().getId()).isEqualTo(index.configs().getLast());
    cri().images().removeImage(RemoveImageRequest.newBuilder().setImage(spec).build());
    assertThat(status(":handlers").hasImage()).isFalse();
  }

  @Test
  default void namesOfOneImageAreListedTogether() throws Exception {
    TestIndex index = TestIndex.push(registry(), REPOSITORY, "one", TestIndex.HERE);
    TestIndex.push(registry(), REPOSITORY, "two", TestIndex.HERE);
    pull(":one", "secret");
    pull(":two", "secret");

    Image image = status(":two").getImage();
    assertThat(image.getRepoTagsList()).containsExactlyInAnyOrder(name(":one"), name(":two"));
    assertThat(image.getRepoDigestsList()).containsExactly(name("@" + index.digest()));
    assertThat(cri().images().listImages(ListImagesRequest.getDefaultInstance()).getImagesList())
        .filteredOn(other -> other.getId().equals(image.getId()))
        .containsExactly(image);

    cri()
        .images()
        .removeImage(RemoveImageRequest.newBuilder().setImage(spec(name(":one"))).build());
    assertThat(status(":two").hasImage()).isFalse();
  }

  @Test
  default void aTagThatDoesNotExistIsNotFound() {
    String image = name(":none");
    Cri.refused(
        () -> pull(":none", "secret"),
        Status.Code.NOT_FOUND,
        "failed to pull and unpack image \"%1$s\": failed to resolve reference \"%1$s\": %1$s: not found"
            .formatted(image));
  }

  @Test
  default void anIndexWithoutAnEntryForTheHostIsNotFound() throws Exception {
    TestIndex.push(registry(), REPOSITORY, "foreign", "\"os\":\"plan9\",\"architecture\":\"mips\"");

    Cri.refused(
        () -> pull(":foreign", "secret"),
        Status.Code.NOT_FOUND,
        "failed to pull and unpack image \"%s\": no match for platform in manifest.*: not found"
            .formatted(name(":foreign")));
  }

  @Test
  default void anEntryThatDoesNotSayWhatItIsForIsLookedInto() throws Exception {
    TestIndex mine =
        TestIndex.push(registry(), REPOSITORY, "plain", new byte[1024], false, TestIndex.HERE);
    assertThat(pull(":plain", "secret")).isEqualTo(mine.configs().getFirst());

    TestIndex odd =
        TestIndex.push(
            registry(),
            REPOSITORY,
            "odd",
            new byte[1024],
            false,
            "\"os\":\"plan9\",\"architecture\":\"mips\"");
    Cri.refused(
        () -> pull(":odd", "secret"),
        Status.Code.NOT_FOUND,
        "get image config descriptor: no match for platform in manifest %s: not found"
            .formatted(odd.digest()));
  }

  @Test
  default void anImageWithoutOneOfItsLayersIsNotPulled() throws Exception {
    TestIndex index =
        TestIndex.push(registry(), REPOSITORY, "torn", new byte[2048], true, TestIndex.HERE);
    registry().lose(index.layer());

    Cri.refused(
        () -> pull(":torn", "secret"),
        Status.Code.NOT_FOUND,
        "failed to pull and unpack image \"%s\": failed to copy: httpReadSeeker: failed open: could not fetch content descriptor %s \\(application/vnd.oci.image.layer.v1.tar\\) from remote: not found"
            .formatted(name(":torn"), index.layer()));
    assertThat(status(":torn").hasImage()).isFalse();
  }

  @Test
  default void aPullThatMayNotIsRefused() throws Exception {
    TestIndex.push(registry(), REPOSITORY, "1", TestIndex.HERE);
    String refusal =
        "failed to pull and unpack image \"%1$s\": failed to resolve reference \"%1$s\": pulling from host %2$s failed with status code \\[manifests 1\\]: 401 Unauthorized"
            .formatted(name(":1"), registry().host());

    Cri.refused(() -> pull(":1", ""), Status.Code.UNKNOWN, refusal);
    Cri.refused(() -> pull(":1", "wrong"), Status.Code.UNKNOWN, refusal);
  }

  private String pull(String which, String password) {
    return pull(spec(name(which)), password);
  }

  private String pull(ImageSpec spec, String password) {
    PullImageRequest.Builder request = PullImageRequest.newBuilder().setImage(spec);
    if (!password.isEmpty()) {
      request.setAuth(AuthConfig.newBuilder().setUsername("ann").setPassword(password));
    }
    return cri().images().pullImage(request.build()).getImageRef();
  }

  private ImageStatusResponse status(String which) {
    return cri()
        .images()
        .imageStatus(ImageStatusRequest.newBuilder().setImage(spec(name(which))).build());
  }

  private String name(String which) {
    return registry().host() + "/" + REPOSITORY + which;
  }

  private static ImageSpec spec(String name) {
    return ImageSpec.newBuilder().setImage(name).build();
  }
}
