package io.github.limiterkit.examples.quickstart;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.limiterkit.setup.LimiterKit;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.ToolProvider;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

/** Compiles every piece of Java in the documents, and uses every piece of XML. */
class DocsSnippetsTest {

  private static final Path ROOT = Path.of("..", "..");
  private static final Pattern BLOCK = Pattern.compile("(?ms)^```(\\w+)\\n(.*?)^```$");

  /** What a reader of the documents is expected to import. */
  private static final String IMPORTS =
      """
      import static io.github.limiterkit.WhenStoreFails.*;
      import static io.github.limiterkit.http.HeaderMode.*;
      import com.codahale.metrics.MetricRegistry;
      import com.codahale.metrics.health.HealthCheckRegistry;
      import io.github.limiterkit.*;
      import io.github.limiterkit.http.*;
      import io.github.limiterkit.http.address.*;
      import io.github.limiterkit.http.answer.*;
      import io.github.limiterkit.jaxrs.*;
      import io.github.limiterkit.metrics.*;
      import io.github.limiterkit.redis.*;
      import io.github.limiterkit.servlet.*;
      import io.github.limiterkit.setup.*;
      import jakarta.servlet.*;
      import jakarta.servlet.annotation.*;
      import jakarta.servlet.http.*;
      import jakarta.ws.rs.*;
      import java.time.Duration;
      import java.util.EnumSet;
      import java.util.List;
      import java.util.concurrent.atomic.AtomicLong;
      import org.glassfish.jersey.server.ResourceConfig;
      import org.springframework.boot.web.servlet.FilterRegistrationBean;
      import org.springframework.context.annotation.Bean;
      import org.springframework.context.annotation.Configuration;
      """;

  /** What a snippet may speak of that the text around it has introduced. */
  private static final String GIVEN =
      """
        LimiterKit kit;
        HttpPolicy perClient;
        HttpPolicy login;
        HttpPolicy orders;
        ServletContext servletContext;
        ResourceConfig resourceConfig;
        MetricRegistry metricRegistry;
        HealthCheckRegistry healthCheckRegistry;
        HttpServletRequest request;
        List<String> batch;
      """;

  @TempDir Path directory;

  /** One block of one document. */
  private record Snippet(Path file, int number, String language, String text) {

    String title() {
      return file.getFileName() + ", block " + number + " (" + language + ")";
    }
  }

  @TestFactory
  Stream<DynamicTest> javaCompiles() throws IOException {
    return snippets("java")
        .map(snippet -> DynamicTest.dynamicTest(snippet.title(), () -> compile(snippet)));
  }

  @TestFactory
  Stream<DynamicTest> xmlWorks() throws IOException {
    return snippets("xml")
        .map(snippet -> DynamicTest.dynamicTest(snippet.title(), () -> use(snippet)));
  }

  @TestFactory
  Stream<DynamicTest> yamlConfiguresAKit() throws IOException {
    return snippets("yaml")
        .map(snippet -> DynamicTest.dynamicTest(snippet.title(), () -> configures(snippet)));
  }

  @Test
  void namesTheVersionsThatTheBuildUses() throws IOException {
    String pom = Files.readString(ROOT.resolve("pom.xml"));
    String readme = Files.readString(ROOT.resolve("README.md"));
    for (String library :
        List.of("jedis", "metrics", "jetty", "tomcat", "undertow", "jersey", "resteasy", "cxf")) {
      assertThat(readme).as(library).contains("| " + version(pom, library) + " |");
    }
    assertThat(readme)
        .contains(
            "| " + version(pom, "jedis.oldest") + ", " + version(pom, "jedis.between") + " |");
  }

  private static String version(String pom, String library) {
    Matcher version =
        Pattern.compile("<" + library + ".version>(.*?)</" + library + ".version>").matcher(pom);
    assertThat(version.find()).as(library).isTrue();
    return version.group(1);
  }

  @Test
  void keepsTheLinesToCopyOneLineEach() throws IOException {
    String readme = Files.readString(ROOT.resolve("README.md"));
    for (String heading : List.of("Run it", "Test it")) {
      assertThat(readme).containsPattern("## " + heading + "\\n\\n```sh\\n[^\\n]+\\n```\\n");
    }
  }

  private void compile(Snippet snippet) throws IOException {
    boolean declares = snippet.text().contains("class ");
    String body =
        declares
            ? snippet.text()
            : "class Snippet {\n"
                + GIVEN
                + "  void snippet() throws Exception {\n"
                + snippet.text()
                + "  }\n}\n";
    // A public class would have to be in a file of its name.
    Path source = directory.resolve("Snippet.java");
    String path = snippet.text().contains("@Path") ? "" : "import java.nio.file.Path;\n";
    Files.writeString(source, IMPORTS + path + body.replace("public class", "class"));

    StringWriter messages = new StringWriter();
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    boolean compiled =
        compiler
            .getTask(
                messages,
                null,
                null,
                List.of(
                    "-d",
                    directory.toString(),
                    "-proc:none",
                    "-cp",
                    System.getProperty("java.class.path")),
                null,
                compiler.getStandardFileManager(null, null, null).getJavaFileObjects(source))
            .call();
    assertThat(compiled).as(messages.toString()).isTrue();
  }

  private static void use(Snippet snippet) throws Exception {
    Element root =
        DocumentBuilderFactory.newInstance()
            .newDocumentBuilder()
            .parse(new ByteArrayInputStream(snippet.text().getBytes(StandardCharsets.UTF_8)))
            .getDocumentElement();
    switch (root.getTagName()) {
      case "filter" -> buildsAKit(root);
      case "dependency" -> isAModule(root);
      case "web-app" -> buildsAKitOfContextParams(root);
      case "init-param" -> assertThat(text(root, "param-name")).isEqualTo("config");
      default -> throw new AssertionError("nobody knows how to try <" + root.getTagName() + ">");
    }
  }

  private static void buildsAKit(Element filter) throws Exception {
    assertThat(Class.forName(text(filter, "filter-class")))
        .isAssignableTo(jakarta.servlet.Filter.class);
    Map<String, String> parameters = new LinkedHashMap<>();
    NodeList params = filter.getElementsByTagName("init-param");
    for (int i = 0; i < params.getLength(); i++) {
      Element param = (Element) params.item(i);
      parameters.put(text(param, "param-name"), text(param, "param-value"));
    }
    LimiterKit.fromParameters("filter", parameters).close();
  }

  private static void buildsAKitOfContextParams(Element application) {
    Map<String, String> parameters = new LinkedHashMap<>();
    NodeList params = application.getElementsByTagName("context-param");
    for (int i = 0; i < params.getLength(); i++) {
      Element param = (Element) params.item(i);
      assertThat(text(param, "param-name")).startsWith("limiterkit.");
      parameters.put(
          text(param, "param-name").substring("limiterkit.".length()), text(param, "param-value"));
    }
    assertThat(parameters.remove("register")).isEqualTo("true");
    LimiterKit.fromParameters("filter", parameters).close();
  }

  private void configures(Snippet snippet) throws IOException {
    Path file = Files.writeString(directory.resolve("limiter.yaml"), snippet.text());
    assertThat(LimiterKit.check(file)).isEmpty();
  }

  private static void isAModule(Element dependency) throws IOException {
    Path pom = ROOT.resolve(text(dependency, "artifactId")).resolve("pom.xml");
    assertThat(Files.readString(pom))
        .contains("<version>" + text(dependency, "version") + "</version>")
        .contains("<groupId>" + text(dependency, "groupId") + "</groupId>");
  }

  private static String text(Element parent, String tag) {
    return parent.getElementsByTagName(tag).item(0).getTextContent().strip();
  }

  private static Stream<Snippet> snippets(String language) throws IOException {
    try (Stream<Path> docs = Files.walk(ROOT.resolve("docs"))) {
      return Stream.concat(
              Stream.of(ROOT.resolve("README.md")),
              docs.filter(file -> file.toString().endsWith(".md")).toList().stream())
          .flatMap(DocsSnippetsTest::snippets)
          .filter(snippet -> snippet.language().equals(language));
    }
  }

  private static Stream<Snippet> snippets(Path file) {
    try {
      Matcher blocks = BLOCK.matcher(Files.readString(file));
      Stream.Builder<Snippet> snippets = Stream.builder();
      for (int number = 1; blocks.find(); number++) {
        snippets.add(new Snippet(file, number, blocks.group(1), blocks.group(2)));
      }
      return snippets.build();
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
  }
}
