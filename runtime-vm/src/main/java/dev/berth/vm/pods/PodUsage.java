package dev.berth.vm.pods;

import dev.berth.vm.guest.model.GuestException;
import dev.berth.vm.guest.model.GuestUsage;
import dev.berth.vm.machine.MachineException;
import dev.berth.vm.machine.MachineUsage;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// What pods use. All guests are asked at once, and one that does not answer in time delays no
/// list: it is left out, and not asked again before it answered.
public final class PodUsage {
  private static final Logger log = LoggerFactory.getLogger(PodUsage.class);

  private static final Duration LIMIT = Duration.ofSeconds(3);

  private final PodInventory inventory;

  /// The questions that are not answered yet, by sandbox. A stuck guest has one.
  private final Map<String, FutureTask<UsageSample>> asked = new ConcurrentHashMap<>();

  /// The last sample of each sandbox, for rates.
  private final Map<String, UsageSample> previous = new ConcurrentHashMap<>();

  public PodUsage(PodInventory inventory) {
    this.inventory = inventory;
  }

  /// What a pod uses at a time.
  ///
  /// @param time nanoseconds since the epoch
  /// @param cores nanoseconds of processor time per second by container since the sample before;
  ///   those of the machine have the empty name
  public record UsageSample(
      long time, MachineUsage machine, GuestUsage guest, Map<String, Long> cores) {
    public UsageSample {
      cores = Map.copyOf(cores);
    }
  }

  /// Asks the guests of sandboxes; those that do not run, or do not answer, are left out.
  public Map<String, UsageSample> of(List<LivePod> pods) {
    Map<String, FutureTask<UsageSample>> questions = new HashMap<>();
    for (LivePod pod : pods) {
      pod.guest().ifPresent(guest -> questions.put(pod.id(), ask(pod, guest)));
    }
    long end = System.nanoTime() + LIMIT.toNanos();
    Map<String, UsageSample> samples = new HashMap<>();
    questions.forEach(
        (id, question) -> await(id, question, end).ifPresent(sample -> samples.put(id, sample)));
    previous.keySet().retainAll(inventory.pods("").stream().map(LivePod::id).toList());
    return samples;
  }

  private FutureTask<UsageSample> ask(LivePod pod, PodGuest guest) {
    return asked.computeIfAbsent(
        pod.id(),
        _ -> {
          FutureTask<UsageSample> question = new FutureTask<>(() -> measure(pod, guest));
          Thread.ofVirtual()
              .name("pod-usage-" + pod.id())
              .start(
                  () -> {
                    question.run();
                    asked.remove(pod.id(), question);
                  });
          return question;
        });
  }

  private static Optional<UsageSample> await(
      String sandbox, FutureTask<UsageSample> question, long end) {
    try {
      return Optional.of(question.get(Math.max(0, end - System.nanoTime()), TimeUnit.NANOSECONDS));
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
      return Optional.empty();
    } catch (TimeoutException _) {
      log.debug("usage unknown sandbox={} reason=timeout", sandbox);
      return Optional.empty();
    } catch (ExecutionException e) {
      if (e.getCause() instanceof GuestException || e.getCause() instanceof MachineException) {
        log.debug("usage unknown sandbox={} reason={}", sandbox, e.getCause().toString());
        return Optional.empty();
      }
      throw new IllegalStateException(e.getCause());
    }
  }

  private UsageSample measure(LivePod pod, PodGuest guest) {
    MachineUsage machine = guest.machine().usage();
    GuestUsage usage = guest.agent().usage();
    long now = inventory.now();
    Map<String, Long> cores = new HashMap<>();
    UsageSample before = previous.get(pod.id());
    if (before != null && now > before.time()) {
      cores.put("", rate(machine.cpuNanos() - before.machine().cpuNanos(), now - before.time()));
      Map<String, Long> earlier = new HashMap<>();
      before.guest().containers().forEach(one -> earlier.put(one.id(), one.cpuNanos()));
      usage
          .containers()
          .forEach(
              one ->
                  cores.put(
                      one.id(),
                      rate(
                          one.cpuNanos() - earlier.getOrDefault(one.id(), one.cpuNanos()),
                          now - before.time())));
    }
    UsageSample sample = new UsageSample(now, machine, usage, cores);
    previous.put(pod.id(), sample);
    return sample;
  }

  private static long rate(long nanos, long elapsed) {
    return (long) (Math.max(0, nanos) * 1e9 / elapsed);
  }
}
