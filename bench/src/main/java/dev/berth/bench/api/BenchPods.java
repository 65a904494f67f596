package dev.berth.bench.api;

import java.nio.charset.StandardCharsets;

/// The pods of the API benchmark. Two containers with probes, ports and variables, so that
/// decoding, defaults and managed fields cost about what they cost for pods of real workloads.
final class BenchPods {
  private BenchPods() {}

  /// A pod of about 3 KB after the server's defaults.
  static byte[] pod(String name) {
    return """
        {"apiVersion":"v1","kind":"Pod","metadata":{"name":"%s","labels":{"app":"bench","tier":"web"},
        "annotations":{"example.com/note":"a pod of ordinary size for measurements"}},
        "spec":{"containers":[
        {"name":"web","image":"registry.example/web:1.2.3","command":["/bin/serve","--port=8080"],
        "ports":[{"containerPort":8080,"name":"http"}],"env":[{"name":"MODE","value":"bench"},{"name":"LEVEL","value":"info"}],
        "resources":{"requests":{"cpu":"100m","memory":"128Mi"},"limits":{"cpu":"500m","memory":"256Mi"}},
        "readinessProbe":{"httpGet":{"path":"/ready","port":8080}}},
        {"name":"side","image":"registry.example/side:4.5","resources":{"requests":{"cpu":"10m","memory":"16Mi"}}}]}}
        """
        .formatted(name)
        .getBytes(StandardCharsets.UTF_8);
  }
}
