/**
 * What an answer says about limits: the {@code RateLimit} fields, {@code Retry-After}, and the body
 * of a refusal.
 *
 * <p>Text in, text out: no request, no route and no key is known here, so none can leak into an
 * answer.
 */
@NullMarked
package io.github.limiterkit.http.answer;

import org.jspecify.annotations.NullMarked;
