package io.github.limiterkit.servlet;

import jakarta.servlet.annotation.WebFilter;
import jakarta.servlet.annotation.WebInitParam;

/** What a user writes: an empty class with an annotation. */
@WebFilter(
    urlPatterns = "/*",
    asyncSupported = true,
    initParams = {
      @WebInitParam(name = "name", value = "annotated"),
      @WebInitParam(name = "limits", value = "2/1h")
    })
public class AnnotatedFilter extends RateLimitFilter {}
