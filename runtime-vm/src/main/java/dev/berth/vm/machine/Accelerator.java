package dev.berth.vm.machine;

/// How QEMU runs the code of guests.
public enum Accelerator {
  /// The host's hardware.
  KVM("kvm", "host"),
  /// Translation, which needs nothing from the host. The processor has what programs built for
  /// x86-64-v2 expect; its vendor is AMD, which spares kernels the separate page tables that
  /// translation is slow with. A bounded buffer keeps a long-running guest's memory small.
  TCG(
      "tcg,thread=multi,tb-size=64",
      "qemu64,+ssse3,+sse4.1,+sse4.2,+popcnt,+aes,+pclmulqdq,+cx16,+lahf_lm,+rdrand");

  private final String option;
  private final String processor;

  Accelerator(String option, String processor) {
    this.option = option;
    this.processor = processor;
  }

  String option() {
    return option;
  }

  String processor() {
    return processor;
  }
}
