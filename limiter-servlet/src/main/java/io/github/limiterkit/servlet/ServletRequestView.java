package io.github.limiterkit.servlet;

import io.github.limiterkit.http.RequestView;
import jakarta.servlet.http.HttpServletRequest;
import java.security.Principal;
import java.util.Collections;
import java.util.Enumeration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A servlet request as the rules see it. */
final class ServletRequestView implements RequestView {

  private final HttpServletRequest request;

  ServletRequestView(HttpServletRequest request) {
    this.request = request;
  }

  @Override
  public String method() {
    return request.getMethod();
  }

  @Override
  public @Nullable String path() {
    try {
      // Decoded and without path parameters, unlike the request URI.
      String servletPath = request.getServletPath();
      String pathInfo = request.getPathInfo();
      return pathInfo == null ? servletPath : servletPath + pathInfo;
    } catch (IllegalArgumentException undecodable) {
      return null;
    }
  }

  @Override
  public List<String> headers(String name) {
    Enumeration<String> lines = request.getHeaders(name);
    return lines == null || !lines.hasMoreElements() ? List.of() : Collections.list(lines);
  }

  @Override
  public @Nullable String remoteAddress() {
    return request.getRemoteAddr();
  }

  @Override
  public @Nullable String principal() {
    Principal user = request.getUserPrincipal();
    return user == null ? null : user.getName();
  }

  @Override
  public @Nullable Object attribute(String name) {
    return request.getAttribute(name);
  }

  @Override
  public void attribute(String name, Object value) {
    request.setAttribute(name, value);
  }
}
