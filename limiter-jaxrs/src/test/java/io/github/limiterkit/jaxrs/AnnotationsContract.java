package io.github.limiterkit.jaxrs;

import static io.github.limiterkit.jaxrs.RestFixture.assertPlain;
import static io.github.limiterkit.jaxrs.RestFixture.policy;
import static io.github.limiterkit.jaxrs.RestFixture.remaining;
import static io.github.limiterkit.testing.RawHttp.get;
import static io.github.limiterkit.testing.RawHttp.once;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.github.limiterkit.setup.LimiterKit;
import io.github.limiterkit.testing.RawHttp.Reply;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Which methods annotations are for. */
interface AnnotationsContract extends RestFixture {

  @Test
  @DisplayName("OP-11, HT-135: a method's annotation replaces the class's, @Unlimited lifts it")
  default void readsClassAndMethod() throws Exception {
    int port = start(kit(policies()), new Resources.Annotated());
    assertThat(get(port, "/api/c").one("RateLimit-Policy")).isEqualTo("\"class\";q=9;w=3600");
    assertThat(get(port, "/api/c/method").one("RateLimit-Policy")).isEqualTo("\"p\";q=2;w=3600");
    assertThat(remaining(get(port, "/api/c"))).isEqualTo("7");
    Reply unlimited = get(port, "/api/c/unlimited");
    assertThat(unlimited.body()).isEqualTo("unlimited");
    assertPlain(unlimited);
  }

  @Test
  @DisplayName("OP-11: @Unlimited never lifts a route")
  default void keepsRoutesForTheUnlimited() throws Exception {
    LimiterKit kit = kit(policies().route("/api/c/*", policy("route", "5/1h")));
    int port = start(kit, new Resources.Annotated());
    assertThat(get(port, "/api/c/unlimited").one("RateLimit")).isEqualTo("\"route\";r=4;t=3600");
    assertThat(get(port, "/api/c/method").one("RateLimit"))
        .isEqualTo("\"route\";r=3;t=3600, \"p\";r=1;t=3600");
  }

  @Test
  @DisplayName("OP-4, HT-132, HT-133, HT-134, HT-141: superclasses, interfaces, proxies, own ones")
  default void readsWhatIsInherited() throws Exception {
    int port =
        start(
            kit(policies()),
            new Resources.Extending(),
            new Resources.Lifted(),
            new Resources.Silent(),
            new Resources.Repeating(),
            new Resources.Meta(),
            new Resources.Annotated() {});
    assertThat(get(port, "/api/e").one("RateLimit")).isEqualTo("\"class\";r=8;t=3600");
    assertThat(get(port, "/api/e/overridden").one("RateLimit")).isEqualTo("\"p\";r=1;t=3600");
    assertPlain(get(port, "/api/u"));
    assertThat(get(port, "/api/i1").one("RateLimit")).isEqualTo("\"p\";r=0;t=3600");
    assertThat(once(port, "POST", "/api/i2", "Content-Length: 0").one("RateLimit"))
        .isEqualTo("\"b\";r=1;t=3600");
    assertThat(get(port, "/api/i2").status()).isEqualTo(429);
    assertThat(get(port, "/api/m").status()).isEqualTo(429);
    assertThat(get(port, "/api/c").one("RateLimit")).isEqualTo("\"class\";r=7;t=3600");
  }

  @Test
  @DisplayName("OP-4, JX-2, HT-131: annotations on locators and beneath them")
  default void readsLocators() throws Exception {
    int port = start(kit(policies()), new Resources.Locating());
    assertThat(get(port, "/api/l/limited/a").one("RateLimit")).isEqualTo("\"p\";r=1;t=3600");
    assertThat(get(port, "/api/l/limited/b").one("RateLimit"))
        .isEqualTo("\"p\";r=0;t=3600, \"b\";r=1;t=3600");
    assertThat(get(port, "/api/l/limited/a").status()).isEqualTo(429);
    assertPlain(get(port, "/api/l/free/1/a"));
    assertThat(get(port, "/api/l/free/1/b").one("RateLimit")).isEqualTo("\"b\";r=0;t=3600");
  }

  @Test
  @DisplayName("HT-079, HT-138: two policies on one method are both enforced")
  default void asksTwoPolicies() throws Exception {
    int port = start(kit(policies()));
    assertThat(get(port, "/api/r/two").one("RateLimit"))
        .isEqualTo("\"a\";r=4;t=3600, \"b\";r=1;t=3600");
    get(port, "/api/r/two");
    Reply refused = get(port, "/api/r/two");
    assertThat(refused.status()).isEqualTo(429);
    assertThat(refused.one("RateLimit-Policy")).isEqualTo("\"a\";q=5;w=3600, \"b\";q=2;w=3600");
    assertThat(refused.one("RateLimit")).isEqualTo("\"b\";r=0;t=3600");
    assertThat(refused.body()).contains("\"violated-policies\":[\"b\"]");
  }

  @Test
  @DisplayName("JX-12: a class, as an implementation makes it for every request, is limited too")
  default void limitsClasses() throws Exception {
    int port =
        start(
            new RestApp().with(new RateLimitFeature(kit(policies()))).with(Resources.Plain.class));
    assertThat(remaining(get(port, "/api/r/lim"))).isEqualTo("1");
    assertThat(remaining(get(port, "/api/r/lim"))).isEqualTo("0");
    assertThat(get(port, "/api/r/lim").status()).isEqualTo(429);
  }

  @Test
  @DisplayName("OP-4: a name that no policy has fails the start, naming the method and the nearest")
  default void failsOnUnknownNames() {
    for (Object resource : List.of(new Resources.Wrong(), new Resources.WrongLocator())) {
      LimiterKit kit = kit(policies());
      RestApp app = new RestApp().with(new RateLimitFeature(kit), resource);
      Throwable thrown = catchThrowable(() -> start(app));
      assertThat(thrown)
          .isNotNull()
          .extracting(RestFixture::messages)
          .asString()
          .contains("@RateLimited(\"classs\") on io.github.limiterkit.jaxrs.Resources$Wrong")
          .contains(".misspelt: no policy is named \"classs\"; did you mean \"class\"?");
    }
  }

  @Test
  @DisplayName("OP-4: where nobody tells of a method beforehand, such requests are refused")
  default void refusesUnknownNamesBeneathLocators() throws Exception {
    int port = start(kit(policies()), new Resources.Locating());
    Reply refused = get(port, "/api/l/wrong");

    assertThat(refused.status()).isEqualTo(503);
    assertThat(refused.body()).contains("#temporary-reduced-capacity");
  }
}
