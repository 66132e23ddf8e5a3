package io.github.limiterkit.jaxrs;

import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.container.AsyncResponse;
import jakarta.ws.rs.container.Suspended;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.core.StreamingOutput;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.net.URI;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;

/** Resources of all the shapes that annotations come in. */
final class Resources {

  private Resources() {}

  /** Methods with annotations and without. */
  @Path("r")
  public static class Plain {
    final AtomicInteger handled = new AtomicInteger();

    @GET
    @Path("lim")
    @RateLimited("p")
    @Produces("text/plain")
    public String lim() {
      handled.incrementAndGet();
      return "lim";
    }

    @POST
    @Path("lim")
    @RateLimited("p")
    @Consumes("application/json")
    @Produces("text/plain")
    public String post(String body) {
      handled.incrementAndGet();
      return "posted " + body.length();
    }

    @GET
    @Path("free")
    public String free() {
      return "free";
    }

    @GET
    @Path("two")
    @RateLimited({"a", "b"})
    public String two() {
      return "two";
    }

    @GET
    @Path("user")
    @RateLimited("user")
    public String user() {
      return "user";
    }

    @GET
    @Path("own")
    @RateLimited("p")
    public Response own() {
      return Response.ok("own").header("RateLimit", "\"app\";r=1").build();
    }

    @GET
    @Path("total")
    @RateLimited("p")
    public Response total() {
      return Response.ok("total").header("Access-Control-Expose-Headers", "X-Total").build();
    }

    @GET
    @Path("away")
    @RateLimited("p")
    public Response away() {
      return Response.seeOther(URI.create("r/free")).build();
    }

    @GET
    @Path("fails")
    @RateLimited("p")
    public String fails() {
      throw new IllegalStateException("on purpose");
    }

    @GET
    @Path("stream")
    @RateLimited("p")
    public StreamingOutput stream() {
      return out -> {
        for (int i = 0; i < 200; i++) {
          out.write(new byte[1000]);
          out.flush();
        }
      };
    }

    @GET
    @Path("stage")
    @RateLimited("p")
    public CompletionStage<String> stage() {
      return CompletableFuture.supplyAsync(() -> "stage");
    }

    @GET
    @Path("suspended")
    @RateLimited("p")
    public void suspended(@Suspended AsyncResponse response) {
      Thread thread = new Thread(() -> response.resume("suspended"));
      thread.start();
    }
  }

  /** The class's annotation is for all methods but those that say otherwise. */
  @Path("c")
  @RateLimited("class")
  public static class Annotated {
    @GET
    public String plain() {
      return "plain";
    }

    @GET
    @Path("method")
    @RateLimited("p")
    public String method() {
      return "method";
    }

    @GET
    @Path("unlimited")
    @Unlimited
    public String unlimited() {
      return "unlimited";
    }
  }

  /** Carries the annotation for its subclasses. */
  @RateLimited("class")
  public static class Base {
    @RateLimited("p")
    public String overridden() {
      return "base";
    }
  }

  /** Inherits it. */
  @Path("e")
  public static class Extending extends Base {
    @GET
    public String get() {
      return "extending";
    }

    @GET
    @Path("overridden")
    @Override
    public String overridden() {
      return "overridden";
    }
  }

  /** Inherits nothing that limits. */
  @Path("u")
  @Unlimited
  public static class Lifted extends Base {
    @GET
    public String get() {
      return "lifted";
    }
  }

  /** Carries the annotation for its implementations. */
  public interface Api<T> {
    @GET
    @RateLimited("p")
    String get();

    @RateLimited("b")
    String generic(T value);
  }

  /** Repeats no annotation. */
  @Path("i1")
  public static class Silent implements Api<String> {
    @Override
    public String get() {
      return "silent";
    }

    @Override
    public String generic(String value) {
      return "generic";
    }
  }

  /** Repeats some, and so loses the interface's for the implementations of REST, not for us. */
  @Path("i2")
  public static class Repeating implements Api<String> {
    @GET
    @Override
    public String get() {
      return "repeating";
    }

    @POST
    @Override
    public String generic(String value) {
      return "generic";
    }
  }

  /** An annotation of the user's own. */
  @RateLimited("p")
  @Retention(RetentionPolicy.RUNTIME)
  @Target({ElementType.METHOD, ElementType.TYPE})
  public @interface LoginLimited {}

  /** Uses it. */
  @Path("m")
  public static class Meta {
    @GET
    @LoginLimited
    public String get() {
      return "meta";
    }
  }

  /** Leads to sub-resources, which no implementation binds annotations to. */
  @Path("l")
  public static class Locating {
    @Path("limited")
    @RateLimited("p")
    public Sub limited() {
      return new Sub();
    }

    @Path("free/{id}")
    public Sub free() {
      return new Sub();
    }

    @Path("wrong")
    public WrongSub wrong() {
      return new WrongSub();
    }
  }

  /** Is led to. */
  public static class Sub {
    @GET
    @Path("a")
    public String a() {
      return "a";
    }

    @GET
    @Path("b")
    @RateLimited("b")
    public String b() {
      return "b";
    }
  }

  /** Names a policy that there is not, where some implementations look only when asked. */
  public static class WrongSub {
    final AtomicInteger handled = new AtomicInteger();

    @GET
    @RateLimited("pp")
    public String get() {
      handled.incrementAndGet();
      return "wrong";
    }
  }

  /** Names a policy that there is not. */
  @Path("wrong")
  public static class Wrong {
    @GET
    @RateLimited("classs")
    public String misspelt() {
      return "wrong";
    }
  }

  /** Names a policy that there is not, on a locator. */
  @Path("wrong")
  public static class WrongLocator {
    @GET
    public String get() {
      return "get";
    }

    @Path("sub")
    @RateLimited("classs")
    public Sub misspelt() {
      return new Sub();
    }
  }
}
