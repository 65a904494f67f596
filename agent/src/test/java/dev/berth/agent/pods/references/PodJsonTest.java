package dev.berth.agent.pods.references;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class PodJsonTest {
  private static final String BEFORE =
      "{metadata: {name: web, labels: {a: b}}, spec: {nodeName: one}, status: {phase: Pending}}";

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          a label       | /metadata/labels/a          | true
          an annotation | /metadata/annotations/note  | true
          the spec      | /spec/nodeName              | true
          its status    | /status/phase               | false
          its version   | /metadata/resourceVersion   | false
          its end       | /metadata/deletionTimestamp | false
          """)
  void onlyWhatVolumesMayShowMakesAnotherPod(String what, String path, boolean isOther)
      throws Exception {
    JsonNode before = new YAMLMapper().readTree(BEFORE);
    JsonNode now = before.deepCopy();
    String parent = path.substring(0, path.lastIndexOf('/'));
    now.withObject(parent).put(path.substring(parent.length() + 1), "new");

    assertThat(PodJson.isOther(before, now)).as(what).isEqualTo(isOther);
  }
}
