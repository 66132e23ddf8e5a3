package io.github.limiterkit.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The same over HTTP/2, in containers that speak it without TLS. */
interface Http2Contract extends Fixture {

  @Test
  @DisplayName("PR-1, PR-2: over HTTP/2 the fields are the same, and a refusal is an answer")
  default void speaksHttp2() throws Exception {
    int port = start(app(p()));
    HttpClient client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_2).build();
    HttpRequest request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/")).build();
    List<HttpResponse<String>> responses = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      responses.add(client.send(request, HttpResponse.BodyHandlers.ofString()));
    }
    assertThat(responses)
        .allMatch(response -> response.version() == HttpClient.Version.HTTP_2)
        .extracting(HttpResponse::statusCode)
        .containsExactly(200, 200, 429);
    HttpResponse<String> refused = responses.get(2);
    assertThat(refused.body()).isEqualTo(BODY);
    assertThat(refused.headers().allValues("ratelimit")).containsExactly("\"p\";r=0;t=3600");
    assertThat(refused.headers().allValues("retry-after")).containsExactly("3600");
    assertThat(responses.get(1).headers().allValues("ratelimit"))
        .containsExactly("\"p\";r=0;t=3600");
  }
}
