package dev.berth.cli.options;

import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Help;
import picocli.CommandLine.IHelpSectionRenderer;
import picocli.CommandLine.Model.OptionSpec;

/// Prints the options of a command below the headings of their [OptionSection]s; sections keep the
/// order in which their first option is declared.
public final class SectionedHelp implements IHelpSectionRenderer {
  /// For options without a section; listed last, because it has `--help`.
  private static final String GENERAL = "General";

  @Override
  public String render(Help help) {
    Map<String, List<OptionSpec>> sections = new LinkedHashMap<>();
    for (OptionSpec option : help.commandSpec().options()) {
      if (!option.hidden()) {
        sections.computeIfAbsent(section(option), _ -> new ArrayList<>()).add(option);
      }
    }
    List<OptionSpec> general = sections.remove(GENERAL);
    if (general != null) {
      sections.put(sections.isEmpty() ? "" : GENERAL, general);
    }
    StringBuilder text = new StringBuilder();
    sections.forEach((name, options) -> text.append(heading(name)).append(list(help, options)));
    return text.toString();
  }

  private static String heading(String name) {
    return "%n%s:%n".formatted(name.isEmpty() ? "Options" : name + " options");
  }

  private static String list(Help help, List<OptionSpec> options) {
    Help.Layout layout =
        help.createDefaultLayout(
            help.commandSpec().options(),
            help.commandSpec().positionalParameters(),
            help.colorScheme());
    layout.addOptions(options, help.parameterLabelRenderer());
    return layout.toString();
  }

  private static String section(OptionSpec option) {
    if (!(option.userObject() instanceof Field field)) {
      return GENERAL;
    }
    OptionSection own = field.getAnnotation(OptionSection.class);
    OptionSection common =
        own != null ? own : field.getDeclaringClass().getAnnotation(OptionSection.class);
    return common == null ? GENERAL : common.value();
  }
}
