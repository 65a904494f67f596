package dev.berth.agent.runtimes.admin;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;

/// Requests and answers as lines of JSON.
///
/// Unknown fields are ignored, so that a command line and an agent of different versions work
/// together.
final class AdminJson {
  /// The socket is private to the agent's user; the limit is against a client that sends no line
  /// end.
  static final int LONGEST_LINE = 1024 * 1024;

  private static final JsonMapper MAPPER =
      JsonMapper.builder().disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES).build();

  private AdminJson() {}

  static String line(Object message) {
    try {
      return MAPPER.writeValueAsString(message) + "\n";
    } catch (JsonProcessingException e) {
      throw new UncheckedIOException(e);
    }
  }

  static AdminRequest request(String line) throws JsonProcessingException {
    return MAPPER.readValue(line, AdminRequest.class);
  }

  static AdminAnswer answer(String line) throws JsonProcessingException {
    return MAPPER.readValue(line, AdminAnswer.class);
  }

  /// Reads a line; empty at the end of the stream.
  static String readLine(BufferedReader reader) throws IOException {
    var line = new StringBuilder();
    for (int c = reader.read(); c >= 0 && c != '\n'; c = reader.read()) {
      line.append((char) c);
      if (line.length() > LONGEST_LINE) {
        throw new IOException("a line is longer than " + LONGEST_LINE);
      }
    }
    return line.toString();
  }
}
