package dev.berth.sim.admin;

import dev.berth.cri.v1.ContainerFilter;
import dev.berth.cri.v1.PodSandboxFilter;
import dev.berth.cri.v1.PodSandboxState;
import dev.berth.sim.Simulator;
import dev.berth.sim.knobs.Condition;
import dev.berth.sim.knobs.Dose;
import dev.berth.sim.knobs.Exits;
import dev.berth.sim.knobs.FaultRule;
import dev.berth.sim.knobs.Faults;
import dev.berth.sim.knobs.Glob;
import dev.berth.sim.knobs.Knobs;
import dev.berth.sim.model.Inventory;
import dev.berth.sim.model.Machine;
import dev.berth.sim.profile.Handler;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// What the admin is shown: rules look as they are written.
final class Shown {
  private Shown() {}

  static Map<String, Object> state(Simulator simulator) {
    Knobs knobs = simulator.knobs();
    Map<String, Object> state = new LinkedHashMap<>();
    state.put("name", simulator.name());
    state.put("endpoint", simulator.endpoint().toString());
    state.put("serving", simulator.isServing());
    state.put("profile", knobs.profile().name());
    state.put("platform", knobs.profile().platform().toString());
    state.put("pods", simulator.machine().sandboxCount());
    state.put("containers", simulator.machine().containerCount());
    state.put("images", simulator.machine().images().list().size());
    state.put("handlers", knobs.profile().handlers().stream().map(Shown::handler).toList());
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

  static List<Map<String, Object>> pods(Machine machine) {
    Inventory inventory = new Inventory(machine);
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

  private static List<Map<String, Object>> containers(Inventory inventory, String pod) {
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

  static List<Map<String, Object>> faults(Knobs knobs) {
    return knobs.faults().list().stream().map(Shown::fault).toList();
  }

  static List<Map<String, Object>> exits(Knobs knobs) {
    return knobs.exits().list().stream().map(Shown::exit).toList();
  }

  private static Map<String, Object> fault(Faults.Entry entry) {
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
    put(shown, "after", rule.dose());
    shown.put("acted", entry.acted());
    return shown;
  }

  private static Map<String, Object> exit(Exits.Entry entry) {
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
    put(shown, "afterStarts", entry.rule().dose());
    shown.put("acted", entry.acted());
    return shown;
  }

  private static Map<String, Object> handler(Handler handler) {
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

  private static Map<String, Object> condition(Condition condition) {
    return Map.of(
        "ready", condition.ready(),
        "reason", condition.reason(),
        "message", condition.message());
  }

  private static void put(Map<String, Object> shown, String key, Glob glob) {
    if (!glob.toString().isEmpty()) {
      shown.put(key, glob.toString());
    }
  }

  private static void put(Map<String, Object> shown, String key, Duration time) {
    if (!time.isZero()) {
      shown.put(key, text(time));
    }
  }

  private static void put(Map<String, Object> shown, String afterKey, Dose dose) {
    if (dose.after() > 0) {
      shown.put(afterKey, dose.after());
    }
    if (dose.count() > 0) {
      shown.put("count", dose.count());
    }
    if (dose.probability() < 1) {
      shown.put("probability", dose.probability());
    }
  }

  private static String text(Duration time) {
    return time.toMillis() % 1000 == 0 ? time.toSeconds() + "s" : time.toMillis() + "ms";
  }
}
