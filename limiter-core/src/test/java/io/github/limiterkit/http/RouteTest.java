package io.github.limiterkit.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RouteTest {

  private static final HttpPolicy P = HttpPolicy.named("p").limits("2/1h").build();

  @DisplayName("OP-9, HT-063, HT-064, HT-066: forms of a path")
  @ParameterizedTest(name = "{0}: {1} {2}")
  @CsvSource({
    "/login, /login, true",
    "/login, /, false",
    "/login, /login/x, false",
    "/login, /login2, false",
    "/login, /x/login, false",
    "/login, /Login, false",
    "/a/b, /a/b, true",
    "/a/b, /a, false",
    "/a/b, /a/bc, false",
    "/, /, true",
    "/, /a, false",
    "/api/*, /api, true",
    "/api/*, /api/x, true",
    "/api/*, /api/x/y, true",
    "/api/*, /apix, false",
    "/api/*, /api.x, false",
    "/api/*, /x/api, false",
    "/api/*, /, false",
    "/*, /, true",
    "/*, /a/b/c, true",
    "*.css, /a.css, true",
    "*.css, /a/b.css, true",
    "*.css, /a.css/b, false",
    "*.css, /acss, false",
    "*.css, /a.CSS, false",
    "*.tar.gz, /x.tar.gz, true",
    "*.tar.gz, /x.gz, false",
    "/users/{id}, /users/7, true",
    "/users/{id}, /users, false",
    "/users/{id}, /users/7/orders, false",
    "/users/{id}/orders, /users/7/orders, true",
    "/users/{id}/orders, /users/7/order, false",
    "/users/{id}/orders, /users/7/orders/1, false",
    "/users/{id}/*, /users/7, true",
    "/users/{id}/*, /users/7/orders/1, true",
    "/users/{id}/*, /users, false",
    "/{a}/{b}, /x/y, true",
    "/{a}/{b}, /x, false",
    "/c++/*, /c++/x, true",
  })
  void matchesPaths(String pattern, String path, boolean expected) {
    assertThat(Route.of(pattern, P).matches("GET", path)).isEqualTo(expected);
  }

  @DisplayName("OP-9: anything else is an error that names the form to use")
  @ParameterizedTest(name = "<{0}>: {1}")
  @CsvSource(
      delimiter = '|',
      value = {
        "''|write /* for every path",
        "login|write /login",
        "/api/**|write /api/*",
        "/**|write /*",
        "/**/x|write /*",
        "/api*|as in /api/*",
        "/a/*/b|write {name}",
        "*|write /*",
        "*.|as in *.css",
        "*.css/x|as in *.css",
        "*.c*|as in *.css",
        "/login/|trailing slashes",
        "//login|doubled",
        "/a/../b|dot segments",
        "/a/./b|dot segments",
        "/a?x=1|without query",
        "/a#b|without query",
        "/a;v=1|path parameters",
        "/%61|decoded",
        "/users/[0-9]+|no regular expressions",
        "/(a|regular expressions",
        "/users/\\d|no regular expressions",
        "/users$|no regular expressions",
        "/users/{id}.json|one whole segment",
        "/users/{}|one whole segment",
        "/users/{id:.}|one whole segment",
        "/users/{id|one whole segment",
      })
  void teachesPaths(String pattern, String advice) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Route.of(pattern, P))
        .withMessageContaining("path \"" + pattern + "\"")
        .withMessageContaining(advice)
        .withMessageContaining(pattern.isEmpty() ? "/login, /api/*" : "forms: ");
  }

  @Test
  @DisplayName("SE-16, HT-070: methods are compared exactly, and none means all")
  void matchesMethods() {
    Route post = Route.of("POST /login", P);
    assertThat(post.matches("POST", "/login")).isTrue();
    assertThat(post.matches("post", "/login")).isFalse();
    assertThat(post.matches("GET", "/login")).isFalse();
    assertThat(post.matches("HEAD", "/login")).isFalse();
    assertThat(post.matches("POST", "/other")).isFalse();

    Route all = Route.of("/*", P);
    for (String method : List.of("GET", "get", "QUERY", "PROPFIND", "FOO", "TRACE", "")) {
      assertThat(all.matches(method, "/a")).isTrue();
    }
  }

  @Test
  @DisplayName("OP-5, HT-068: a rule for GET covers HEAD, but not the other way round")
  void coversHead() {
    assertThat(Route.of("GET /a", P).matches("HEAD", "/a")).isTrue();
    assertThat(Route.of("HEAD /a", P).matches("GET", "/a")).isFalse();
  }

  @Test
  @DisplayName("PK-1: a path that cannot be made out matches every route of its method")
  void matchesWhatCannotBeMadeOut() {
    assertThat(Route.of("/login", P).matches("GET", null)).isTrue();
    assertThat(Route.of("*.css", P).matches("GET", null)).isTrue();
    assertThat(Route.of("POST /login", P).matches("GET", null)).isFalse();
  }

  @Test
  void readsSeveralMethods() {
    Route route = Route.of(List.of("POST", "PUT", "LINK"), "/a", List.of(P, P));
    assertThat(route.matches("PUT", "/a")).isTrue();
    assertThat(route.matches("LINK", "/a")).isTrue();
    assertThat(route.matches("GET", "/a")).isFalse();
    assertThat(route.policies()).containsExactly(P);
    assertThat(route).hasToString("POST PUT LINK /a");
    assertThat(Route.of("  POST   /a ", P)).hasToString("POST /a");
    assertThat(Route.of("/a b", P).matches("GET", "/a b")).isTrue();
  }

  @Test
  void teachesMethods() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Route.of("post /login", P))
        .withMessageContaining("write POST /login");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Route.of("POST, /login", P))
        .withMessageContaining("\"POST,\" is not a method");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Route.of("/login"))
        .withMessageContaining("\"/login\" has no policy");
  }
}
