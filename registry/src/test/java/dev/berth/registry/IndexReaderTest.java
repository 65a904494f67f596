package dev.berth.registry;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.berth.registry.platforms.ImageIndex;
import dev.berth.registry.platforms.ImagePlatform;
import dev.berth.registry.platforms.IndexEntry;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

final class IndexReaderTest {
  @Test
  void indexesAndListsAreReadAlike() {
    ImageIndex index =
        read(
            """
            {"schemaVersion": 2, "mediaType": "application/vnd.oci.image.index.v1+json",
             "manifests": [
              {"mediaType": "application/vnd.oci.image.manifest.v1+json", "digest": "sha256:a",
               "size": 7, "platform": {"os": "windows", "architecture": "amd64",
                 "os.version": "10.0.17763.805", "os.features": ["win32k"]}},
              {"mediaType": "application/vnd.oci.image.index.v1+json", "digest": "sha256:b"},
              {"digest": "sha256:c", "size": -1, "platform": {},
               "annotations": {"vnd.docker.reference.type": "attestation-manifest"}}]}
            """);

    assertThat(index.entries())
        .containsExactly(
            new IndexEntry(
                "sha256:a",
                "application/vnd.oci.image.manifest.v1+json",
                7,
                new ImagePlatform("windows", "amd64", "", "10.0.17763.805", Set.of("win32k")),
                Map.of()),
            new IndexEntry(
                "sha256:b", "application/vnd.oci.image.index.v1+json", 0, null, Map.of()),
            new IndexEntry(
                "sha256:c",
                "",
                0,
                null,
                Map.of("vnd.docker.reference.type", "attestation-manifest")));
    assertThat(index.manifests()).extracting(IndexEntry::digest).containsExactly("sha256:a");
  }

  @Test
  void othersWordsDoNotBreakTheReader() {
    ImageIndex index =
        read(
            """
            {"manifests": [1, null, {"digest": {}, "size": "x", "platform": 3, "annotations": []},
              {"platform": {"os": 1, "os.features": "win32k"}}]}
            """);

    assertThat(index.entries()).hasSize(4);
    assertThat(index.entries().getLast().platform())
        .isEqualTo(new ImagePlatform("1", "", "", "", Set.of()));
  }

  private static ImageIndex read(String json) {
    try {
      return IndexReader.index(new JsonMapper().readTree(json));
    } catch (JsonProcessingException e) {
      throw new IllegalStateException(e);
    }
  }
}
