package io.github.limiterkit.http;

import java.nio.charset.StandardCharsets;
import java.util.Objects;

/**
 * What to answer in place of the application.
 *
 * <p>The adapter sets the status, the fields of the {@link Verdict}, the type and the length,
 * writes {@link #content()} and ends the request, without touching any other field that is set
 * already.
 *
 * @param status 429, 503, or 403 for a client that is not served
 * @param contentType value of {@code Content-Type}, to be sent as it is
 * @param body the text, also if it is not to be sent
 * @param bodySent whether the method allows a body: false for HEAD
 */
public record Refusal(int status, String contentType, String body, boolean bodySent) {

  /**
   * Takes all parts as they are.
   *
   * @param status 429, 503, or 403 for a client that is not served
   * @param contentType value of {@code Content-Type}
   * @param body the text, also if it is not to be sent
   * @param bodySent whether the method allows a body
   */
  public Refusal {
    Objects.requireNonNull(contentType, "contentType");
    Objects.requireNonNull(body, "body");
  }

  /**
   * The bytes to send.
   *
   * @return UTF-8, none in answer to HEAD
   */
  public byte[] content() {
    return bodySent ? body.getBytes(StandardCharsets.UTF_8) : new byte[0];
  }

  /**
   * The value of {@code Content-Length}.
   *
   * @return the number of bytes, for HEAD that of the answer to GET
   */
  public int contentLength() {
    return body.getBytes(StandardCharsets.UTF_8).length;
  }
}
