package dev.berth.agent.probes;

import dev.berth.agent.probes.ProbeResult.Failure;
import dev.berth.agent.probes.ProbeResult.Success;
import dev.berth.agent.probes.ProbeWorkers.Subject;
import dev.berth.api.KubernetesVersion;
import io.fabric8.kubernetes.api.model.HTTPGetAction;
import java.io.IOException;
import java.time.Duration;

/// Sends a request: 200 to 399 is success, and so is a redirect to another host.
final class HttpCheck {
  /// The kubelet's message.
  private static final String ELSEWHERE = "Probe terminated redirects, Response body: ";

  private final HttpGet http = new HttpGet(KubernetesVersion.userAgent("kube-probe"));

  ProbeResult make(Subject subject, HTTPGetAction action, Duration limit)
      throws InterruptedException {
    try {
      HttpGet.Reply reply = http.send(subject.addresses(), subject.container(), action, limit);
      int code = reply.code();
      if (code < 200 || code >= 400) {
        return new Failure("HTTP probe failed with statuscode: " + code);
      }
      return code < 300 ? new Success() : new Success(ELSEWHERE + reply.body());
    } catch (IOException e) {
      return new Failure(String.valueOf(e.getMessage()));
    }
  }
}
