/**
 * Client addresses: from the text a container hands over to the text that is counted.
 *
 * <p>Nothing here asks DNS, and nothing here throws because of what a client sent.
 */
@NullMarked
package io.github.limiterkit.http.address;

import org.jspecify.annotations.NullMarked;
