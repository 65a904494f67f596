package dev.berth.sim.admin;

import dev.berth.cri.v1.ContainerFilter;
import dev.berth.cri.v1.PodSandboxFilter;
import dev.berth.cri.v1.PodSandboxState;
import dev.berth.sim.Simulator;
import dev.berth.sim.knobs.ExitRules;
import dev.berth.sim.knobs.FaultRule;
import dev.berth.sim.knobs.FaultRules;
import dev.berth.sim.knobs.GlobPattern;
import dev.berth.sim.knobs.RuleFrequency;
import dev.berth.sim.knobs.ServiceKnobs;
import dev.berth.sim.knobs.SimCondition;
import dev.berth.sim.model.MachineInventory;
import dev.berth.sim.model.SimMachine;
import dev.berth.sim.profile.SimHandler;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// The JSON documents of the admin endpoint. Rules look as they are written in a configuration, so
/// that an answer can be posted again.
final class AdminView {
  private AdminView() {}

  /// The state of a service. It is read without one lock over all of it, so that parts may be of
  /// slightly different moments.
  static Map<String, Object> state(Simulator simulator) {
    ServiceKnobs knobs = simulator.knobs();
    Map<String, Object> state = new LinkedHashMap<>();
    state.put("name", simulator.name());
    state.put("endpoint", simulator.endpoint().toString());
    state.put("serving", simulator.isServing());
    state.put("profile", knobs.profile().name());
    state.put("platform", knobs.profile().platform().toString());
    state.put("pods", simulator.machine().sandboxCount());
    state.put("containers", simulator.machine().containerCount());
    state.put("images", simulator.machine().images().list().size());
    state.put("handlers", knobs.profile().handlers().stream().map(AdminView::handler).toList());
    state.put(
        "pulls",
        Map.of(
            "latency", text(knobs.pulls().latency()),
            "bytesPerSecond", knobs.pulls().bytesPerSecond()));
    state.put("events", knobs.events());
    state.put(
        "conditions",
        Map.of("runtime", condition(knobs.runtime()), "network", condition(knobs.network())));
    state.put("faults", faults(knobs));
    state.put("exits", exits(knobs));
    return state;
  }

  static List<Map<String, Object>> pods(SimMachine machine) {
    MachineInventory inventory = new MachineInventory(machine);
    return inventory.sandboxes(PodSandboxFilter.getDefaultInstance()).stream()
        .map(
            pod -> {
              Map<String, Object> shown = new LinkedHashMap<>();
              shown.put("id", pod.getId());
              shown.put("namespace", pod.getMetadata().getNamespace());
              shown.put("name", pod.getMetadata().getName());
              shown.put("ready", pod.getState() == PodSandboxState.SANDBOX_READY);
              shown.put("handler", pod.getRuntimeHandler());
              shown.put("containers", containers(inventory, pod.getId()));
              return shown;
            })
        .toList();
  }

  private static List<Map<String, Object>> containers(MachineInventory inventory, String pod) {
    return inventory.containers(ContainerFilter.newBuilder().setPodSandboxId(pod).build()).stream()
        .map(
            container -> {
              Map<String, Object> shown = new LinkedHashMap<>();
              shown.put("id", container.getId());
              shown.put("name", container.getMetadata().getName());
              shown.put("image", container.getImage().getImage());
              shown.put("state", container.getState().name());
              return shown;
            })
        .toList();
  }

  static List<Map<String, Object>> faults(ServiceKnobs knobs) {
    return knobs.faults().list().stream().map(AdminView::fault).toList();
  }

  static List<Map<String, Object>> exits(ServiceKnobs knobs) {
    return knobs.exits().list().stream().map(AdminView::exit).toList();
  }

  private static Map<String, Object> fault(FaultRules.Entry entry) {
    FaultRule rule = entry.rule();
    Map<String, Object> shown = new LinkedHashMap<>();
    shown.put("id", entry.id());
    put(shown, "call", rule.call());
    put(shown, "handler", rule.subject().handler());
    put(shown, "image", rule.subject().image());
    put(shown, "namespace", rule.subject().namespace());
    put(shown, "pod", rule.subject().pod());
    put(shown, "container", rule.subject().container());
    put(shown, "latency", rule.latency());
    put(shown, "jitter", rule.jitter());
    rule.failure()
        .ifPresent(
            failure -> {
              shown.put("code", failure.code().name());
              shown.put("message", failure.text());
            });
    if (rule.hang()) {
      shown.put("hang", true);
    }
    put(shown, "after", rule.frequency());
    shown.put("acted", entry.acted());
    return shown;
  }

  private static Map<String, Object> exit(ExitRules.Entry entry) {
    Map<String, Object> shown = new LinkedHashMap<>();
    shown.put("id", entry.id());
    put(shown, "namespace", entry.rule().namespace());
    put(shown, "pod", entry.rule().pod());
    put(shown, "container", entry.rule().container());
    put(shown, "image", entry.rule().image());
    shown.put("after", text(entry.rule().exit().after()));
    shown.put("code", entry.rule().exit().code());
    if (!entry.rule().exit().reason().isEmpty()) {
      shown.put("reason", entry.rule().exit().reason());
    }
    put(shown, "afterStarts", entry.rule().frequency());
    shown.put("acted", entry.acted());
    return shown;
  }

  private static Map<String, Object> handler(SimHandler handler) {
    Map<String, Object> shown = new LinkedHashMap<>();
    shown.put("name", handler.name());
    shown.put("default", handler.isDefault());
    shown.put("type", handler.type());
    shown.put("options", handler.options());
    shown.put(
        "features",
        Map.of(
            "recursiveReadOnlyMounts", handler.recursiveReadOnlyMounts(),
            "userNamespaces", handler.userNamespaces()));
    return shown;
  }

  private static Map<String, Object> condition(SimCondition condition) {
    return Map.of(
        "ready", condition.ready(),
        "reason", condition.reason(),
        "message", condition.message());
  }

  private static void put(Map<String, Object> shown, String key, GlobPattern glob) {
    if (!glob.toString().isEmpty()) {
      shown.put(key, glob.toString());
    }
  }

  private static void put(Map<String, Object> shown, String key, Duration time) {
    if (!time.isZero()) {
      shown.put(key, text(time));
    }
  }

  /// Shows the frequency of a rule; values that are the default are left out, as in a
  /// configuration.
  private static void put(Map<String, Object> shown, String afterKey, RuleFrequency frequency) {
    if (frequency.after() > 0) {
      shown.put(afterKey, frequency.after());
    }
    if (frequency.count() > 0) {
      shown.put("count", frequency.count());
    }
    if (frequency.probability() < 1) {
      shown.put("probability", frequency.probability());
    }
  }

  private static String text(Duration time) {
    return time.toMillis() % 1000 == 0 ? time.toSeconds() + "s" : time.toMillis() + "ms";
  }
}
