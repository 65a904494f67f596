package dev.berth.vm.pods;

import dev.berth.vm.guest.GuestAgent;
import dev.berth.vm.guest.model.GuestException;
import dev.berth.vm.pods.state.DeliveredTree;
import dev.berth.vm.pods.volumes.VolumeFiles;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Delivers the files of volumes to guests, and their changes.
///
/// One thread looks at all sources in turn, which costs a system call for each. A sandbox whose
/// source has changed gets a thread, so that a stuck guest delays no other one.
public final class TreeDelivery implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(TreeDelivery.class);

  private final PodInventory inventory;
  private final Duration interval;
  private final CountDownLatch closing = new CountDownLatch(1);

  /// The version that each guest has, by sandbox and name. What a new process finds has none, and
  /// is delivered once more.
  private final Map<TreeKey, String> versions = new ConcurrentHashMap<>();

  /// Sources that could not be delivered, so that each is logged once.
  private final Set<TreeKey> failing = ConcurrentHashMap.newKeySet();

  private final Set<String> busy = ConcurrentHashMap.newKeySet();

  private record TreeKey(String sandbox, String name) {}

  /// @param interval between two looks at the sources
  public TreeDelivery(PodInventory inventory, Duration interval) {
    this.inventory = inventory;
    this.interval = interval;
  }

  /// Starts to follow changes.
  public void start() {
    Thread.ofVirtual().name("volume-changes").start(this::follow);
  }

  /// Delivers a source now.
  public void deliver(LivePod pod, GuestAgent agent, DeliveredTree tree) throws IOException {
    Path source = Path.of(tree.source());
    // A change between the two is delivered again.
    String version = VolumeFiles.version(source);
    agent.putTree(tree.name(), VolumeFiles.read(source));
    versions.put(new TreeKey(pod.id(), tree.name()), version);
  }

  private void follow() {
    try {
      while (!closing.await(interval.toMillis(), TimeUnit.MILLISECONDS)) {
        Set<TreeKey> seen = new HashSet<>();
        inventory.pods("").forEach(pod -> look(pod, seen));
        versions.keySet().retainAll(seen);
        failing.retainAll(seen);
      }
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }

  private void look(LivePod pod, Set<TreeKey> seen) {
    Map<TreeKey, DeliveredTree> changed = new HashMap<>();
    for (LiveContainer container : pod.containers()) {
      for (DeliveredTree tree : container.record().trees()) {
        TreeKey key = new TreeKey(pod.id(), tree.name());
        seen.add(key);
        if (tree.followed() && !container.record().hasEnded() && isChanged(key, tree)) {
          changed.put(key, tree);
        }
      }
    }
    if (!changed.isEmpty() && pod.guest().isPresent() && busy.add(pod.id())) {
      Thread.ofVirtual()
          .name("volume-delivery-" + pod.id())
          .start(() -> deliver(pod, Map.copyOf(changed)));
    }
  }

  /// A source that is gone stays as it was: its pod is about to end.
  private boolean isChanged(TreeKey key, DeliveredTree tree) {
    try {
      return !VolumeFiles.version(Path.of(tree.source())).equals(versions.get(key));
    } catch (IOException _) {
      return false;
    }
  }

  private void deliver(LivePod pod, Map<TreeKey, DeliveredTree> changed) {
    try {
      changed.forEach(
          (key, tree) -> {
            try {
              deliver(pod, pod.guest().orElseThrow().agent(), tree);
              failing.remove(key);
            } catch (IOException | GuestException | NoSuchElementException e) {
              if (failing.add(key)) {
                log.warn(
                    "volume not delivered sandbox={} source={} reason={}",
                    pod.id(),
                    tree.source(),
                    e.getMessage());
              }
            }
          });
    } finally {
      busy.remove(pod.id());
    }
  }

  @Override
  public void close() {
    closing.countDown();
  }
}
