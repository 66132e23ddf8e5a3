package io.github.limiterkit.servlet;

import static io.github.limiterkit.testing.RawHttp.get;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.limiterkit.http.HttpPolicy;
import io.github.limiterkit.http.Keys;
import io.github.limiterkit.http.address.TrustedProxies;
import io.github.limiterkit.setup.LimiterKit;
import io.github.limiterkit.testing.RawHttp;
import java.io.UncheckedIOException;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/**
 * Bytes that no browser sends. What a container makes of them is its own business (Undertow answers
 * 500 to {@code OPTIONS *} by itself); what gets to the handler has cost one unit, and the filter
 * adds no failure.
 */
interface HostileRequestsContract extends Fixture {

  long PLENTY = 1_000_000;

  /** No answer, for the container has hung up. */
  int HUNG_UP = 0;

  private static String request(String line, String... headers) {
    StringBuilder text = new StringBuilder(line).append("\r\nHost: test\r\n");
    for (String header : headers) {
      text.append(header).append("\r\n");
    }
    return text.append("Connection: close\r\n\r\n").toString();
  }

  /** By what is odd about them. */
  private static Map<String, String> hostile() {
    Map<String, String> all = new LinkedHashMap<>();
    all.put("nothing", request("GET / HTTP/1.1"));
    all.put("HTTP/1.0", "GET / HTTP/1.0\r\n\r\n");
    all.put("HTTP/0.9", "GET /\r\n\r\n");
    all.put("no host", "GET / HTTP/1.1\r\nConnection: close\r\n\r\n");
    all.put("two hosts", request("GET / HTTP/1.1", "Host: other"));
    all.put("a version to come", request("GET / HTTP/9.9"));
    all.put("absolute form", request("GET http://other.example/x HTTP/1.1"));
    all.put("absolute form without a path", request("GET http://other.example HTTP/1.1"));
    all.put("absolute form of another scheme", request("GET ftp://other.example/x HTTP/1.1"));
    all.put("asterisk", request("OPTIONS * HTTP/1.1"));
    all.put("authority form", request("CONNECT other.example:80 HTTP/1.1"));
    all.put("no slash", request("GET x HTTP/1.1"));
    all.put("slashes", request("GET //// HTTP/1.1"));
    all.put("a semicolon", request("GET /; HTTP/1.1"));
    all.put("parameters", request("GET /a;b=c;d/;e HTTP/1.1"));
    all.put("an encoded slash", request("GET /a%2fb HTTP/1.1"));
    all.put("an encoded backslash", request("GET /a%5cb HTTP/1.1"));
    all.put("an encoded null", request("GET /a%00b HTTP/1.1"));
    all.put("a null", request("GET /a\0b HTTP/1.1"));
    all.put("encoded dots", request("GET /a/%2e%2e/%2e%2e/b HTTP/1.1"));
    all.put("dots above the root", request("GET /../../b HTTP/1.1"));
    all.put("half an encoding", request("GET /a%2 HTTP/1.1"));
    all.put("no encoding", request("GET /a%zz HTTP/1.1"));
    all.put("no UTF-8", request("GET /a%ff%fe HTTP/1.1"));
    all.put("UTF-8 that is too long", request("GET /a%c0%af HTTP/1.1"));
    all.put("bytes above ASCII", request("GET /\u00e4\u00ff HTTP/1.1"));
    all.put("a fragment", request("GET /a#b HTTP/1.1"));
    all.put("a query that is none", request("GET /?%&=;%00%ff HTTP/1.1"));
    all.put("a long path", request("GET /" + "a".repeat(6000) + " HTTP/1.1"));
    all.put("a method of its own", request("M-SEARCH / HTTP/1.1"));
    all.put("a method in lower case", request("get / HTTP/1.1"));
    all.put("a folded line", request("GET / HTTP/1.1", "X-Forwarded-For: 1.1.1.1,\r\n 2.2.2.2"));
    all.put("a folded host", "GET / HTTP/1.1\r\nHost: test\r\n x\r\nConnection: close\r\n\r\n");
    all.put("a blank before the colon", request("GET / HTTP/1.1", "X-Forwarded-For : 1.1.1.1"));
    all.put("a line without a colon", request("GET / HTTP/1.1", "X-Forwarded-For"));
    all.put("no name", request("GET / HTTP/1.1", ": 1.1.1.1"));
    all.put("a null in a value", request("GET / HTTP/1.1", "X-Forwarded-For: 1.1.1.1\0"));
    all.put("a bare line end", request("GET / HTTP/1.1", "X-A: b\nX-Forwarded-For: 1.1.1.1"));
    all.put("a bare return", request("GET / HTTP/1.1", "X-A: b\rX-Forwarded-For: 1.1.1.1"));
    all.put("two hundred lines", request("GET / HTTP/1.1", "X-A: b\r\n".repeat(199) + "X-A: b"));
    all.put(
        "a thousand hops", request("GET / HTTP/1.1", "X-Forwarded-For: " + "1.1.1.1,".repeat(900)));
    all.put(
        "fifty lines of hops",
        request("GET / HTTP/1.1", "X-Forwarded-For: 1.1.1.1\r\n".repeat(49) + "X-Forwarded-For:"));
    all.put("two origins", request("OPTIONS / HTTP/1.1", "Origin: a", "Origin: b"));
    all.put("two lengths", request("POST / HTTP/1.1", "Content-Length: 0", "Content-Length: 1"));
    all.put("a negative length", request("POST / HTTP/1.1", "Content-Length: -1"));
    all.put("a length that is none", request("POST / HTTP/1.1", "Content-Length: x"));
    all.put(
        "length and chunks",
        request("POST / HTTP/1.1", "Content-Length: 5", "Transfer-Encoding: chunked")
            + "0\r\n\r\n");
    all.put(
        "chunks twice",
        request("POST / HTTP/1.1", "Transfer-Encoding: chunked, chunked") + "0\r\n\r\n");
    all.put(
        "chunks and identity",
        request("POST / HTTP/1.1", "Transfer-Encoding: chunked, identity") + "0\r\n\r\n");
    all.put("an encoding to come", request("POST / HTTP/1.1", "Transfer-Encoding: xchunked"));
    all.put(
        "a chunk that is none",
        request("POST / HTTP/1.1", "Transfer-Encoding: chunked") + "zz\r\n\r\n");
    all.put(
        "accept what is none",
        request("GET / HTTP/1.1", "Accept: ;;;,q=,*/*;q=9,\"", "Accept: \u00ff/\u00ff"));
    all.put(
        "cookies that are none",
        request("GET / HTTP/1.1", "Cookie: ;=;\"a=b;sid=", "Cookie: sid=\"x"));
    all.put("an upgrade to nothing", request("GET / HTTP/1.1", "Upgrade: x", "Expect: y"));
    return all;
  }

  private static int send(int port, String bytes) {
    try (RawHttp connection = RawHttp.connect(port)) {
      connection.writeUntilHungUp(bytes);
      int status = HUNG_UP;
      do {
        status = connection.read(false).status();
      } while (status == 100);
      return status;
    } catch (UncheckedIOException | ArrayIndexOutOfBoundsException hungUp) {
      return HUNG_UP; // or HTTP/0.9, which has no status
    }
  }

  @Test
  @DisplayName(
      "SE-12, PK-1, IP-5: of hostile requests each that gets to the handler costs one unit")
  default void chargesEveryRequestThatIsHandled() throws Exception {
    HttpPolicy policy =
        HttpPolicy.named("p").limits(PLENTY + "/1d").key(Keys.constant("all")).build();
    LimiterKit kit =
        kit(
            LimiterKit.inMemory()
                .trustedProxies(TrustedProxies.header("X-Forwarded-For").networks("loopback"))
                .route("/*", policy));
    int port = start(app(kit));
    int without = start(new App().servlet("/*", (request, response) -> {}));
    Map<String, String> wrong = new LinkedHashMap<>();
    hostile()
        .forEach(
            (name, bytes) -> {
              int handledBefore = handled().get();
              long leftBefore = left(kit);
              int status = send(port, bytes);
              int ran = handled().get() - handledBefore;
              long cost = leftBefore - left(kit);
              boolean broken = status >= 500 && status != send(without, bytes);
              if (broken || ran > 1 || cost > 1 || cost < ran) {
                wrong.put(name, "status " + status + ", handled " + ran + ", cost " + cost);
              }
            });
    assertThat(wrong).isEmpty();
    assertThat(handled().get()).as("some of them are let through by any container").isPositive();
  }

  private static long left(LimiterKit kit) {
    return kit.usage("p", "const:all").get(0).remaining();
  }

  @Test
  @DisplayName(
      "IP-5, SF-1: once a client is refused, no oddity gets it to the handler, and none a 500")
  default void letsNoOddityThrough() throws Exception {
    LimiterKit kit =
        kit(
            LimiterKit.inMemory()
                .exempt("/free/*", "*.css")
                .route("/*", Fixture.policy("p", "1/1h")));
    int port = start(app(kit));
    int without = start(new App().servlet("/*", (request, response) -> {}));
    assertThat(get(port, "/").status()).isEqualTo(200);
    Map<String, Integer> wrong = new LinkedHashMap<>();
    hostile()
        .forEach(
            (name, bytes) -> {
              int status = send(port, bytes);
              if (status >= 500 && status != send(without, bytes)) {
                wrong.put(name, status);
              }
            });
    assertThat(wrong).isEmpty();
    assertThat(handled()).hasValue(1);
  }
}
