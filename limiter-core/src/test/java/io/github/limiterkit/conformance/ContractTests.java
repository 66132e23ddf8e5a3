package io.github.limiterkit.conformance;

import com.sun.source.tree.AnnotationTree;
import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.ExpressionTree;
import com.sun.source.tree.LiteralTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.Tree;
import com.sun.source.util.JavacTask;
import com.sun.source.util.TreeScanner;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.lang.model.element.Modifier;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/**
 * The tests of one module that name rules, as {@code @DisplayName("SE-1, HT-074: ...")}, and the
 * containers that each of them runs in. Read from the sources by the compiler's own parser, so that
 * a comment is no test.
 */
final class ContractTests {

  private static final Set<String> TESTS =
      Set.of("Test", "ParameterizedTest", "Property", "TestFactory", "RepeatedTest");
  private static final Pattern IDS = Pattern.compile("^([A-Z]{2}-\\d+)(, |:| |$)");

  private final List<NamedTest> tests = new ArrayList<>();
  private final Map<String, Type> types = new TreeMap<>();

  private ContractTests() {}

  /** What a test names, where it is written, and where it runs; nowhere but here if empty. */
  record NamedTest(List<String> ids, String module, String type, String method, Set<String> in) {}

  /** A class or an interface: what it extends, and the container that it stands for, if any. */
  private record Type(Set<String> supertypes, String container) {}

  /** Reads {@code src/test/java} of a module that lies beside this one. */
  static List<NamedTest> of(String module) throws IOException {
    ContractTests found = new ContractTests();
    for (CompilationUnitTree unit : parse(Path.of("..", module, "src/test/java"))) {
      new Reader(found, module).scan(unit, null);
    }
    return found.tests.stream().map(found::placed).toList();
  }

  private static Iterable<? extends CompilationUnitTree> parse(Path folder) throws IOException {
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null);
        Stream<Path> paths = Files.walk(folder)) {
      List<Path> sources = paths.filter(path -> path.toString().endsWith(".java")).toList();
      JavacTask task =
          (JavacTask)
              compiler.getTask(
                  null, files, null, null, null, files.getJavaFileObjectsFromPaths(sources));
      return task.parse();
    }
  }

  private NamedTest placed(NamedTest test) {
    Set<String> containers = new TreeSet<>();
    types.forEach(
        (name, type) -> {
          if (!type.container().isEmpty() && isA(name, test.type())) {
            containers.addAll(List.of(type.container().split(", ")));
          }
        });
    return new NamedTest(test.ids(), test.module(), test.type(), test.method(), containers);
  }

  private boolean isA(String name, String other) {
    Type type = types.get(name);
    return name.equals(other)
        || (type != null && type.supertypes().stream().anyMatch(above -> isA(above, other)));
  }

  /** Walks through one file. */
  private static final class Reader extends TreeScanner<Void, Void> {
    private final ContractTests found;
    private final String module;
    private String type = "";

    private Reader(ContractTests found, String module) {
      this.found = found;
      this.module = module;
    }

    @Override
    public Void visitClass(ClassTree tree, Void nothing) {
      String outer = type;
      type = tree.getSimpleName().toString();
      Set<String> supertypes = new TreeSet<>();
      if (tree.getExtendsClause() != null) {
        supertypes.add(simple(tree.getExtendsClause()));
      }
      tree.getImplementsClause().forEach(above -> supertypes.add(simple(above)));
      boolean runs =
          tree.getKind() == Tree.Kind.CLASS
              && !tree.getModifiers().getFlags().contains(Modifier.ABSTRACT);
      String container = runs ? displayName(tree.getModifiers().getAnnotations()) : "";
      found.types.put(type, new Type(supertypes, container));
      super.visitClass(tree, null);
      type = outer;
      return null;
    }

    @Override
    public Void visitMethod(MethodTree tree, Void nothing) {
      List<? extends AnnotationTree> annotations = tree.getModifiers().getAnnotations();
      if (annotations.stream().anyMatch(one -> TESTS.contains(simple(one.getAnnotationType())))) {
        List<String> ids = ids(displayName(annotations));
        if (!ids.isEmpty()) {
          found.tests.add(new NamedTest(ids, module, type, tree.getName().toString(), Set.of()));
        }
      }
      return super.visitMethod(tree, null);
    }

    private static String displayName(List<? extends AnnotationTree> annotations) {
      for (AnnotationTree one : annotations) {
        if (simple(one.getAnnotationType()).equals("DisplayName")) {
          StringBuilder text = new StringBuilder();
          one.getArguments().forEach(argument -> text.append(text(argument)));
          return text.toString();
        }
      }
      return "";
    }

    /** The text of a literal, or of several with plus signs between them. */
    private static String text(ExpressionTree tree) {
      StringBuilder text = new StringBuilder();
      new TreeScanner<Void, Void>() {
        @Override
        public Void visitLiteral(LiteralTree literal, Void nothing) {
          text.append(literal.getValue());
          return null;
        }
      }.scan(tree, null);
      return text.toString();
    }

    private static String simple(Tree name) {
      String text = name.toString().replaceFirst("<.*", "");
      return text.substring(text.lastIndexOf('.') + 1);
    }
  }

  /** Those that a display name begins with. */
  static List<String> ids(String displayName) {
    List<String> ids = new ArrayList<>();
    String rest = displayName;
    for (Matcher id = IDS.matcher(rest); id.find(); id = IDS.matcher(rest)) {
      ids.add(id.group(1));
      if (!id.group(2).equals(", ")) {
        break;
      }
      rest = rest.substring(id.end());
    }
    return ids;
  }
}
