package dev.berth.vm.network;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.api.Problem;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.IntStream;

/// Networks of pods by CNI plugins, with a directory of records per pod.
public final class CniPodNetworks implements PodNetworks {

  private static final int LOCKS = 64;

  private final PodNetworkConfig config;
  private final NetworkConfigurations configurations;
  private final PluginDirectories plugins;
  private final LeftoverPrograms leftovers = new LeftoverPrograms(Path.of("/proc"));

  /// Sandboxes whose network this process made, so that no program of an earlier one works for
  /// them.
  private final Set<String> made = ConcurrentHashMap.newKeySet();

  /// A sandbox's calls come one after the other: a stop may arrive while plugins still run. Several
  /// sandboxes may share a lock.
  private final List<ReentrantLock> locks =
      IntStream.range(0, LOCKS).mapToObj(_ -> new ReentrantLock()).toList();

  public CniPodNetworks(PodNetworkConfig config) {
    this.config = config;
    this.configurations = new NetworkConfigurations(config.configurations());
    this.plugins = new PluginDirectories(config.plugins());
  }

  /// A step that uses files and programs.
  private interface Step<T> {
    T run(NetworkFiles files) throws IOException;
  }

  @Override
  public PodInterface create(String sandboxId, int owner) {
    return locked(
        sandboxId,
        "made",
        files -> {
          files.make();
          made.add(sandboxId);
          namespace(files).make(owner);
          return new PodInterface(files.namespace(), PodNamespace.TAP);
        });
  }

  @Override
  public PodAddresses connect(PodIdentity pod) {
    return locked(pod.sandboxId(), "connected", files -> connect(pod, files));
  }

  private PodAddresses connect(PodIdentity pod, NetworkFiles files) throws IOException {
    NetworkList list = configurations.first();
    if (!pod.portMappings().isEmpty() && !list.mapsPorts()) {
      throw new NetworkException(
          new Problem(
              "pod %s/%s cannot have host ports".formatted(pod.namespace(), pod.name()),
              "no plugin of network %s offers the capability portMappings".formatted(list.name()),
              "Add the plugin portmap to the configuration in %s, or use a Service"
                  .formatted(config.configurations())),
          null);
    }
    PluginAttachment attachment = new PluginAttachment(list, pod);
    files.write(files.attachment(), attachment);
    PodNamespace namespace = namespace(files);
    try {
      JsonNode result = calls(files, attachment, files.namespace().toString()).add();
      files.write(files.result(), result);
      PodAddresses addresses = namespace.read(result).compute();
      if (addresses.addresses().isEmpty()) {
        throw new IOException("the plugins of network %s gave no address".formatted(list.name()));
      }
      namespace.join(addresses);
      files.write(files.addresses(), addresses);
      return addresses;
    } catch (IOException | RuntimeException e) {
      undo(files, e);
      throw e;
    }
  }

  /// Undoes a connection that failed. What cannot be undone stays recorded for [#remove].
  private void undo(NetworkFiles files, Exception failure) {
    try {
      namespace(files).separate();
      disconnect(files);
    } catch (IOException | RuntimeException e) {
      failure.addSuppressed(e);
    }
  }

  private void disconnect(NetworkFiles files) throws IOException {
    Optional<PluginAttachment> attachment = files.read(files.attachment(), PluginAttachment.class);
    if (attachment.isPresent()) {
      String namespace = files.hasNamespace() ? files.namespace().toString() : "";
      calls(files, attachment.get(), namespace).remove(files.read(files.result()));
    }
    files.forgetConnection();
  }

  @Override
  public Optional<PodAddresses> addresses(String sandboxId) {
    NetworkFiles files = NetworkFiles.of(config.state(), sandboxId);
    try {
      return files.read(files.addresses(), PodAddresses.class);
    } catch (IOException e) {
      throw failure(sandboxId, "read", e);
    }
  }

  @Override
  public List<String> sandboxes() {
    try {
      return NetworkFiles.all(config.state()).map(NetworkFiles::sandboxId).sorted().toList();
    } catch (IOException e) {
      throw failure(config.state().toString(), "listed", e);
    }
  }

  @Override
  public void remove(String sandboxId) {
    locked(
        sandboxId,
        "removed",
        files -> {
          if (files.exist()) {
            remove(files);
          }
          return sandboxId;
        });
  }

  private void remove(NetworkFiles files) throws IOException {
    if (!made.contains(files.sandboxId())) {
      leftovers.end(files.directory());
    }
    disconnect(files);
    if (files.hasNamespace()) {
      namespace(files).remove();
    }
    files.remove();
    made.remove(files.sandboxId());
  }

  @Override
  public Optional<Problem> unready() {
    try {
      List<String> missing = plugins.missing(configurations.first());
      if (missing.isEmpty()) {
        return Optional.empty();
      }
      return Optional.of(
          new Problem(
              "pods in virtual machines have no network",
              "CNI plugins are missing: %s (looked in %s)"
                  .formatted(String.join(", ", missing), plugins.path()),
              "Install them, such as with Debian's package containernetworking-plugins"));
    } catch (NetworkException e) {
      return Optional.of(e.problem());
    }
  }

  private PluginCalls calls(NetworkFiles files, PluginAttachment attachment, String namespace) {
    return new PluginCalls(plugins, program(files), attachment, namespace);
  }

  private PodNamespace namespace(NetworkFiles files) {
    return new PodNamespace(files.namespace(), program(files));
  }

  private NetworkProgram program(NetworkFiles files) {
    return new NetworkProgram(files.directory(), config.limit());
  }

  private <T> T locked(String sandboxId, String verb, Step<T> step) {
    NetworkFiles files = NetworkFiles.of(config.state(), sandboxId);
    ReentrantLock lock = locks.get(Math.floorMod(sandboxId.hashCode(), LOCKS));
    lock.lock();
    try {
      return step.run(files);
    } catch (IOException e) {
      throw failure(sandboxId, verb, e);
    } finally {
      lock.unlock();
    }
  }

  private static NetworkException failure(String sandboxId, String verb, IOException cause) {
    return new NetworkException(
        new Problem(
            "the network of sandbox %s cannot be %s".formatted(sandboxId, verb),
            String.valueOf(cause.getMessage()),
            ""),
        cause);
  }
}
