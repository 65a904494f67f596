package dev.berth.checks;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideOutsideOfPackages;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.AccessTarget.CodeUnitAccessTarget;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.Location;
import com.tngtech.archunit.lang.ArchRule;
import dev.berth.cri.CriChannels;
import dev.berth.cri.CriConnection;
import dev.berth.cri.CriEndpoint;
import dev.berth.cri.v1.VersionRequest;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/// Which code may know which.
final class ArchitectureTest {
  static final List<Modules> MODULES = Modules.TABLE;

  /// Packages that are split into rooms, with everything below a room counted to it.
  static final List<String> ROOMS =
      List.of(
          "dev.berth.agent.(*)..",
          "dev.berth.server.(*)..",
          "dev.berth.cli.(*)..",
          "dev.berth.launch.(*)..");

  /// The order of the rooms of a package: each may use those of later levels only.
  static final List<RoomOrder> ORDERS =
      List.of(
          RoomOrder.of(
              "agent",
              "node > pods > images > volumes > streams > probes > usage > pressure > cgroups"
                  + " > events > runtimes > files > timing"),
          RoomOrder.of(
              "agent.pods",
              ". > eviction, logs, staticpods > worker > admission, metrics > act, references"
                  + " > config, status > plan > observed"),
          RoomOrder.of(
              "launch",
              "., rehearsal, training > controlplane > agent, reports > demo, join"
                  + " > backup, connection, runtimes, simulation > vm > containerd > process"),
          RoomOrder.of(
              "cli",
              ". > controlplane > backup, images, rehearsal, reports, runtimes > node > options"),
          RoomOrder.of(
              "server.http", ". > endpoints, guard > routing > encoding, nodeproxy > transport"),
          RoomOrder.of(
              "controllers",
              ". > daemonsets, deployments, nodes, replicasets"
                  + " > certificates, gc, namespaces, quotas, roles, workloads > loops"),
          RoomOrder.of(
              "scheduler",
              "., explain > placement > scores > filters > cluster, queue > model, rules"),
          RoomOrder.of(
              "sim",
              "run > admin > config > . > streams > vm > service > model > knobs, registry"
                  + " > images > call, shell > profile, time"));

  private static final JavaClasses BERTH =
      new ClassFileImporter()
          .withImportOption(ArchitectureTest::isWrittenByUsForProduction)
          .importPackages("dev.berth");

  private static final Set<String> CLOCK_READERS =
      Set.of("now", "currentTimeMillis", "systemUTC", "systemDefaultZone", "system");

  /// Time comes in as a `Clock` or `InstantSource`, so that tests can move it.
  private static final ArchRule WALL_CLOCK_RULE =
      noClasses()
          .that(
              resideOutsideOfPackages("dev.berth.launch..", "dev.berth.cli..", "dev.berth.bench.."))
          .should()
          .accessTargetWhere(describe("the wall clock is read", ArchitectureTest::readsWallClock));

  /// Whoever handles messages of the contract decides about runtimes, which few may.
  private static final ArchRule MESSAGES_RULE =
      noClasses()
          .that(
              resideOutsideOfPackages(
                  "dev.berth.cri..",
                  "dev.berth.agent.runtimes..",
                  "dev.berth.agent.images..",
                  "dev.berth.agent.pods..",
                  "dev.berth.agent.probes..",
                  "dev.berth.agent.streams..",
                  "dev.berth.agent.usage..",
                  "dev.berth.agent.node.usage..",
                  "dev.berth.sim..",
                  "dev.berth.vm..",
                  "dev.berth.bench.."))
          .should()
          .dependOnClassesThat(resideInAnyPackage("dev.berth.cri.v1..", "dev.berth.cri.vm.."));

  /// One place chooses the runtime service of a pod; whoever could connect could choose too.
  private static final ArchRule CONNECTIONS_RULE =
      noClasses()
          .that(
              resideOutsideOfPackages(
                  "dev.berth.cri..", "dev.berth.agent.runtimes..", "dev.berth.bench.."))
          .should()
          .dependOnClassesThat(describe("are connections", ArchitectureTest::isConnection));

  @Test
  void thereIsSomethingToCheck() {
    assertThat(BERTH.size()).isGreaterThan(20);
  }

  @ParameterizedTest
  @FieldSource("MODULES")
  void aModuleKnowsOnlyTheModulesBelowIt(Modules module) {
    noClasses()
        .that()
        .resideInAPackage(module.packages())
        .should()
        .dependOnClassesThat(
            resideInAPackage("dev.berth..").and(not(resideInAnyPackage(module.allowedPackages()))))
        .allowEmptyShould(true)
        .check(BERTH);
  }

  @Test
  void packagesHaveNoCycles() {
    slices().matching("dev.berth.(**)").should().beFreeOfCycles().check(BERTH);
  }

  @ParameterizedTest
  @FieldSource("ROOMS")
  void roomsHaveNoCycles(String rooms) {
    slices().matching(rooms).should().beFreeOfCycles().check(BERTH);
  }

  @ParameterizedTest
  @FieldSource("ORDERS")
  void aRoomKnowsOnlyTheRoomsBelowIt(RoomOrder order) {
    order.rules().forEach(rule -> rule.check(BERTH));
  }

  @ParameterizedTest
  @FieldSource("ORDERS")
  void everyRoomHasAPlace(RoomOrder order) {
    assertThat(BERTH.stream())
        .extracting(JavaClass::getPackageName)
        .filteredOn(order::contains)
        .extracting(order::room)
        .hasSameElementsAs(order.rooms());
  }

  @Test
  void theRuleAboutRoomsSeesAnArrowUpwards() {
    RoomOrder reversed = RoomOrder.of("launch", "process > agent");

    assertThat(reversed.rules())
        .extracting(rule -> rule.evaluate(BERTH).hasViolation())
        .containsExactly(false, true);
  }

  @Test
  void theServerDoesNotUseTheClientLibrary() {
    noClasses()
        .that()
        .resideInAPackage("dev.berth.server..")
        .should()
        .dependOnClassesThat(resideInAPackage("io.fabric8.kubernetes.client.."))
        .allowEmptyShould(true)
        .check(BERTH);
  }

  @Test
  void theSchedulerAsksNoRegistry() {
    noClasses()
        .that()
        .resideInAPackage("dev.berth.scheduler..")
        .should()
        .dependOnClassesThat(
            resideInAnyPackage(
                "dev.berth.registry",
                "dev.berth.registry.transport..",
                "dev.berth.registry.credentials.."))
        .check(BERTH);
  }

  @Test
  void fewHandleTheMessagesOfRuntimes() {
    MESSAGES_RULE.check(BERTH);
  }

  @Test
  void theRuleAboutMessagesSeesThem() {
    JavaClasses offender = new ClassFileImporter().importClasses(HandlesMessages.class);

    assertThat(MESSAGES_RULE.evaluate(offender).hasViolation()).isTrue();
  }

  @Test
  void onlyTheRegistryConnectsToRuntimes() {
    CONNECTIONS_RULE.check(BERTH);
  }

  @Test
  void theRuleAboutConnectionsSeesThem() {
    JavaClasses offender = new ClassFileImporter().importClasses(Connects.class);

    assertThat(CONNECTIONS_RULE.evaluate(offender).hasViolation()).isTrue();
  }

  @Test
  void onlyTheLauncherReadsTheWallClock() {
    WALL_CLOCK_RULE.check(BERTH);
  }

  @Test
  void theClockRuleSeesCallsAndMethodReferences() {
    JavaClasses offender = new ClassFileImporter().importClasses(ReadsTheClock.class);

    assertThat(WALL_CLOCK_RULE.evaluate(offender).getFailureReport().getDetails())
        .hasSize(2)
        .allMatch(detail -> detail.contains("java.time.Instant.now()"));
  }

  /// ArchUnit's own option against tests does not know the directory of the quick profile, nor one
  /// that javac fills without Maven.
  private static boolean isWrittenByUsForProduction(Location location) {
    return !location.contains("/test-classes/")
        && !location.contains("/test/dev/berth/")
        && !location.contains("/dev/berth/cri/v1/")
        && !location.contains("/dev/berth/cri/vm/v1/");
  }

  private static boolean isConnection(JavaClass type) {
    return type.isEquivalentTo(CriConnection.class);
  }

  private static boolean readsWallClock(JavaAccess<?> access) {
    if (!(access.getTarget() instanceof CodeUnitAccessTarget target)) {
      return false;
    }
    String owner = target.getOwner().getName();
    boolean ownTime =
        target.getRawParameterTypes().stream()
            .noneMatch(type -> type.getName().equals("java.time.Clock"));
    boolean newDate = owner.equals("java.util.Date") && target.getName().equals("<init>");
    boolean clock =
        (owner.startsWith("java.time.") || owner.equals("java.lang.System"))
            && CLOCK_READERS.contains(target.getName());
    return (newDate && target.getRawParameterTypes().isEmpty()) || (clock && ownTime);
  }

  interface HandlesMessages {
    static VersionRequest ask() {
      return VersionRequest.getDefaultInstance();
    }
  }

  interface Connects {
    static String name(CriChannels channels, CriEndpoint endpoint) {
      return channels.open("a", endpoint).service();
    }
  }

  interface ReadsTheClock {
    static boolean isLate(Clock given) {
      Supplier<Instant> later = Instant::now;
      return Instant.now().isAfter(later.get()) || Instant.now(given).isAfter(Instant.EPOCH);
    }
  }
}
