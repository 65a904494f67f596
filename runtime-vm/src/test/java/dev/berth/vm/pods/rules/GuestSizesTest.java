package dev.berth.vm.pods.rules;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.cri.v1.LinuxContainerResources;
import dev.berth.cri.v1.LinuxPodSandboxConfig;
import dev.berth.vm.machine.MachineSize;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class GuestSizesTest {
  private final GuestSizes sizes = new GuestSizes(new MachineSize(128, 1), 4);

  @ParameterizedTest
  @CsvSource({
    "0, 128",
    "1, 128",
    "80, 128",
    "81, 192",
    "128, 192",
    "200, 256",
    "256, 384",
    "512, 768",
    "1000, 1536",
    "2048, 3072"
  })
  void memoryIsTheLimitAndAReserveInSteps(long limit, int memory) {
    assertThat(size(limit << 20, 0, 0).memoryMebibytes()).isEqualTo(memory);
  }

  @ParameterizedTest
  @CsvSource({"0, 0, 1", "50000, 100000, 1", "100001, 100000, 2", "900000, 0, 4", "-1, 100000, 1"})
  void processorsAreTheLimitRoundedUp(long quota, long period, int processors) {
    assertThat(size(0, quota, period).processors()).isEqualTo(processors);
  }

  private MachineSize size(long memory, long quota, long period) {
    return sizes.of(
        LinuxPodSandboxConfig.newBuilder()
            .setResources(
                LinuxContainerResources.newBuilder()
                    .setMemoryLimitInBytes(memory)
                    .setCpuQuota(quota)
                    .setCpuPeriod(period))
            .build());
  }
}
