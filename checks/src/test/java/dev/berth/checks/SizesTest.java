package dev.berth.checks;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.LineMap;
import com.sun.source.tree.MethodTree;
import com.sun.source.util.JavacTask;
import com.sun.source.util.SourcePositions;
import com.sun.source.util.TreeScanner;
import com.sun.source.util.Trees;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// Warns about what has grown long; never fails for it, because length alone is no fault.
final class SizesTest {
  private static final int FILE_LINES = 400;
  private static final int METHOD_LINES = 60;
  private static final int CONSTRUCTOR_PARAMETERS = 8;

  private final Sources sources = Sources.ofTheProject();
  private final List<String> warnings = new ArrayList<>();

  @Test
  void longFilesMethodsAndConstructorsAreListed() throws IOException {
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    int units = 0;
    try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null)) {
      var task =
          (JavacTask)
              compiler.getTask(
                  null, files, null, null, null, files.getJavaFileObjectsFromPaths(sources.all()));
      SourcePositions positions = Trees.instance(task).getSourcePositions();
      for (CompilationUnitTree unit : task.parse()) {
        inspect(unit, positions);
        units++;
      }
    }
    warnings.forEach(warning -> System.out.println("size warning: " + warning));
    assertThat(units).isEqualTo(sources.all().size());
  }

  private void inspect(CompilationUnitTree unit, SourcePositions positions) {
    String file = sources.name(Path.of(unit.getSourceFile().toUri()));
    LineMap lines = unit.getLineMap();
    warnIf(lines.getLineNumber(positions.getEndPosition(unit, unit)), FILE_LINES, file, "lines");
    new TreeScanner<@Nullable Void, @Nullable Void>() {
      @Override
      public @Nullable Void visitMethod(MethodTree method, @Nullable Void nothing) {
        long start = lines.getLineNumber(positions.getStartPosition(unit, method));
        long end = lines.getLineNumber(positions.getEndPosition(unit, method));
        String name = file + ":" + start + " " + method.getName();
        warnIf(end - start + 1, METHOD_LINES, name, "lines");
        if (method.getReturnType() == null) {
          warnIf(method.getParameters().size(), CONSTRUCTOR_PARAMETERS, name, "parameters");
        }
        return super.visitMethod(method, null);
      }
    }.scan(unit, null);
  }

  private void warnIf(long size, int limit, String what, String unit) {
    if (size > limit) {
      warnings.add("%s has %d %s (over %d)".formatted(what, size, unit, limit));
    }
  }
}
