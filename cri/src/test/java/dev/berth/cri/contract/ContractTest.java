package dev.berth.cri.contract;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import dev.berth.cri.v1.CriProto;
import dev.berth.cri.v1.KeyValue;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

final class ContractTest {
  private final List<String> table = readTable();

  @Test
  void theCompiledContractIsTheTable() {
    List<String> expected =
        table.stream().skip(1).map(line -> line.split("\t", -1)).map(ContractTest::first6).toList();

    assertThat(DescriptorRows.of(CriProto.getDescriptor()))
        .hasSizeGreaterThan(700)
        .containsExactlyInAnyOrderElementsOf(expected);
  }

  @Test
  void theContractFileIsWrittenFromTheTable() throws IOException {
    String file = Files.readString(Path.of("src/main/proto/runtime/v1/api.proto"));

    assertThat(file).isEqualTo(ProtoFromTable.render(table));
  }

  @Test
  void environmentValuesNeedNotBeText() throws IOException {
    ByteString bytes = ByteString.copyFrom(new byte[] {(byte) 0xff, (byte) 0xfe, 0});
    KeyValue value = KeyValue.newBuilder().setKey("RAW").setValue(bytes).build();

    assertThat(KeyValue.parseFrom(value.toByteString()).getValue()).isEqualTo(bytes);
  }

  private static String first6(String[] cells) {
    return String.join("\t", List.of(cells).subList(0, 6));
  }

  private static List<String> readTable() {
    try (InputStream in = ContractTest.class.getResourceAsStream("cri-v1-contract.tsv")) {
      return new String(requireNonNull(in).readAllBytes(), UTF_8).lines().toList();
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }
}
