package dev.berth.server.validation.pods;

import dev.berth.server.pods.PodSamples;
import dev.berth.server.validation.FieldErrors;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PodStatusRulesTest {
  private static void assertMessages(String from, String to, String spec, String expected) {
    FieldErrors errors = new FieldErrors();
    String pod = "spec: {containers: [{name: a, image: a}], %s}\nstatus: {%s}";
    new PodValidator()
        .onStatusUpdate(
            PodSamples.pod(pod.formatted(spec, to)),
            PodSamples.pod(pod.formatted(spec, from)),
            errors);
    PodErrors.assertMessages(PodErrors.texts(errors), expected);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          phase: Running                                     | ''
          conditions: [{type: Ready}, {type: example.com/x}] | ''
          conditions: [{type: 'a b'}]                        | metadata.conditions[0].Type: Invalid value: "a b": name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')
          nominatedNodeName: Node_1                          | status.nominatedNodeName: Invalid value: "Node_1": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')
          podIPs: [{ip: 10.0.0.1}, {ip: 'fd00::1'}]          | ''
          podIPs: [{ip: x}]                                  | status.podIPs[0]: Invalid value: "x": must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)
          podIPs: [{ip: 10.0.0.1}, {ip: 10.0.0.2}]           | status.podIPs: Invalid value: [{"ip":"10.0.0.1"},{"ip":"10.0.0.2"}]: may specify no more than one IP for each IP family
          podIPs: [{ip: 10.0.0.1}, {ip: 10.0.0.1}]           | status.podIPs: Invalid value: [{"ip":"10.0.0.1"},{"ip":"10.0.0.1"}]: may specify no more than one IP for each IP family # status.podIPs[1]: Duplicate value: {"ip":"10.0.0.1"}
          hostIPs: [{ip: 10.0.0.1}]                          | status.hostIPs[0].ip: Invalid value: "10.0.0.1": must be equal to `hostIP`
          resourceClaimStatuses: [{name: x}]                 | status.resourceClaimStatuses[0].name: Invalid value: "x": must match the name of an entry in `spec.resourceClaims`
          containerStatuses: [{name: a, user: {linux: {uid: -1, gid: 0}}}] | status.containerStatuses[0].linux.uid: Invalid value: -1: must be between 0 and 4294967295, inclusive
          """)
  void statuses(String status, String expected) {
    assertMessages("phase: Pending", status, "restartPolicy: Always", expected);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          Always    | 0 | ''
          OnFailure | 1 | ''
          OnFailure | 0 | status.containerStatuses[0].state: Forbidden: may not be transitioned to non-terminated state
          Never     | 1 | status.containerStatuses[0].state: Forbidden: may not be transitioned to non-terminated state
          """)
  void whatEndedForGoodStaysEnded(String policy, int exitCode, String expected) {
    assertMessages(
        "containerStatuses: [{name: a, state: {terminated: {exitCode: %d}}}]".formatted(exitCode),
        "containerStatuses: [{name: a, state: {running: {}}}]",
        "restartPolicy: " + policy,
        expected);
  }
}
