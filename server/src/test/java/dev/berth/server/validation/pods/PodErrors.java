package dev.berth.server.validation.pods;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.server.pods.PodSamples;
import dev.berth.server.validation.FieldError;
import dev.berth.server.validation.FieldErrors;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// What the rules say about pods written in YAML.
public final class PodErrors {
  private static final PodValidator VALIDATOR = new PodValidator();

  private PodErrors() {}

  public static List<String> ofPod(ObjectNode pod) {
    FieldErrors errors = new FieldErrors();
    VALIDATOR.onCreate(pod, errors);
    return texts(errors);
  }

  static List<String> texts(FieldErrors errors) {
    return errors.toList().stream().map(FieldError::toString).toList();
  }

  /// A pod with one good container and these further fields.
  public static List<String> ofSpec(String fields) {
    return ofPod(PodSamples.podOf("containers: [{name: app, image: 'app:1'}]\n" + fields));
  }

  /// A pod whose only container has these further fields, with a volume `data`.
  public static List<String> ofContainer(String fields) {
    return ofPod(
        PodSamples.podOf(
            "volumes: [{name: data}, {name: claim, persistentVolumeClaim: {claimName: c}}]\n"
                + "containers:\n- name: app\n  image: app:1\n"
                + fields.indent(2)));
  }

  public static List<String> ofVolume(String volume) {
    return ofSpec("serviceAccountName: robot\nvolumes: [" + volume + "]");
  }

  static List<String> onUpdate(ObjectNode pod, ObjectNode old) {
    FieldErrors errors = new FieldErrors();
    VALIDATOR.onUpdate(pod, old, errors);
    return texts(errors);
  }

  static List<String> warnings(ObjectNode pod) {
    List<String> warnings = new ArrayList<>();
    VALIDATOR.warn(pod, warnings::add);
    return warnings;
  }

  /// Compares with messages that are separated by ` # `; an empty text is none.
  public static void assertMessages(List<String> actual, String expected) {
    List<String> messages =
        expected.isEmpty() ? List.of() : Arrays.asList(expected.split(" # ", -1));
    assertThat(actual).isEqualTo(messages);
  }
}
