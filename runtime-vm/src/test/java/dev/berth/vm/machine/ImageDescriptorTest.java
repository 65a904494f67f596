package dev.berth.vm.machine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

final class ImageDescriptorTest {
  @Test
  void eachExtentHasOneLine() {
    assertThat(ImageDescriptor.text(3, List.of(1024L, 4096L), 1 << 20))
        .isEqualTo(
            """
            # Disk DescriptorFile
            version=1
            CID=fffffffe
            parentCID=ffffffff
            createType="twoGbMaxExtentFlat"
            RW 2 FLAT "image3-0" 0
            RW 8 FLAT "image3-1" 0
            RW 2038 ZERO
            """);
  }
}
