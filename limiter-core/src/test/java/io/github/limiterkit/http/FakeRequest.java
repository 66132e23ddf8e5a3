package io.github.limiterkit.http;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** A request made up. */
final class FakeRequest implements RequestView {

  private final String method;
  private final String path;
  private final Map<String, List<String>> headers = new HashMap<>();
  private final Map<String, Object> attributes = new HashMap<>();
  private String remoteAddress = "203.0.113.9";
  private String principal;

  private FakeRequest(String method, String path) {
    this.method = method;
    this.path = path;
  }

  static FakeRequest get(String path) {
    return new FakeRequest("GET", path);
  }

  static FakeRequest of(String method, String path) {
    return new FakeRequest(method, path);
  }

  FakeRequest header(String name, String value) {
    headers.computeIfAbsent(name.toLowerCase(Locale.ROOT), any -> new ArrayList<>()).add(value);
    return this;
  }

  FakeRequest from(String address) {
    remoteAddress = address;
    return this;
  }

  FakeRequest user(String name) {
    principal = name;
    return this;
  }

  @Override
  public String method() {
    return method;
  }

  @Override
  public String path() {
    return path;
  }

  @Override
  public List<String> headers(String name) {
    return headers.getOrDefault(name.toLowerCase(Locale.ROOT), List.of());
  }

  @Override
  public String remoteAddress() {
    return remoteAddress;
  }

  @Override
  public String principal() {
    return principal;
  }

  @Override
  public Object attribute(String name) {
    return attributes.get(name);
  }

  @Override
  public void attribute(String name, Object value) {
    attributes.put(name, value);
  }
}
