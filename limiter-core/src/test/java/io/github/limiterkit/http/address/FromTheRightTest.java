package io.github.limiterkit.http.address;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class FromTheRightTest {

  private static List<String> elements(boolean quotes, String... lines) {
    FromTheRight list = new FromTheRight(List.of(lines), quotes);
    List<String> elements = new ArrayList<>();
    for (String element = list.next(); element != null; element = list.next()) {
      elements.add(element);
    }
    assertThat(list.next()).as("after the end").isNull();
    return elements;
  }

  @Test
  @DisplayName("IP-3, IP-4: all lines, the last element first, and no empty ones")
  void readsAllLines() {
    assertThat(elements(false, "a, b", "c")).containsExactly("c", "b", "a");
    assertThat(elements(false, ", ,a,, ")).containsExactly("a");
    assertThat(elements(false, "", " ", ",")).isEmpty();
    assertThat(elements(false)).isEmpty();
    assertThat(elements(false, "\ta ,\tb\t")).containsExactly("b", "a");
    assertThat(elements(false, "\u00a0a")).as("no blank of HTTP").containsExactly("\u00a0a");
  }

  @Test
  @DisplayName("IP-6: commas in quoted strings, which may hold escaped quotes")
  void knowsQuotedStrings() {
    assertThat(elements(true, "for=\"a,b\", c")).containsExactly("c", "for=\"a,b\"");
    assertThat(elements(true, "x, y=\"a\\\",b\", c")).containsExactly("c", "y=\"a\\\",b\"", "x");
    assertThat(elements(true, "x,\"\\\\\",c")).containsExactly("c", "\"\\\\\"", "x");
    assertThat(elements(true, "x,y=\\\\\"a,b\"")).containsExactly("y=\\\\\"a,b\"", "x");
    assertThat(elements(true, "x,y=\\\\\\\"a,b\"")).containsExactly("x,y=\\\\\\\"a,b\"");
    assertThat(elements(true, "\"a,b\"")).containsExactly("\"a,b\"");
    assertThat(elements(true, "x,y=\"\",z")).containsExactly("z", "y=\"\"", "x");
    assertThat(elements(true, "x,y=\"\\\"\\\"\",z")).containsExactly("z", "y=\"\\\"\\\"\"", "x");
    assertThat(elements(false, "for=\"a,b\"")).as("not a field with strings").hasSize(2);
  }

  @Test
  @DisplayName("IP-6: a quote that a client left open swallows only what the client sent")
  void keepsWhatAProxyAdded() {
    assertThat(elements(true, "for=\", for=a")).first().isEqualTo("for=a");
    assertThat(elements(true, "x, for=\"", "for=a")).first().isEqualTo("for=a");
    assertThat(elements(true, "\\\"a,b\"")).containsExactly("\\\"a,b\"");
  }

  @Test
  @DisplayName("IP-10: 4096 characters are read, and what is cut off is not read as something else")
  void readsSoManyCharacters() {
    String rest = ",b";
    String all = "a".repeat(FromTheRight.MOST_CHARACTERS - rest.length());
    assertThat(elements(false, all + rest)).containsExactly("b", all);
    assertThat(elements(false, "a" + all + rest)).containsExactly("b");
    assertThat(elements(false, all + rest, "c")).containsExactly("c", "b");
    assertThat(elements(false, all.substring(2), "b")).as("a comma more").hasSize(2);
    assertThat(elements(false, "x", all, "b")).first().isEqualTo("b");
    assertThat(elements(false, "x", all.substring(1), "b"))
        .as("no room for anything to the left")
        .containsExactly("b");
    String half = "a".repeat(FromTheRight.MOST_CHARACTERS / 2 - 1);
    assertThat(elements(false, half, half)).containsExactly(half, half);
    assertThat(elements(false, half + "aaa", half)).containsExactly(half);
  }

  @Test
  @DisplayName("IP-10: 64 elements are read, of which empty ones are none")
  void readsSoManyElements() {
    String many = ",a".repeat(FromTheRight.MOST_ELEMENTS + 1);
    assertThat(elements(false, "b," + many)).hasSize(FromTheRight.MOST_ELEMENTS).containsOnly("a");
    String exactly = ",,a".repeat(FromTheRight.MOST_ELEMENTS - 1);
    assertThat(elements(false, "b" + exactly)).hasSize(FromTheRight.MOST_ELEMENTS).contains("b");
  }
}
