package dev.berth.agent.pods.observed;

import dev.berth.agent.pods.observed.RelistInterval.ReportedChanges;
import dev.berth.agent.runtimes.RuntimeEndpoint;
import dev.berth.agent.runtimes.health.ServiceHealth;
import dev.berth.agent.timing.WakeSignal;
import dev.berth.client.DelayedActions;
import dev.berth.cri.ContainerEvent;
import dev.berth.cri.CriException;
import dev.berth.cri.EventReceiver;
import dev.berth.cri.RuntimeClient;
import dev.berth.cri.v1.ContainerEventType;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Keeps the view of one runtime service up to date: follows its events if it has them, and lists
/// it, often during activity and seldom otherwise.
public final class ServiceObserver implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(ServiceObserver.class);

  /// Pause after a list that failed: the runtime may be restarting, and its pods wait for the next
  /// list.
  private static final Duration AWAY = Duration.ofMillis(200);

  /// Pause before events are asked for again after the runtime said that it has none: it may be
  /// updated while the agent runs.
  private static final Duration NO_EVENTS = Duration.ofMinutes(1);

  /// A runtime that refuses events does it at once. A stream that lasts so long counts as granted,
  /// because CRI sends no answer before the first event.
  private static final Duration REFUSED_BY = Duration.ofSeconds(2);

  /// Pause before a lost stream of events is opened again; lists replace the events meanwhile.
  private static final Duration LOST_EVENTS = Duration.ofMillis(500);

  private final RuntimeEndpoint service;
  private final ServiceView view;
  private final ObservationListener listener;
  private final ServiceLister lister;
  private final DelayedActions delays;
  private final InstantSource clock;
  private final WakeSignal wakeSignal = new WakeSignal();
  private final Set<String> expecting = ConcurrentHashMap.newKeySet();
  private volatile boolean followsEvents;
  private volatile @Nullable Instant exitsAsked;
  private volatile boolean urgent = true;
  private volatile Instant lastActivity;
  private final Thread listing;
  private final Thread following;

  private ServiceObserver(
      RuntimeEndpoint service,
      ObservationListener listener,
      DelayedActions delays,
      InstantSource clock) {
    this.service = service;
    this.view = new ServiceView(listener);
    this.listener = listener;
    this.lister = new ServiceLister(service.runtime(), view);
    this.delays = delays;
    this.clock = clock;
    this.lastActivity = clock.instant();
    this.listing = Thread.ofVirtual().name("list-" + service.name()).unstarted(this::keepListing);
    this.following = Thread.ofVirtual().name("follow-" + service.name()).unstarted(this::follow);
  }

  public static ServiceObserver start(
      RuntimeEndpoint service,
      ObservationListener listener,
      DelayedActions delays,
      InstantSource clock) {
    ServiceObserver observer = new ServiceObserver(service, listener, delays, clock);
    observer.listing.start();
    observer.following.start();
    return observer;
  }

  public ServiceView view() {
    return view;
  }

  public RuntimeEndpoint service() {
    return service;
  }

  /// The agent acted at the service: the next list comes soon, unless the service reports the
  /// effect.
  public void activity() {
    if (reportedChanges(clock.instant()) == ReportedChanges.NOTHING) {
      noticed();
    }
  }

  private void noticed() {
    lastActivity = clock.instant();
    wakeSignal.ring();
  }

  /// Records whether a pod is about to change by itself, such as one whose containers are ending.
  public void expect(String podUid, boolean soon) {
    if (soon ? expecting.add(podUid) : expecting.remove(podUid)) {
      wakeSignal.ring();
    }
  }

  /// The effect of a call is unknown: the pod is observed again before anything else happens to it.
  public void doubt(String podUid) {
    view.doubt(podUid);
    urgent = true;
    wakeSignal.ring();
  }

  /// The pod has ended; its facts are dropped.
  public void forget(String podUid) {
    expecting.remove(podUid);
    view.forget(podUid);
  }

  private void keepListing() {
    ListingLog words = new ListingLog();
    try {
      while (true) {
        Instant begun = clock.instant();
        ServiceHealth health = service.health();
        boolean well = listOnce(health);
        words
            .after(health, well)
            .ifPresent(said -> log.info("service {} name={}", said, service.name()));
        Instant ended = clock.instant();
        if (well) {
          Duration took = Duration.between(begun, ended);
          listener.listed(took);
          pause(ended, took);
        } else {
          wakeSignal.await(AWAY, delays);
        }
      }
    } catch (InterruptedException _) {
      // Closed.
    }
  }

  private boolean listOnce(ServiceHealth health) throws InterruptedException {
    urgent = false;
    if (!answers(health)) {
      view.lose();
      return false;
    }
    try {
      boolean foundChange = lister.list();
      Instant now = clock.instant();
      if (foundChange && reportedChanges(now).isFollowedUp()) {
        lastActivity = now;
      }
      return true;
    } catch (CriException e) {
      if (e.isCancelled() && Thread.interrupted()) {
        throw new InterruptedException();
      }
      log.debug("list failed name={} reason={}", service.name(), e.reason());
      view.lose();
      return false;
    } catch (RuntimeException e) {
      // The top of the thread: one unexpected answer must not end the observation.
      log.warn("list failed name={}", service.name(), e);
      view.lose();
      return false;
    }
  }

  private void pause(Instant since, Duration took) throws InterruptedException {
    while (!urgent) {
      Instant now = clock.instant();
      Duration pause =
          new RelistInterval(
                  Duration.between(lastActivity, now),
                  took,
                  reportedChanges(now),
                  !expecting.isEmpty())
              .pause();
      Duration left = Duration.between(now, since.plus(pause));
      if (left.isNegative() || left.isZero() || !answers(service.health())) {
        return;
      }
      wakeSignal.await(left, delays);
    }
  }

  /// A service with an exit stream sends nothing before the first exit; one without fails at once.
  private ReportedChanges reportedChanges(Instant now) {
    Instant asked = exitsAsked;
    boolean exits = asked != null && now.isAfter(asked.plus(REFUSED_BY));
    return followsEvents
        ? ReportedChanges.EVERYTHING
        : exits ? ReportedChanges.EXITS : ReportedChanges.NOTHING;
  }

  private static boolean answers(ServiceHealth health) {
    return switch (health) {
      case ServiceHealth.Ready _ -> true;
      case ServiceHealth.NotReady notReady -> notReady.computeReady();
      case ServiceHealth.Draining(_, var otherwise) -> answers(otherwise);
      case ServiceHealth.Connecting _, ServiceHealth.Gone _ -> false;
    };
  }

  private void follow() {
    var pause = new WakeSignal();
    try {
      while (true) {
        Duration wait = followOnce();
        followsEvents = false;
        exitsAsked = null;
        wakeSignal.ring();
        pause.await(wait, delays);
      }
    } catch (InterruptedException _) {
      // Closed.
    }
  }

  private Duration followOnce() throws InterruptedException {
    try {
      RuntimeClient runtime = service.runtime();
      if (runtime.followContainerEvents(new ContainerEventReceiver())) {
        return LOST_EVENTS;
      }
      exitsAsked = clock.instant();
      return runtime.followExits(_ -> noticed()) ? LOST_EVENTS : NO_EVENTS;
    } catch (CriException e) {
      if (e.isCancelled() && Thread.interrupted()) {
        throw new InterruptedException();
      }
      return LOST_EVENTS;
    } catch (RuntimeException e) {
      // The top of the thread: without a retry, lists would keep the long interval of a service
      // with events.
      log.warn("events not followed, retrying name={}", service.name(), e);
      return NO_EVENTS;
    }
  }

  private final class ContainerEventReceiver implements EventReceiver<ContainerEvent> {
    @Override
    public void opened() {
      followsEvents = true;
      // Changes before the stream began are in no event, so a list follows.
      urgent = true;
      wakeSignal.ring();
    }

    @Override
    public void accept(ContainerEvent event) {
      String uid = event.pod().getUid();
      var sandbox = event.sandbox();
      if (event.type() == ContainerEventType.CONTAINER_DELETED_EVENT) {
        if (sandbox != null && sandbox.getId().equals(event.containerId())) {
          view.sandboxGone(uid, event.containerId());
          return;
        }
        view.containerGone(uid, event.containerId());
      }
      if (sandbox == null) {
        urgent = true;
        noticed();
        return;
      }
      view.put(uid, ObservedSandbox.of(sandbox));
      event
          .containers()
          .forEach(status -> view.put(uid, ObservedContainer.of(sandbox.getId(), status)));
    }
  }

  @Override
  public void close() {
    listing.interrupt();
    following.interrupt();
  }
}
