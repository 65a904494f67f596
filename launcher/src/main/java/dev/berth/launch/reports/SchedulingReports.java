package dev.berth.launch.reports;

import dev.berth.api.Problem;
import dev.berth.client.ClientException;
import dev.berth.client.ListQuery;
import dev.berth.client.ObjectKey;
import dev.berth.client.ResourceType;
import dev.berth.launch.connection.ServerConnection;
import dev.berth.launch.process.LaunchException;
import dev.berth.scheduler.explain.ClassReport;
import dev.berth.scheduler.explain.ClassReport.ClassNode;
import dev.berth.scheduler.explain.ClusterExplanations;
import dev.berth.scheduler.explain.PodExplanation;
import dev.berth.scheduler.explain.PodExplanation.NodeAnswer;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/// Reports about scheduling, computed here from the objects of a server.
public final class SchedulingReports {
  private SchedulingReports() {}

  /// The result of scheduling a pod on each node, with reasons.
  ///
  /// @throws LaunchException when there is no such pod, or no answer
  public static CommandReport pod(Path kubeconfig, String namespace, String name) {
    PodExplanation pod =
        read(kubeconfig)
            .pod(new ObjectKey(namespace, name))
            .orElseThrow(
                () ->
                    notFound(
                        "pod %s/%s cannot be explained".formatted(namespace, name),
                        "the pod does not exist",
                        "Set the namespace of the pod with -n"));
    String headline =
        "Pod %s/%s%s: %s"
            .formatted(
                namespace,
                name,
                pod.runtimeClass().isEmpty()
                    ? ""
                    : " of RuntimeClass %s (handler %s)"
                        .formatted(
                            pod.runtimeClass(), pod.handler().isEmpty() ? "?" : pod.handler()),
                pod.message());
    return new CommandReport(
        headline,
        List.of("NODE", "FITS", "REASONS", "FREE CPU", "FREE MEMORY", "FREE PODS"),
        3,
        pod.nodes().stream().map(SchedulingReports::row).toList(),
        CommandReport.tree(pod));
  }

  private static List<String> row(NodeAnswer answer) {
    return List.of(
        answer.node(),
        answer.fits() ? "yes" : "no",
        answer.reasons().isEmpty() ? "-" : String.join(", ", answer.reasons()),
        answer.free().cpuText(),
        answer.free().memoryText(),
        Long.toString(answer.free().pods()));
  }

  /// The RuntimeClasses, and where each can be used.
  public static CommandReport classes(Path kubeconfig) {
    try (ServerConnection connection = ServerConnection.open(kubeconfig, "berth-cli")) {
      return classes(read(connection).classes(), measured(connection));
    }
  }

  private static List<MeasuredOverhead> measured(ServerConnection connection) {
    try {
      return MeasuredOverhead.read(
          connection.client().json(ResourceType.NODES).list(ListQuery.ALL));
    } catch (ClientException e) {
      throw connection.refusal("cannot read the nodes at " + connection.server(), e);
    }
  }

  static CommandReport classes(List<ClassReport> classes, List<MeasuredOverhead> measured) {
    return new CommandReport(
        "",
        List.of(
            "NAME",
            "HANDLER",
            "NODES",
            "READY",
            "PODS",
            "DEFAULT",
            "OVERHEAD",
            "MEASURED",
            "FREE CPU",
            "FREE MEMORY"),
        6,
        classes.stream().map(one -> row(one, measured)).toList(),
        CommandReport.tree(Map.of("classes", classes, "measuredOverhead", measured)));
  }

  private static List<String> row(ClassReport one, List<MeasuredOverhead> measured) {
    String overhead =
        one.overhead().entrySet().stream()
            .map(entry -> entry.getKey() + "=" + entry.getValue())
            .collect(Collectors.joining(","));
    return List.of(
        one.name(),
        one.handler(),
        Integer.toString(one.offering()),
        Integer.toString(one.ready()),
        Integer.toString(one.pods()),
        defaults(one),
        overhead.isEmpty() ? "-" : overhead,
        OverheadReports.cell(one.handler(), measured),
        one.free().cpuText(),
        one.free().memoryText());
  }

  private static String defaults(ClassReport one) {
    if (one.isDefault()) {
      return "cluster";
    }
    return one.defaultOf().isEmpty() ? "-" : String.join(",", one.defaultOf());
  }

  /// The nodes of one RuntimeClass.
  ///
  /// @throws LaunchException when there is no such class, or no answer
  public static CommandReport nodesOfClass(Path kubeconfig, String name) {
    List<ClassReport> classes = read(kubeconfig).classes();
    ClassReport found =
        classes.stream()
            .filter(one -> one.name().equals(name))
            .findFirst()
            .orElseThrow(() -> noSuchClass(name, classes.stream().map(ClassReport::name).toList()));
    return new CommandReport(
        "",
        List.of("NODE", "STATE", "PODS", "SERVICES", "FREE CPU", "FREE MEMORY", "FREE PODS"),
        4,
        found.nodes().stream().map(SchedulingReports::row).toList(),
        CommandReport.tree(found));
  }

  private static List<String> row(ClassNode node) {
    return List.of(
        node.node(),
        node.state(),
        Integer.toString(node.pods()),
        node.services().stream().allMatch(String::isEmpty)
            ? "-"
            : String.join(",", node.services()),
        node.free().cpuText(),
        node.free().memoryText(),
        Long.toString(node.free().pods()));
  }

  private static ClusterExplanations read(Path kubeconfig) {
    try (ServerConnection connection = ServerConnection.open(kubeconfig, "berth-cli")) {
      return read(connection);
    }
  }

  /// Reads the cluster and runs the scheduler's own rules on it, without a running scheduler.
  private static ClusterExplanations read(ServerConnection connection) {
    try {
      return ClusterExplanations.read(connection.client());
    } catch (ClientException e) {
      throw connection.refusal("cannot read the cluster at " + connection.server(), e);
    }
  }

  /// Refuses a class that does not exist, with the names of those that do.
  static LaunchException noSuchClass(String name, List<String> classes) {
    return classes.isEmpty()
        ? notFound(
            "RuntimeClass %s has no nodes".formatted(name),
            "the cluster has no RuntimeClasses",
            "Create it with `kubectl create -f`; `berth runtimes list` shows the handlers")
        : notFound(
            "RuntimeClass %s has no nodes".formatted(name),
            "it does not exist (the cluster has: %s)".formatted(String.join(", ", classes)),
            "Name one of these classes");
  }

  private static LaunchException notFound(String what, String why, String remedy) {
    return new LaunchException(new Problem(what, why, remedy));
  }
}
