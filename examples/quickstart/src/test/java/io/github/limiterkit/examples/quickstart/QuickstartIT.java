package io.github.limiterkit.examples.quickstart;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The quickstart over its socket, as a newcomer sees it. */
class QuickstartIT {

  private static final Duration SOON = Duration.ofSeconds(5);

  private final HttpClient client = HttpClient.newHttpClient();
  private Quickstart quickstart;

  @BeforeEach
  void start() throws Exception {
    quickstart = Quickstart.start(0, null);
  }

  @AfterEach
  void stop() {
    quickstart.close();
  }

  @Test
  void refusesTheSixthHello() throws Exception {
    for (int i = 0; i < 5; i++) {
      HttpResponse<String> hello = get("/hello");
      assertThat(hello.statusCode()).isEqualTo(200);
      assertThat(source(hello)).isEqualTo("shared");
    }
    HttpResponse<String> sixth = get("/hello");

    assertThat(sixth.statusCode()).isEqualTo(429);
    assertThat(sixth.headers().firstValueAsLong("Retry-After").orElseThrow()).isBetween(1L, 10L);
    assertThat(sixth.headers().firstValue("Content-Type")).contains("application/problem+json");
    assertThat(get("/status").body())
        .contains("\"mode\":\"SHARED\"")
        .contains("\"hello\":{\"shared\":{\"allowed\":5,\"refused\":1}}");
  }

  @Test
  void countsOrdersByUserAndWithoutAKnownKeyByAddress() throws Exception {
    for (int i = 0; i < 10; i++) {
      assertThat(get("/api/orders", "X-Api-Key", "demo-1").statusCode()).isEqualTo(200);
    }
    HttpResponse<String> eleventh = get("/api/orders", "X-Api-Key", "demo-1");
    assertThat(eleventh.statusCode()).isEqualTo(429);
    assertThat(eleventh.headers().firstValue("RateLimit-Policy")).contains("\"orders\";q=10;w=60");

    assertThat(get("/api/orders", "X-Api-Key", "demo-2").statusCode()).isEqualTo(200);
    assertThat(get("/api/orders", "X-Api-Key", "guess").statusCode()).isEqualTo(401);
  }

  @Test
  void limitsLogins() throws Exception {
    for (int i = 0; i < 3; i++) {
      assertThat(login("guess").statusCode()).isEqualTo(401);
    }
    assertThat(login("demo").statusCode()).isEqualTo(429);
  }

  @Test
  void limitsOnWhenItsRedisIsKilled() throws Exception {
    get("/hello");
    long pid = redisPid();

    ProcessHandle.of(pid).orElseThrow().destroyForcibly();

    Awaitility.await().atMost(SOON).until(() -> source(get("/hello")).equals("local"));
    Awaitility.await().atMost(SOON).until(() -> get("/hello").statusCode() == 429);
    assertThat(get("/status").body())
        .contains("\"mode\":\"DEGRADED\"")
        .contains("\"redisAlive\":false")
        .contains("\"redisPid\":" + pid);
  }

  @Test
  void showsALivePageThatNeedsNothingFromElsewhere() throws Exception {
    HttpResponse<String> page = get("/");

    assertThat(page.statusCode()).isEqualTo(200);
    assertThat(page.headers().firstValue("Content-Type").orElseThrow()).startsWith("text/html");
    assertThat(page.headers().firstValue("RateLimit")).as("the page is unlimited").isEmpty();
    assertThat(page.body()).doesNotContain("src=\"http", "href=\"http", "@import");
  }

  @Test
  void takesItsRedisAlongWhenItStops() throws Exception {
    long pid = redisPid();

    quickstart.close();

    assertThat(ProcessHandle.of(pid).filter(ProcessHandle::isAlive)).isEmpty();
  }

  private HttpResponse<String> get(String path, String... headers)
      throws IOException, InterruptedException {
    HttpRequest.Builder request = HttpRequest.newBuilder(url(path));
    if (headers.length > 0) {
      request.headers(headers);
    }
    return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
  }

  private HttpResponse<String> login(String password) throws IOException, InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(url("/login"))
            .header("Content-Type", "application/x-www-form-urlencoded")
            .POST(HttpRequest.BodyPublishers.ofString("user=demo&password=" + password))
            .build();
    return client.send(request, HttpResponse.BodyHandlers.ofString());
  }

  private long redisPid() throws IOException, InterruptedException {
    String json = get("/status").body();
    Matcher pid = Pattern.compile("\"redisPid\":(\\d+)").matcher(json);
    assertThat(pid.find()).as(json).isTrue();
    return Long.parseLong(pid.group(1));
  }

  private URI url(String path) {
    return URI.create("http://127.0.0.1:" + quickstart.port() + path);
  }

  private static String source(HttpResponse<String> response) {
    return response.headers().firstValue("Limiter-Source").orElse("");
  }
}
