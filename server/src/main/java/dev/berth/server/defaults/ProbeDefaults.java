package dev.berth.server.defaults;

import com.fasterxml.jackson.databind.node.ObjectNode;

/// Fills in probes and the handlers of lifecycle hooks.
final class ProbeDefaults {
  private static final int TIMEOUT_SECONDS = 1;
  private static final int PERIOD_SECONDS = 10;
  private static final int SUCCESS_THRESHOLD = 1;
  private static final int FAILURE_THRESHOLD = 3;

  private ProbeDefaults() {}

  /// Zero means unset for these numbers, as in upstream's types; validation therefore never sees
  /// it.
  static void probe(ObjectNode probe) {
    PodTree.number(probe, "timeoutSeconds", TIMEOUT_SECONDS);
    PodTree.number(probe, "periodSeconds", PERIOD_SECONDS);
    PodTree.number(probe, "successThreshold", SUCCESS_THRESHOLD);
    PodTree.number(probe, "failureThreshold", FAILURE_THRESHOLD);
    handler(probe);
    PodTree.object(probe, "grpc", grpc -> PodTree.absentText(grpc, "service", ""));
  }

  static void lifecycle(ObjectNode lifecycle) {
    PodTree.object(lifecycle, "postStart", ProbeDefaults::handler);
    PodTree.object(lifecycle, "preStop", ProbeDefaults::handler);
  }

  private static void handler(ObjectNode handler) {
    PodTree.object(
        handler,
        "httpGet",
        get -> {
          PodTree.text(get, "path", "/");
          PodTree.text(get, "scheme", "HTTP");
        });
  }
}
