package dev.berth.cli.runtimes;

import dev.berth.agent.runtimes.admin.AdminAnswer.Services;
import dev.berth.agent.runtimes.admin.ServiceEntry;
import dev.berth.api.Problem;
import dev.berth.cli.options.OutputFlag;
import dev.berth.cli.options.TextColumns;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import picocli.CommandLine;
import picocli.CommandLine.ExitCode;

/// Prints the list of runtime services.
record ServiceTable(Services list, CommandLine command, Instant now) {
  int print(OutputFlag output) {
    if (output.isTable()) {
      table(output.isWide()).forEach(command.getOut()::println);
      list.problems().forEach(this::warn);
    } else {
      Map<String, Object> content = new TreeMap<>();
      content.put("services", list.services());
      content.put("problems", list.problems());
      output.print(content, command.getOut());
    }
    return ExitCode.OK;
  }

  private void warn(Problem problem) {
    command.getErr().println("Warning: " + problem);
  }

  private List<String> table(boolean wide) {
    if (list.services().isEmpty()) {
      return List.of("No runtime services. Add one with `berth runtimes add`.");
    }
    List<List<String>> rows = new ArrayList<>();
    List<String> head =
        new ArrayList<>(
            List.of("NAME", "TYPE", "DEFAULT", "HEALTH", "SINCE", "PODS", "VERSION", "HANDLERS"));
    if (wide) {
      head.addAll(List.of("ENDPOINT", "IMAGES", "FROM"));
    }
    head.add("REASON");
    rows.add(head);
    list.services().forEach(service -> rows.add(row(service, wide)));
    return TextColumns.align(rows);
  }

  private List<String> row(ServiceEntry service, boolean wide) {
    List<String> row =
        new ArrayList<>(
            List.of(
                service.name(),
                service.workloadType(),
                service.isDefault() ? "yes" : "",
                service.health(),
                age(service.since()),
                Integer.toString(service.pods()),
                service.version(),
                String.join(",", service.handlers())));
    if (wide) {
      row.addAll(
          List.of(
              service.endpoint(),
              service.imageEndpoint().equals(service.endpoint()) ? "" : service.imageEndpoint(),
              service.origin()));
    }
    row.add(service.reason());
    return row;
  }

  /// Such as `5s`, `12m`, `3h`, `9d`.
  private String age(String since) {
    Duration age = Duration.between(Instant.parse(since), now);
    if (age.toMinutes() < 2) {
      return Math.max(0, age.toSeconds()) + "s";
    }
    if (age.toHours() < 2) {
      return age.toMinutes() + "m";
    }
    return age.toDays() < 2 ? age.toHours() + "h" : age.toDays() + "d";
  }
}
