package dev.berth.server.validation.resources;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.server.pods.PodSamples;
import dev.berth.server.validation.FieldError;
import dev.berth.server.validation.FieldErrors;
import dev.berth.server.validation.FieldPath;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ResourceRulesTest {
  private static List<String> errors(String resources) {
    FieldErrors errors = new FieldErrors();
    ResourceRules.validate(
        PodSamples.normal("core.v1.ResourceRequirements", resources),
        Set.of("gpus", "nics"),
        FieldPath.of("resources"),
        errors);
    return errors.toList().stream().map(FieldError::toString).toList();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{}",
        "{limits: {cpu: 1, memory: 1Gi}, requests: {cpu: 500m}}",
        "{limits: {cpu: 1, hugepages-2Mi: 4Mi}, requests: {hugepages-2Mi: 4Mi}}",
        "{limits: {example.com/gpu: 2}, requests: {example.com/gpu: 2}}",
        "{limits: {kubernetes.io/batch: 500m}}",
        "{requests: {cpu: 0}}",
        "{claims: [{name: gpus}, {name: nics, request: a}, {name: nics, request: b}]}"
      })
  void goodRequirementsPass(String resources) {
    assertThat(errors(resources)).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{limits: {cpu: -1}} | resources.limits[cpu]: Invalid value: \"-1\": must be greater than"
            + " or equal to 0",
        "{limits: {disk: 1}} | resources.limits[disk]: Invalid value: \"disk\": must be a standard"
            + " resource type or fully qualified # resources.limits[disk]: Invalid value: \"disk\":"
            + " must be a standard resource for containers",
        "{limits: {pods: 1}} | resources.limits[pods]: Invalid value: \"pods\": must be a standard"
            + " resource for containers",
        "{limits: {my.org: 10m}} | resources.limits[my.org]: Invalid value: \"my.org\": must be a"
            + " standard resource type or fully qualified # resources.limits[my.org]: Invalid"
            + " value: \"my.org\": must be a standard resource for containers",
        "{limits: {requests.example.com/gpu: 1}} | resources.limits[requests.example.com/gpu]:"
            + " Invalid value: \"requests.example.com/gpu\": doesn't follow extended resource name"
            + " standard",
        "{limits: {example.com/gpu: 500m}} | resources.limits[example.com/gpu]: Invalid value:"
            + " resource.Quantity{i:resource.int64Amount{value:500, scale:-3},"
            + " d:resource.infDecAmount{Dec:(*inf.Dec)(nil)}, s:\"500m\", Format:\"DecimalSI\"}:"
            + " must be an integer",
        "{limits: {cpu: 1}, requests: {cpu: 2}} | resources.requests: Invalid value: \"2\": must be"
            + " less than or equal to cpu limit of 1",
        "{limits: {example.com/gpu: 2}, requests: {example.com/gpu: 1}} | resources.requests:"
            + " Invalid value: \"1\": must be equal to example.com/gpu limit of 2",
        "{requests: {example.com/gpu: 1}} | resources.limits: Required value: Limit must be set for"
            + " non overcommitable resources",
        "{limits: {hugepages-2Mi: 4Mi}} | resources: Forbidden: HugePages require cpu or memory",
        "{limits: {cpu: 1, hugepages-2Mi: 3Mi}} | resources.limits[hugepages-2Mi]: Invalid value:"
            + " \"3Mi\": 3Mi is not positive integer multiple of hugepages-2Mi",
        "{claims: [{name: ''}]} | resources.claims[0]: Required value",
        "{claims: [{name: gpus}, {name: gpus}]} | resources.claims[1]: Duplicate value: \"gpus\"",
        "{claims: [{name: gpus, request: a}, {name: gpus}]} | resources.claims[1]: Duplicate value:"
            + " \"gpus\"",
        "{claims: [{name: disks}]} | resources.claims[0]: Not found: \"disks\": must be one of the"
            + " names in pod.spec.resourceClaims: gpus, nics"
      })
  void brokenRequirementsAreExplained(String resources, String expected) {
    assertThat(errors(resources)).isEqualTo(Arrays.asList(expected.split(" # ")));
  }

  @Test
  void overheadIsCheckedAsLimits() {
    FieldErrors errors = new FieldErrors();
    ResourceRules.limits(
        PodSamples.yaml("{memory: '-1'}"), FieldPath.of("spec").child("overhead"), errors);
    assertThat(errors.toList().toString())
        .isEqualTo(
            "[spec.overhead.limits[memory]: Invalid value: \"-1\": must be greater than or equal to"
                + " 0]");
  }
}
