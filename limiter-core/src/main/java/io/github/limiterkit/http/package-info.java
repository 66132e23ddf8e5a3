/**
 * The rules of HTTP that every adapter shares: which policies a request is charged to, on whose
 * account, and what it is told.
 *
 * <p>An adapter hands in a {@link io.github.limiterkit.http.RequestView} and gets back a {@link
 * io.github.limiterkit.http.Verdict}; no type of a framework is known here.
 */
@NullMarked
package io.github.limiterkit.http;

import org.jspecify.annotations.NullMarked;
