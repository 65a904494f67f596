package dev.berth.server.validation.pods;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.server.defaults.PodTemplateDefaults;
import dev.berth.server.pods.PodSamples;
import dev.berth.server.validation.FieldErrors;
import dev.berth.server.validation.FieldPath;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PodTemplateValidationTest {
  private static final FieldPath PATH = FieldPath.of("spec").child("template");

  private static ObjectNode template(String yaml) {
    ObjectNode template = PodSamples.normal("core.v1.PodTemplateSpec", yaml);
    PodTemplateDefaults.apply(template);
    return template;
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          spec: {containers: [{name: a, image: ' a'}]} | ''
          spec: {hostNetwork: true, containers: [{name: a, image: a, ports: [{containerPort: 1}]}]} | ''
          spec: {}                                     | spec.template.spec.containers: Required value
          spec: {containers: [{name: a, image: a}], ephemeralContainers: [{name: e, image: e}]} | spec.template.spec.ephemeralContainers: Forbidden: ephemeral containers not allowed in pod template
          {metadata: {annotations: {kubernetes.io/config.mirror: x}}, spec: {containers: [{name: a, image: a}]}} | spec.template.annotations[kubernetes.io/config.mirror]: Invalid value: "x": must set spec.nodeName if mirror pod annotation is set
          """)
  void templates(String yaml, String expected) {
    FieldErrors errors = new FieldErrors();
    PodTemplateValidation.validate(template(yaml), PATH, errors);
    PodErrors.assertMessages(PodErrors.texts(errors), expected);
  }

  @Test
  void adviceNamesThePlaceOfTheTemplate() {
    List<String> warnings = new ArrayList<>();
    PodTemplateValidation.warn(
        template(
            """
            metadata: {annotations: {container.apparmor.security.beta.kubernetes.io/a: unconfined}}
            spec:
              nodeSelector: {beta.kubernetes.io/arch: amd64}
              containers: [{name: a, image: a}]
            """),
        PATH,
        warnings::add);
    PodErrors.assertMessages(
        warnings,
        "spec.template.spec.nodeSelector[beta.kubernetes.io/arch]: deprecated since v1.14; use"
            + " \"kubernetes.io/arch\" instead #"
            + " spec.template.metadata.annotations[container.apparmor.security.beta.kubernetes.io/a]:"
            + " deprecated since v1.30; use the \"appArmorProfile\" field instead");
  }
}
