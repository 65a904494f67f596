package dev.berth.agent.images;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.berth.agent.images.access.SecretUse;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.Secret;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/// Finds the credentials for an image in secrets of the types `dockerconfigjson` and `dockercfg`;
/// the most special registry first.
public final class PullSecrets {
  private static final JsonMapper MAPPER = new JsonMapper();

  private PullSecrets() {}

  public static List<PullCredentials> find(String image, List<Secret> secrets) {
    String repository = ImageName.repository(image);
    return secrets.stream()
        .flatMap(secret -> read(secret).stream())
        .filter(found -> fits(found.server(), repository))
        .sorted(Comparator.comparingInt((PullCredentials one) -> one.server().length()).reversed())
        .toList();
  }

  private static List<PullCredentials> read(Secret secret) {
    Map<String, String> data = secret.getData() == null ? Map.of() : secret.getData();
    List<PullCredentials> all = new ArrayList<>();
    add(secret, parse(data.get(".dockerconfigjson")).path("auths"), all);
    add(secret, parse(data.get(".dockercfg")), all);
    return all;
  }

  private static JsonNode parse(@org.jspecify.annotations.Nullable String base64) {
    try {
      return base64 == null ? MAPPER.missingNode() : MAPPER.readTree(decode(base64));
    } catch (JsonProcessingException | IllegalArgumentException _) {
      // Somebody else's mistake; the pull then fails and says that it was not allowed.
      return MAPPER.missingNode();
    }
  }

  private static void add(Secret secret, JsonNode auths, List<PullCredentials> into) {
    auths
        .properties()
        .forEach(
            entry -> {
              JsonNode auth = entry.getValue();
              String user = auth.path("username").asText();
              String password = auth.path("password").asText();
              String both = decodeOrEmpty(auth.path("auth").asText());
              int colon = both.indexOf(':');
              if (colon > 0) {
                user = both.substring(0, colon);
                password = both.substring(colon + 1);
              }
              into.add(
                  new PullCredentials(
                      entry.getKey(),
                      user,
                      password,
                      auth.path("identitytoken").asText(),
                      use(secret, auth)));
            });
  }

  /// The credentials themselves are never stored, only their hash.
  private static SecretUse use(Secret secret, JsonNode auth) {
    ObjectMeta meta = Objects.requireNonNullElseGet(secret.getMetadata(), ObjectMeta::new);
    return new SecretUse(
        Objects.requireNonNullElse(meta.getNamespace(), ""),
        Objects.requireNonNullElse(meta.getName(), ""),
        Objects.requireNonNullElse(meta.getUid(), ""),
        hash(auth.toString()));
  }

  private static String hash(String credentials) {
    try {
      byte[] digest =
          MessageDigest.getInstance("SHA-256").digest(credentials.getBytes(StandardCharsets.UTF_8));
      return HexFormat.of().formatHex(digest);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  /// Whether the registry of a secret, which may have a scheme, a path and wildcards in its host's
  /// name, is that of the repository.
  private static boolean fits(String server, String repository) {
    String plain = server.replaceFirst("^https?://", "").replaceFirst("/v[12]/?$", "");
    plain = plain.replaceFirst("/+$", "").replaceFirst("^index\\.docker\\.io", "docker.io");
    String[] wanted = plain.split("/", 2);
    String[] given = repository.split("/", 2);
    return hostFits(wanted[0], given[0])
        && (wanted.length < 2
            || given[1].equals(wanted[1])
            || given[1].startsWith(wanted[1] + "/"));
  }

  private static boolean hostFits(String pattern, String host) {
    String[] wanted = pattern.split("\\.", -1);
    String[] given = host.split("\\.", -1);
    if (wanted.length != given.length) {
      return false;
    }
    for (int i = 0; i < wanted.length; i++) {
      String regex = java.util.regex.Pattern.quote(wanted[i]).replace("*", "\\E[^.]*\\Q");
      if (!given[i].matches(regex)) {
        return false;
      }
    }
    return true;
  }

  private static String decodeOrEmpty(String base64) {
    try {
      return decode(base64);
    } catch (IllegalArgumentException _) {
      return "";
    }
  }

  private static String decode(String base64) {
    return new String(Base64.getDecoder().decode(base64.strip()), StandardCharsets.UTF_8);
  }
}
