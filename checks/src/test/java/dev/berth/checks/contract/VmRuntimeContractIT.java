package dev.berth.checks.contract;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.checks.containerd.TestImages;
import dev.berth.cri.v1.LinuxSandboxSecurityContext;
import dev.berth.cri.v1.NamespaceMode;
import dev.berth.cri.v1.NamespaceOption;
import dev.berth.cri.v1.PodSandboxConfig;
import dev.berth.cri.v1.RuntimeCondition;
import dev.berth.cri.v1.RuntimeHandler;
import dev.berth.cri.v1.StatusRequest;
import dev.berth.cri.v1.StatusResponse;
import dev.berth.cri.v1.VersionRequest;
import dev.berth.cri.v1.VersionResponse;
import dev.berth.vm.VmRuntime;
import io.grpc.Status;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The contract as the runtime of virtual machines keeps it, with real machines. Where it cannot, a
/// test says what holds instead.
class VmRuntimeContractIT
    implements SandboxContract, ContainerContract, StreamContract, ImageContract, CallContract {
  @TempDir private static Path directory;
  private static @Nullable VmRuntime runtime;
  private static @Nullable Cri cri;
  @TempDir private Path logs;

  @BeforeAll
  static void start() throws Exception {
    VmRuntimeHost host = VmRuntimeHost.require(directory);
    runtime = VmRuntime.start(host.config(), Clock.systemUTC(), new Random());
    Path archive = directory.resolve("images.tar");
    TestImages.write(archive);
    runtime.images().load(archive);
    cri = new Cri(host.socket());
    // The first pod makes the template, which takes as long as a boot.
    cri.run(cri.pod("first"));
    cri.clear();
  }

  @BeforeEach
  void logHere() {
    cri().logTo(logs);
  }

  @AfterAll
  static void stop() throws IOException {
    if (cri != null) {
      cri.clear();
      cri.close();
    }
    if (runtime != null) {
      runtime.close();
      new VmRuntimeHost(directory).assertNothingIsLeft();
    }
  }

  @Override
  public Cri cri() {
    return requireNonNull(cri);
  }

  @Override
  public String handler() {
    return "vm";
  }

  /// The runtime has the calls that came after containerd 1.6, and none of the API before v1.
  @Override
  public boolean isComparable(String call, String measured) {
    return call.startsWith("runtime.v1/") && !measured.startsWith("UNIMPLEMENTED");
  }

  @Override
  @Test
  public void theRuntimeSaysWhoItIs() {
    VersionResponse version = cri().runtime().version(VersionRequest.getDefaultInstance());

    assertThat(version.getVersion()).isEqualTo("0.1.0");
    assertThat(version.getRuntimeName()).isEqualTo("berth-vm");
    assertThat(version.getRuntimeVersion()).isEqualTo("1.0");
    assertThat(version.getRuntimeApiVersion()).isEqualTo("v1");
  }

  @Override
  @Test
  public void theRuntimeSaysHowItIsAndWhatItOffers() {
    StatusResponse status =
        cri().runtime().status(StatusRequest.newBuilder().setVerbose(true).build());

    assertThat(status.getStatus().getConditionsList())
        .extracting(RuntimeCondition::getType)
        .containsExactly("RuntimeReady", "NetworkReady");
    assertThat(status.getStatus().getConditionsList()).allMatch(RuntimeCondition::getStatus);
    assertThat(status.getRuntimeHandlersList())
        .extracting(RuntimeHandler::getName)
        .containsExactly("", "vm", "vm-isolated");
    assertThat(status.getInfoOrThrow("config"))
        .contains(
            "\"defaultRuntimeName\":\"vm\"", "\"accelerator\":", "\"templates\":[\"128Mi-1\"]");
  }

  /// A guest has a network of its own only.
  @Override
  @Test
  public void aPodOnTheHostsNetworkHasNoAddressOfItsOwn() {
    PodSandboxConfig.Builder pod = cri().pod("host").toBuilder();
    pod.getLinuxBuilder()
        .setSecurityContext(
            LinuxSandboxSecurityContext.newBuilder()
                .setNamespaceOptions(NamespaceOption.newBuilder().setNetwork(NamespaceMode.NODE)));

    Cri.refused(
        () -> cri().run(pod.build()),
        Status.Code.INVALID_ARGUMENT,
        "pod contract/host cannot start in a virtual machine: it has hostNetwork: true, .*");
  }

  /// Unlike containerd 1.6, the runtime heeds the filter of a list.
  @Override
  @Test
  public void anImageIsTheSameForEveryHandlerAndForUnknownOnes() {
    assertThat(cri().runtime().version(VersionRequest.getDefaultInstance()).getRuntimeName())
        .isNotEqualTo("containerd");
  }
}
