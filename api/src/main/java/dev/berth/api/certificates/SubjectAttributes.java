package dev.berth.api.certificates;

import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/// The user and groups of a distinguished name, with every value: one relative name may contain
/// several (`O=a+O=b`).
///
/// @param commonName the last one, as Go reads it; empty when there is none
record SubjectAttributes(String commonName, List<String> organizations) {
  private static final String COMMON_NAME = HexKey.of(DerWriter.oid("2.5.4.3"));
  private static final String ORGANIZATION = HexKey.of(DerWriter.oid("2.5.4.10"));

  static SubjectAttributes read(DerReader.Value name) throws MalformedRequestException {
    String commonName = "";
    List<String> organizations = new ArrayList<>();
    for (DerReader.Value relative : name.inside().all(DerReader.SET)) {
      for (DerReader.Value attribute : relative.inside().all(DerReader.SEQUENCE)) {
        DerReader parts = attribute.inside();
        String type = HexKey.of(parts.next(DerReader.OID).whole());
        DerReader.Value value = parts.next();
        parts.requireEnd();
        if (type.equals(COMMON_NAME)) {
          commonName = text(value);
        } else if (type.equals(ORGANIZATION)) {
          organizations.add(text(value));
        }
      }
    }
    return new SubjectAttributes(commonName, organizations);
  }

  private static String text(DerReader.Value value) throws MalformedRequestException {
    Charset charset =
        switch (value.tag()) {
          // UTF8String, NumericString, PrintableString and IA5String; 0x1e is BMPString. ASCII is
          // UTF-8.
          case 0x0c, 0x12, 0x13, 0x16 -> StandardCharsets.UTF_8;
          case 0x1e -> StandardCharsets.UTF_16BE;
          default ->
              throw new MalformedRequestException(
                  "a name in the subject is of the string type 0x%02x".formatted(value.tag()));
        };
    return new String(value.content(), charset);
  }
}
