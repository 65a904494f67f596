package dev.berth.server.pki;

import java.util.List;

/// The user name and groups in a client certificate.
///
/// @param file name of the credential's file, without extension
public record ClientIdentity(String file, String user, List<String> groups) {
  public static final ClientIdentity ADMIN =
      new ClientIdentity("admin", "kubernetes-admin", List.of("system:masters"));
  public static final ClientIdentity SCHEDULER =
      new ClientIdentity("scheduler", "system:kube-scheduler", List.of());
  public static final ClientIdentity CONTROLLERS =
      new ClientIdentity("controller-manager", "system:kube-controller-manager", List.of());

  /// The identity of the API server towards nodes, for logs and streams.
  public static final ClientIdentity NODE_CLIENT =
      new ClientIdentity("apiserver-kubelet-client", "kube-apiserver-kubelet-client", List.of());

  public ClientIdentity {
    groups = List.copyOf(groups);
    if (!file.matches("[a-z0-9][-.a-z0-9]*")) {
      throw new IllegalArgumentException("not a name for a credential file: " + file);
    }
  }

  public static ClientIdentity node(String name) {
    return new ClientIdentity("node-" + name, "system:node:" + name, List.of("system:nodes"));
  }
}
