package io.github.limiterkit.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The same over HTTP/2, without TLS: the first request asks for it, all others are streams. */
interface Http2Contract extends Fixture {

  private static HttpClient client() {
    return HttpClient.newBuilder()
        .version(HttpClient.Version.HTTP_2)
        .connectTimeout(Duration.ofSeconds(30))
        .build();
  }

  private static HttpRequest request(int port) {
    return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/"))
        .timeout(Duration.ofSeconds(60))
        .build();
  }

  private static HttpResponse<String> send(HttpClient client, int port) throws Exception {
    HttpResponse<String> response =
        client.send(request(port), HttpResponse.BodyHandlers.ofString());
    assertThat(response.version()).isEqualTo(HttpClient.Version.HTTP_2);
    return response;
  }

  @Test
  @DisplayName("PR-1, PR-2: over HTTP/2 the fields are the same, and a refusal is an answer")
  default void speaksHttp2() throws Exception {
    int port = start(app(p()));
    HttpClient client = client();
    List<HttpResponse<String>> responses = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      responses.add(send(client, port));
    }
    assertThat(responses).extracting(HttpResponse::statusCode).containsExactly(200, 200, 429);
    HttpResponse<String> refused = responses.get(2);
    assertThat(refused.body()).isEqualTo(BODY);
    assertThat(refused.headers().allValues("ratelimit")).containsExactly("\"p\";r=0;t=3600");
    assertThat(refused.headers().allValues("ratelimit-policy")).containsExactly("\"p\";q=2;w=3600");
    assertThat(refused.headers().allValues("retry-after")).containsExactly("3600");
    assertThat(refused.headers().allValues("cache-control")).containsExactly("no-store");
    assertThat(refused.headers().allValues("content-type"))
        .containsExactly("application/problem+json");
    HttpResponse<String> accepted = responses.get(1);
    assertThat(accepted.headers().allValues("ratelimit")).containsExactly("\"p\";r=0;t=3600");
    assertThat(accepted.headers().allValues("retry-after")).isEmpty();
  }

  @Test
  @DisplayName("PR-1, RA-3: over HTTP/2 a client that waits as told is let in")
  default void letsInAfterRetryAfterOverHttp2() throws Exception {
    int port = start(app(p(1)));
    HttpClient client = client();
    send(client, port);
    advance(Duration.ofMillis(1_500));
    String wait = send(client, port).headers().firstValue("retry-after").orElseThrow();

    assertThat(wait).isEqualTo("3599");
    advance(Duration.ofSeconds(Long.parseLong(wait)));
    assertThat(send(client, port).statusCode()).isEqualTo(200);
  }

  @Test
  @DisplayName("PR-1, PR-2: streams of one connection at once are counted one by one, none reset")
  default void countsStreamsOneByOne() throws Exception {
    int port = start(app(p(10)));
    HttpClient client = client();
    send(client, port);
    List<CompletableFuture<HttpResponse<String>>> streams =
        Stream.generate(() -> client.sendAsync(request(port), HttpResponse.BodyHandlers.ofString()))
            .limit(20)
            .toList();
    List<Integer> statuses =
        streams.stream().map(CompletableFuture::join).map(HttpResponse::statusCode).toList();

    assertThat(statuses).filteredOn(status -> status == 200).hasSize(9);
    assertThat(statuses).filteredOn(status -> status == 429).hasSize(11);
    assertThat(handled()).hasValue(10);
    List<String> left =
        streams.stream()
            .map(CompletableFuture::join)
            .filter(response -> response.statusCode() == 200)
            .map(response -> response.headers().firstValue("ratelimit").orElseThrow())
            .toList();
    assertThat(left)
        .containsExactlyInAnyOrderElementsOf(
            IntStream.range(0, 9).mapToObj(r -> "\"p\";r=" + r + ";t=3600").toList());
  }
}
