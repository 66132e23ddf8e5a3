package io.github.limiterkit.http.answer;

import java.util.Collection;
import java.util.function.Predicate;

/** Joins our members of a list field to those that another component has set. */
public final class FieldList {

  private FieldList() {}

  /**
   * Appends our members to those of others.
   *
   * @param present the field's lines as they stand on the response, perhaps none; not only ours,
   *     and not necessarily well-formed
   * @param isOurs whether a name is one of ours, whoever wrote it: such a member is dropped, for
   *     what is said of it now is in {@code members}
   * @param members our members, perhaps empty
   * @return the value for the one line that the field is to have, perhaps empty
   */
  public static String join(Collection<String> present, Predicate<String> isOurs, String members) {
    if (present.isEmpty()) {
      return members;
    }
    StringBuilder joined = new StringBuilder();
    for (String line : present) {
      if (line != null) {
        appendForeign(joined, line, isOurs);
      }
    }
    if (!members.isEmpty()) {
      RateLimitFields.comma(joined).append(members);
    }
    return joined.toString();
  }

  private static void appendForeign(StringBuilder out, String line, Predicate<String> isOurs) {
    int from = 0;
    while (from < line.length()) {
      int to = Quoted.end(line, from, ',');
      String member = line.substring(from, to).strip();
      if (!member.isEmpty() && !isOurs.test(name(member))) {
        RateLimitFields.comma(out).append(member);
      }
      from = to + 1;
    }
  }

  /** The quoted text that a member begins with; our names have nothing to unescape. */
  private static String name(String member) {
    int end = member.indexOf('"', 1);
    return member.charAt(0) == '"' && end > 0 ? member.substring(1, end) : "";
  }
}
