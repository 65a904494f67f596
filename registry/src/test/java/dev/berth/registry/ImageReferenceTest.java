package dev.berth.registry;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class ImageReferenceTest {
  private static final String DIGEST =
      "sha256:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef";

  @ParameterizedTest
  @CsvSource({
    "nginx, docker.io/library/nginx:latest",
    "nginx:1.27, docker.io/library/nginx:1.27",
    "berth/web, docker.io/berth/web:latest",
    "localhost:5000/web, localhost:5000/web:latest",
    "registry.example.com/a/b_c:v1, registry.example.com/a/b_c:v1",
    "nginx@" + DIGEST + ", docker.io/library/nginx@" + DIGEST,
    "[::1]:5000/a:1, [::1]:5000/a:1",
    "localhost:5000/a/b_c:1, localhost:5000/a/b_c:1",
    "nginx@sha512:0123456789abcdef0123456789abcdef, docker.io/library/nginx@sha512:0123456789abcdef0123456789abcdef",
  })
  void shortNamesStandForFullOnes(String text, String full) {
    assertThat(ImageReference.parse(text)).hasToString("Optional[" + full + "]");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "UPPER/name", "a//b", "name:", "name@sha256:12", "-a", "a b", "UPPER", "a:"})
  void otherTextsAreRefused(String text) {
    assertThat(ImageReference.parse(text)).isEmpty();
  }
}
