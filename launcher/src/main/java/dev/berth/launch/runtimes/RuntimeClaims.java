package dev.berth.launch.runtimes;

import dev.berth.agent.runtimes.ServiceClaims;
import dev.berth.agent.runtimes.registration.RuntimeDeclaration;
import dev.berth.api.Problem;
import dev.berth.launch.runtimes.ClaimFile.Attempt;
import java.io.IOException;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The claims of this process on runtime services. They ensure that one agent at a time acts on the
/// pods that a node of a cluster has in a runtime service, and that no kubelet does beside it.
///
/// Any thread may call it. A service may be claimed several times by this process; its files are
/// released with the last release.
public final class RuntimeClaims implements ServiceClaims {
  private static final Logger log = LoggerFactory.getLogger(RuntimeClaims.class);

  private final Path directory;
  private final String owner;
  private final Path dataDir;
  private final KubeletCheck kubelets;
  private final InstantSource clock;

  /// Guards the map below.
  private final ReentrantLock lock = new ReentrantLock();

  private final Map<RuntimeDeclaration, Claim> claims = new HashMap<>();

  /// @param times how often the service is claimed
  private record Claim(List<ClaimFile> files, int times) {}

  /// Claims nothing yet.
  ///
  /// @param directory of the lock files, shared by all agents of this machine
  /// @param owner the cluster and the node whose pods are claimed
  public RuntimeClaims(
      Path directory, String owner, Path dataDir, KubeletCheck kubelets, InstantSource clock) {
    this.directory = directory;
    this.owner = owner;
    this.dataDir = dataDir;
    this.kubelets = kubelets;
    this.clock = clock;
  }

  @Override
  public Optional<Problem> claim(RuntimeDeclaration service) {
    lock.lock();
    try {
      Claim known = claims.get(service);
      if (known != null) {
        claims.put(service, new Claim(known.files(), known.times() + 1));
        return Optional.empty();
      }
      Optional<Problem> kubelet = kubelets.problem(service);
      return kubelet.isPresent() ? kubelet : lockAll(service);
    } catch (IOException e) {
      return Optional.of(
          cannot(
              service,
              "its lock file in %s cannot be created: %s".formatted(directory, e),
              "Make %s writable for this user".formatted(directory)));
    } finally {
      lock.unlock();
    }
  }

  /// Locks all names of a service, or none: a claim with a part of them would block others and
  /// protect nothing.
  private Optional<Problem> lockAll(RuntimeDeclaration service) throws IOException {
    List<ClaimFile> files = new ArrayList<>();
    Optional<Problem> obstacle = Optional.empty();
    try {
      for (String name : ClaimNames.of(service.endpoint(), owner)) {
        ClaimDirectory.create(directory);
        Attempt attempt = ClaimFile.lock(directory.resolve(name));
        obstacle = obstacle(service, attempt);
        if (attempt instanceof Attempt.Locked(var file)) {
          files.add(file);
        }
        if (obstacle.isPresent()) {
          return obstacle;
        }
      }
      String text = ClaimHolder.now(dataDir, clock.instant()).text();
      for (ClaimFile file : files) {
        file.write(text);
      }
      claims.put(service, new Claim(List.copyOf(files), 1));
      return obstacle;
    } finally {
      if (!claims.containsKey(service)) {
        close(files);
      }
    }
  }

  /// Why a lock is not enough: another process has it, or left pods of another data directory.
  private Optional<Problem> obstacle(RuntimeDeclaration service, Attempt attempt)
      throws IOException {
    return switch (attempt) {
      case Attempt.Held(var text) -> Optional.of(held(service, ClaimHolder.parse(text)));
      case Attempt.Locked(var file) -> {
        ClaimHolder before = ClaimHolder.parse(file.before());
        yield before.hasPodsBeside(dataDir)
            ? Optional.of(ofAnother(service, before))
            : Optional.empty();
      }
    };
  }

  private static Problem held(RuntimeDeclaration service, ClaimHolder holder) {
    return cannot(
        service,
        "%s manages the same node's pods in it, and two agents would stop each other's pods"
            .formatted(holder.words()),
        "Stop the process, choose another runtime with --container-runtime-endpoint (`berth up`:"
            + " --private-containerd), or give this node another name with --node-name");
  }

  private Problem ofAnother(RuntimeDeclaration service, ClaimHolder before) {
    return cannot(
        service,
        "this node's pods in it belong to data directory %s, and %s does not know them all and"
                .formatted(before.dataDir(), dataDir)
            + " would stop the others",
        "Start with --data-dir %1$s; or stop its pods with `berth down --data-dir %1$s`, or remove it;"
                .formatted(before.dataDir())
            + " to inspect a copy use `berth backup show`, or `berth up --simulate`");
  }

  private static Problem cannot(RuntimeDeclaration service, String why, String remedy) {
    return new Problem(
        "runtime service \"%s\" at %s cannot be used".formatted(service.name(), service.endpoint()),
        why,
        remedy);
  }

  @Override
  public void release(RuntimeDeclaration service) {
    lock.lock();
    try {
      Claim known = claims.get(service);
      if (known == null) {
        return;
      }
      if (known.times() > 1) {
        claims.put(service, new Claim(known.files(), known.times() - 1));
        return;
      }
      claims.remove(service);
      close(known.files());
    } finally {
      lock.unlock();
    }
  }

  private static void close(List<ClaimFile> files) {
    for (ClaimFile file : files) {
      try {
        file.close();
      } catch (IOException e) {
        log.warn("lock file not closed reason={}", e.toString());
      }
    }
  }
}
