package dev.berth.api.certificates;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/// The subject alternative names that a certificate signing request asks for.
///
/// @param others the number of names of types that are never issued
public record RequestedNames(
    List<String> hosts,
    List<String> addresses,
    List<String> emails,
    List<String> uris,
    int others) {
  static final RequestedNames NONE =
      new RequestedNames(List.of(), List.of(), List.of(), List.of(), 0);

  private static final String EXTENSION_REQUEST = HexKey.of(DerWriter.oid("1.2.840.113549.1.9.14"));
  private static final String ALTERNATIVE_NAMES = HexKey.of(DerWriter.oid("2.5.29.17"));

  public RequestedNames {
    hosts = List.copyOf(hosts);
    addresses = List.copyOf(addresses);
    emails = List.copyOf(emails);
    uris = List.copyOf(uris);
  }

  public boolean isEmpty() {
    return hosts.isEmpty()
        && addresses.isEmpty()
        && emails.isEmpty()
        && uris.isEmpty()
        && others == 0;
  }

  /// Host names and addresses.
  public List<String> servers() {
    return Stream.concat(hosts.stream(), addresses.stream()).toList();
  }

  /// Reads the attributes of a request, with the names of all extension requests.
  static RequestedNames read(DerReader attributes) throws MalformedRequestException {
    Collected all = new Collected();
    for (DerReader.Value attribute : attributes.all(DerReader.SEQUENCE)) {
      DerReader parts = attribute.inside();
      if (HexKey.of(parts.next(DerReader.OID).whole()).equals(EXTENSION_REQUEST)) {
        for (DerReader.Value list : parts.next(DerReader.SET).inside().all(DerReader.SEQUENCE)) {
          for (DerReader.Value extension : list.inside().all(DerReader.SEQUENCE)) {
            all.addExtension(extension.inside());
          }
        }
      }
    }
    return new RequestedNames(all.hosts, all.addresses, all.emails, all.uris, all.others);
  }

  private static final class Collected {
    private final List<String> hosts = new ArrayList<>();
    private final List<String> addresses = new ArrayList<>();
    private final List<String> emails = new ArrayList<>();
    private final List<String> uris = new ArrayList<>();
    private int others;

    private void addExtension(DerReader extension) throws MalformedRequestException {
      if (!HexKey.of(extension.next(DerReader.OID).whole()).equals(ALTERNATIVE_NAMES)) {
        return;
      }
      DerReader.Value value = extension.next();
      while (value.tag() != DerReader.OCTET_STRING) {
        value = extension.next(); // `critical` comes before
      }
      DerReader names = value.inside().next(DerReader.SEQUENCE).inside();
      while (names.hasMore()) {
        add(names.next());
      }
    }

    /// Adds a name by its context tag in RFC 5280: `[1]` is an email address, `[2]` a DNS name,
    /// `[6]` a URI, `[7]` an address.
    private void add(DerReader.Value name) throws MalformedRequestException {
      switch (name.tag()) {
        case 0x81 -> emails.add(ascii(name));
        case 0x82 -> hosts.add(ascii(name));
        case 0x86 -> uris.add(ascii(name));
        case 0x87 -> {
          try {
            addresses.add(InetAddress.getByAddress(name.content()).getHostAddress());
          } catch (UnknownHostException e) {
            throw new MalformedRequestException("an IP address has an odd length", e);
          }
        }
        default -> others++;
      }
    }

    private static String ascii(DerReader.Value name) throws MalformedRequestException {
      for (byte one : name.content()) {
        if (one <= ' ') {
          throw new MalformedRequestException("a name has characters that are not allowed");
        }
      }
      return new String(name.content(), StandardCharsets.US_ASCII);
    }
  }
}
