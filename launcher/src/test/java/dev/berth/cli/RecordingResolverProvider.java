package dev.berth.cli;

import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.net.spi.InetAddressResolver;
import java.net.spi.InetAddressResolverProvider;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/// Reports on stderr what a process asks the name service, and answers as the JDK does. A process
/// uses it with [#services] on its class path.
public final class RecordingResolverProvider extends InetAddressResolverProvider {
  static final String MARK = "name service asked for ";

  /// A directory for the class path that makes the JVM load this class.
  static Path services(Path directory) throws IOException {
    Path services = Files.createDirectories(directory.resolve("META-INF/services"));
    Files.writeString(
        services.resolve(InetAddressResolverProvider.class.getName()),
        RecordingResolverProvider.class.getName());
    return directory;
  }

  @Override
  public InetAddressResolver get(Configuration configuration) {
    InetAddressResolver usual = configuration.builtinResolver();
    return new InetAddressResolver() {
      @Override
      public Stream<InetAddress> lookupByName(String host, LookupPolicy policy)
          throws UnknownHostException {
        report(host);
        return usual.lookupByName(host, policy);
      }

      @Override
      public String lookupByAddress(byte[] address) throws UnknownHostException {
        report(InetAddress.getByAddress(address).getHostAddress());
        return usual.lookupByAddress(address);
      }
    };
  }

  private static void report(String what) {
    System.err.println(MARK + what);
    new Throwable("asked here").printStackTrace();
  }

  @Override
  public String name() {
    return "recording";
  }
}
