package dev.berth.server.auth.tokens;

import dev.berth.api.Problem;
import dev.berth.server.auth.UserInfo;
import dev.berth.server.auth.authentication.TokenSource;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Authenticates tokens from a file with one `token,user,uid,"group1,group2"` per line.
///
/// The file is read once at start; a change needs a restart, as upstream has it. Only digests stay
/// in memory.
public final class StaticTokens implements TokenSource {
  // An array in a record is compared by identity; entries are never compared.
  @SuppressWarnings("ArrayRecordComponent")
  private record Entry(byte[] digest, UserInfo user) {}

  private final List<Entry> entries;

  private StaticTokens(List<Entry> entries) {
    this.entries = List.copyOf(entries);
  }

  /// Reads the file; an error contains the line number and never the token.
  ///
  /// @throws AuthConfigurationException when the file cannot be used
  public static StaticTokens read(Path file) {
    List<String> lines;
    try {
      lines = Files.readAllLines(file);
    } catch (IOException e) {
      throw new AuthConfigurationException(
          new Problem(
              "cannot read the token file " + file,
              e.getClass().getSimpleName() + ": " + e.getMessage(),
              "Make it readable for this user"));
    }
    List<Entry> entries = new ArrayList<>();
    for (int i = 0; i < lines.size(); i++) {
      String line = lines.get(i).strip();
      if (!line.isEmpty() && !line.startsWith("#")) {
        entries.add(entry(file, i + 1, CsvLine.fields(line)));
      }
    }
    return new StaticTokens(entries);
  }

  private static Entry entry(Path file, int line, List<String> fields) {
    if (fields.size() < 3 || fields.get(0).isEmpty() || fields.get(1).isEmpty()) {
      throw new AuthConfigurationException(
          new Problem(
              "cannot use the token file %s, line %d".formatted(file, line),
              "the line has %d fields; it needs at least 3, with a non-empty token and user"
                  .formatted(fields.size()),
              "Write token,user,uid and optionally a quoted list of groups"));
    }
    String groups = fields.size() > 3 ? fields.get(3) : "";
    List<String> list =
        groups.isEmpty()
            ? List.of()
            : List.of(groups.split(",", -1)).stream().map(String::strip).toList();
    return new Entry(
        SecretDigests.sha256(fields.get(0)),
        new UserInfo(fields.get(1), fields.get(2), list, Map.of()));
  }

  /// Compares with every entry, so that the time does not reveal which one matched.
  @Override
  public @Nullable Found find(String token, List<String> audiences) {
    byte[] digest = SecretDigests.sha256(token);
    UserInfo user = null;
    for (Entry entry : entries) {
      if (MessageDigest.isEqual(entry.digest(), digest)) {
        user = entry.user();
      }
    }
    return user == null ? null : new Found(user, audiences);
  }
}
