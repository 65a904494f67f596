package dev.berth.launch.runtimes;

import dev.berth.agent.runtimes.RuntimeCheck.Answer;
import dev.berth.agent.runtimes.registration.RuntimeDeclaration;
import dev.berth.api.Problem;
import java.util.Optional;

/// A runtime that runs on this machine, or ran when pods of this node were started in it.
///
/// @param needed whether this node has pods that may be in it, so that nobody may take its place
/// @param kubelet why it cannot be used beside a kubelet
record FoundRuntime(
    RuntimeDeclaration service, Answer answer, boolean needed, Optional<Problem> kubelet) {
  /// Whether pods can be started in it, or may be in it.
  boolean isUsable() {
    return needed
        || (kubelet.isEmpty() && answer.refusal().isEmpty() && answer.withoutNetwork().isEmpty());
  }

  /// Whether at least pods in the host's network can be started in it.
  boolean answers() {
    return answer.refusal().isEmpty() && kubelet.isEmpty();
  }

  /// A note about the runtime with its remedy; empty when all is well.
  ///
  /// @param used whether it is a service of the node
  String words(boolean used) {
    if (kubelet.isPresent() && !used) {
      return note(
          "is not used, because %s. %s".formatted(kubelet.get().why(), kubelet.get().remedy()));
    }
    if (!answer.refusal().isEmpty()) {
      return used
          ? note(
              "does not answer yet and its pods wait: %s; check it with `systemctl status %s`, and start it"
                  .formatted(answer.refusal(), place()))
          : note(
              "is not used, because it does not answer CRI: "
                  + answer.refusal()
                  + "; enable its CRI plugin: for containerd, remove cri from disabled_plugins"
                  + " in /etc/containerd/config.toml, and restart it");
    }
    if (!answer.withoutNetwork().isEmpty()) {
      return note(
          (used ? "has" : "is not used, because it has")
              + " no network for pods: "
              + answer.withoutNetwork()
              + "; configure one, for containerd in /etc/cni/net.d");
    }
    return !used || answer.missingImage().isEmpty()
        ? ""
        : note(
            ("has no image %s, which it pulls for its first pod; without a registry load it with"
                    + " `berth images load`, or use --private-containerd")
                .formatted(answer.missingImage()));
  }

  /// The name of its systemd unit, from which its name here may differ.
  private String place() {
    return service.name().replaceFirst("^system-", "");
  }

  private String note(String text) {
    return " (%s at %s %s)".formatted(service.name(), service.endpoint(), text);
  }
}
