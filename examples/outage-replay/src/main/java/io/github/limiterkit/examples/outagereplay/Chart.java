package io.github.limiterkit.examples.outagereplay;

import java.util.List;
import java.util.Locale;

/**
 * Lines over one axis, as an SVG that takes its colours from the page around it.
 *
 * @param title above it
 * @param xTitle below the horizontal axis
 * @param yTitle above the vertical axis
 * @param xMost where the horizontal axis ends
 * @param bands parts of the horizontal axis that are shaded
 * @param lines what is drawn, the first at the bottom
 */
record Chart(
    String title, String xTitle, String yTitle, double xMost, List<Band> bands, List<Line> lines) {

  private static final int WIDTH = 600;
  private static final int HEIGHT = 300;
  private static final int LEFT = 56;
  private static final int RIGHT = 14;
  private static final int TOP = 56;
  private static final int BOTTOM = 44;
  private static final int TICKS = 5;

  /**
   * A shaded part.
   *
   * @param from where it begins
   * @param to where it ends
   * @param name written into it
   */
  record Band(double from, double to, String name) {}

  /**
   * A line; where it is not a number there is a gap.
   *
   * @param name in the legend
   * @param style class of the page's style sheet
   * @param points from left to right
   */
  record Line(String name, String style, List<Point> points) {}

  /**
   * A point of a line.
   *
   * @param x 0 or more
   * @param y 0 or more, or not a number
   */
  record Point(double x, double y) {}

  String svg() {
    double step = step(most());
    double yMost = Math.max(step, Math.ceil(most() / step - 1e-9) * step);
    StringBuilder svg = new StringBuilder();
    svg.append(
        text("<svg viewBox='0 0 %d %d' role='img' aria-label='%s'>\n", WIDTH, HEIGHT, title));
    svg.append(text("<text class='title' x='%d' y='18'>%s</text>\n", 4, title));
    legend(svg);
    for (Band band : bands) {
      svg.append(
          text(
              "<rect class='band' x='%.1f' y='%d' width='%.1f' height='%d'/>\n",
              x(band.from()), TOP, x(band.to()) - x(band.from()), HEIGHT - TOP - BOTTOM));
      svg.append(
          text(
              "<text class='note' x='%.1f' y='%d' text-anchor='middle'>%s</text>\n",
              (x(band.from()) + x(band.to())) / 2, TOP + 13, band.name()));
    }
    for (int i = 0; i * step <= yMost * 1.0001; i++) {
      double y = y(i * step, yMost);
      svg.append(
          text(
              "<line class='grid' x1='%d' x2='%d' y1='%.1f' y2='%.1f'/>\n",
              LEFT, WIDTH - RIGHT, y, y));
      svg.append(
          text(
              "<text x='%d' y='%.1f' text-anchor='end'>%s</text>\n",
              LEFT - 6, y + 4, label(i * step, step)));
    }
    double xStep = step(xMost);
    for (int i = 0; i * xStep <= xMost * 1.0001; i++) {
      double x = x(i * xStep);
      svg.append(
          text(
              "<line class='axis' x1='%.1f' x2='%.1f' y1='%d' y2='%d'/>\n",
              x, x, HEIGHT - BOTTOM, HEIGHT - BOTTOM + 4));
      svg.append(
          text(
              "<text x='%.1f' y='%d' text-anchor='middle'>%s</text>\n",
              x, HEIGHT - BOTTOM + 17, label(i * xStep, xStep)));
    }
    svg.append(
        text(
            "<line class='axis' x1='%d' x2='%d' y1='%d' y2='%d'/>\n",
            LEFT, WIDTH - RIGHT, HEIGHT - BOTTOM, HEIGHT - BOTTOM));
    svg.append(
        text(
            "<text x='%d' y='%d' text-anchor='end'>%s</text>\n",
            WIDTH - RIGHT, HEIGHT - 8, xTitle));
    svg.append(text("<text x='4' y='%d'>%s</text>\n", TOP - 8, yTitle));
    lines.forEach(line -> draw(svg, line, yMost));
    return svg.append("</svg>\n").toString();
  }

  private void legend(StringBuilder svg) {
    double x = LEFT + 90;
    for (Line line : lines) {
      svg.append(
          text(
              "<line class='line %s' x1='%.1f' x2='%.1f' y1='%d' y2='%d'/>\n",
              line.style(), x, x + 22, TOP - 12, TOP - 12));
      svg.append(text("<text x='%.1f' y='%d'>%s</text>\n", x + 27, TOP - 8, line.name()));
      x += 42 + 6.6 * line.name().length();
    }
  }

  private void draw(StringBuilder svg, Line line, double yMost) {
    StringBuilder path = new StringBuilder();
    boolean pen = false;
    for (Point point : line.points()) {
      boolean there = Double.isFinite(point.y());
      if (there) {
        path.append(text("%s%.1f %.1f", pen ? "L" : "M", x(point.x()), y(point.y(), yMost)));
      }
      pen = there;
    }
    svg.append(text("<path class='line %s' d='%s'/>\n", line.style(), path));
  }

  private double x(double value) {
    return LEFT + value / xMost * (WIDTH - LEFT - RIGHT);
  }

  private static double y(double value, double most) {
    return HEIGHT - BOTTOM - value / most * (HEIGHT - TOP - BOTTOM);
  }

  private double most() {
    double most =
        lines.stream()
            .flatMap(line -> line.points().stream())
            .mapToDouble(Point::y)
            .filter(Double::isFinite)
            .max()
            .orElse(0);
    return most == 0 ? 1 : most;
  }

  /** 1, 2 or 5 and zeros, so that there are about five of them. */
  private static double step(double most) {
    double rough = most / TICKS;
    double ten = Math.pow(10, Math.floor(Math.log10(rough)));
    double part = rough / ten;
    return (part <= 1 ? 1 : part <= 2 ? 2 : part <= 5 ? 5 : 10) * ten;
  }

  private static String label(double value, double step) {
    int digits = step >= 1 ? 0 : (int) Math.ceil(-Math.log10(step) - 1e-9);
    return String.format(Locale.ROOT, "%,." + digits + "f", value);
  }

  private static String text(String format, Object... values) {
    return String.format(Locale.ROOT, format, values);
  }
}
