//===- Plot.cpp -----------------------------------------------------------===//
#include "tools/sim/Plot.h"
#include "tools/sim/SimulatorOptions.h"
#include <algorithm>
#include <cmath>
#include <cstdio>

namespace sluice::simtool {

namespace {

constexpr double kWidth = 460, kHeight = 280, kLeft = 62, kRight = 20, kTop = 30, kBottom = 62;

std::string escaped(const std::string &text) {
  std::string result;
  for (char c : text)
    result += c == '<'   ? "&lt;"
              : c == '>' ? "&gt;"
              : c == '&' ? "&amp;"
              : c == '"' ? "&quot;"
                         : std::string(1, c);
  return result;
}

/// Without digits that say nothing: `50`, `1.5 M`.
std::string tickText(double value) {
  std::string text = shortNumber(value), unit;
  if (size_t space = text.find(' '); space != text.npos) {
    unit = text.substr(space);
    text.resize(space);
  }
  if (text.find('.') != text.npos)
    text.resize(text.find_last_not_of('0') + 1);
  if (text.back() == '.')
    text.pop_back();
  return text + unit;
}

std::string format(const char *text, auto... values) {
  char line[512];
  snprintf(line, sizeof line, text, values...);
  return line;
}

/// The same contender has the same colour everywhere.
std::string colour(const std::string &name, size_t number) {
  constexpr std::pair<const char *, const char *> known[] = {
      {"none", "#999999"},  {"manual", "#a05a2c"}, {"threads", "#4477aa"},
      {"paper", "#cc6600"}, {"model", "#118833"},  {"oracle", "#000000"}};
  for (auto [contender, value] : known)
    if (name == contender)
      return value;
  constexpr const char *others[] = {"#4477aa", "#cc6600", "#118833", "#aa3377",
                                    "#66a0cc", "#999933", "#000000"};
  return others[number % std::size(others)];
}

/// Values to places, and where lines of the grid are.
struct Axis {
  bool log;
  double from, to, start, end;

  Axis(bool log, double low, double high, double start, double end)
      : log(log), start(start), end(end) {
    from = log ? std::log10(low) : std::fmin(0, low);
    to = log ? std::log10(high) : high;
    if (log && to - from < 0.3)
      from -= 0.2, to += 0.2;
    if (!(to > from))
      to = from + 1;
    if (!log)
      to += 0.05 * (to - from);
  }
  double place(double value) const {
    return start + ((log ? std::log10(value) : value) - from) / (to - from) * (end - start);
  }
  std::vector<double> ticks() const {
    std::vector<double> result;
    if (log) {
      for (double power = std::floor(from); power <= to + 1e-9; ++power)
        for (double digit : {1.0, 2.0, 5.0})
          if (double l = power + std::log10(digit);
              l >= from - 1e-9 && l <= to + 1e-9 && (digit == 1 || to - from < 1.7))
            result.push_back(std::pow(10, l));
      return result;
    }
    double step = std::pow(10, std::floor(std::log10((to - from) / 4)));
    for (double factor : {5.0, 2.0})
      if ((to - from) / step > 6)
        step *= factor == 5 && (to - from) / step < 13 ? 2 : factor;
    for (double value = std::ceil(from / step) * step; value <= to; value += step)
      result.push_back(value);
    return result;
  }
};

struct Painter {
  const Chart &chart;
  Axis x, y;
  std::string out;

  void grid() {
    for (double tick : y.ticks()) {
      double at = y.place(tick);
      out += format("<line x1='%.1f' x2='%.1f' y1='%.1f' y2='%.1f' stroke='#ddd'/>", kLeft,
                    kWidth - kRight, at, at);
      out += format("<text x='%.1f' y='%.1f' text-anchor='end'>%s</text>", kLeft - 5, at + 4,
                    tickText(tick).c_str());
    }
    if (chart.names.empty())
      for (double tick : x.ticks())
        out += format("<text x='%.1f' y='%.1f' text-anchor='middle'>%g</text>", x.place(tick),
                      kHeight - kBottom + 15, tick);
    for (size_t i = 0; i < chart.names.size(); ++i)
      out += format("<text x='%.1f' y='%.1f' text-anchor='middle'>", x.place(double(i) + 0.5),
                    kHeight - kBottom + 15) +
             escaped(chart.names[i]) + "</text>";
    out += format("<path d='M%.1f %.1fV%.1fH%.1f' fill='none' stroke='#333'/>", kLeft, kTop,
                  kHeight - kBottom, kWidth - kRight);
    out += format("<text x='%.1f' y='%.1f' text-anchor='middle'>", (kLeft + kWidth - kRight) / 2,
                  kHeight - kBottom + 30) +
           escaped(chart.xLabel) + "</text>";
    out += format("<text transform='translate(13 %.1f) rotate(-90)' text-anchor='middle'>",
                  (kTop + kHeight - kBottom) / 2) +
           escaped(chart.yLabel) + "</text>";
    out += format("<text x='%.1f' y='16' font-weight='bold'>", kLeft) + escaped(chart.title) +
           "</text>";
  }

  void line(const Series &series, const std::string &stroke) {
    std::string path;
    for (auto [px, py] : series.points) {
      if (chart.steps && !path.empty())
        path += format("H%.1f", x.place(px));
      path += format(path.empty() ? "M%.1f %.1f" : "L%.1f %.1f", x.place(px), y.place(py));
    }
    out += "<path fill='none' stroke-width='1.8' stroke='" + stroke + "' d='" + path + "'/>";
    if (series.points.size() <= 24)
      for (auto [px, py] : series.points)
        out += format("<circle r='2.6' cx='%.1f' cy='%.1f' fill='%s'/>", x.place(px), y.place(py),
                      stroke.c_str());
  }

  void bars(const Series &series, size_t number, const std::string &fill) {
    double slot = 0.85 / double(chart.series.size());
    for (auto [px, py] : series.points) {
      double left = x.place(px + 0.075 + slot * double(number)), top = y.place(py);
      out += format("<rect x='%.1f' y='%.1f' width='%.1f' height='%.1f' fill='%s'><title>%s: "
                    "%s</title></rect>",
                    left, top, x.place(slot) - x.place(0) - 1, kHeight - kBottom - top,
                    fill.c_str(), series.name.c_str(), shortNumber(py).c_str());
    }
  }

  void legend() {
    double at = kLeft;
    for (size_t i = 0; i < chart.series.size(); ++i) {
      const std::string &name = chart.series[i].name;
      out += format("<rect x='%.1f' y='%.1f' width='12' height='4' fill='%s'/>", at, kHeight - 14,
                    colour(name, i).c_str());
      out += format("<text x='%.1f' y='%.1f'>", at + 16, kHeight - 8) + escaped(name) + "</text>";
      at += 24 + 5.8 * double(name.size());
    }
  }
};

/// The smallest and largest value above 0 (of all, where the axis is not logarithmic).
std::pair<double, double> range(const Chart &chart, bool ofX, bool log) {
  double low = 1e300, high = -1e300;
  for (const Series &series : chart.series)
    for (auto [x, y] : series.points)
      if (double value = ofX ? x : y; !log || value > 0) {
        low = std::min(low, value);
        high = std::max(high, value);
      }
  return low > high ? std::pair(1.0, 10.0) : std::pair(low, high);
}

} // namespace

std::string toSvg(const Chart &given) {
  Chart chart = given;
  for (Series &series : chart.series) // there is no logarithm of 0
    std::erase_if(series.points, [&](auto p) {
      return (chart.logX && p.first <= 0) || (chart.logY && p.second <= 0);
    });
  auto [x0, x1] = range(chart, true, chart.logX);
  auto [y0, y1] = range(chart, false, chart.logY);
  if (!chart.names.empty())
    x0 = 0, x1 = double(chart.names.size()) / 1.05;
  else if (!chart.logX)
    x1 /= 1.05;
  Painter painter{chart,
                  Axis(chart.logX, x0, x1, kLeft, kWidth - kRight),
                  Axis(chart.logY, y0, y1, kHeight - kBottom, kTop),
                  {}};
  painter.grid();
  for (size_t i = 0; i < chart.series.size(); ++i)
    if (chart.names.empty())
      painter.line(chart.series[i], colour(chart.series[i].name, i));
    else
      painter.bars(chart.series[i], i, colour(chart.series[i].name, i));
  painter.legend();
  return format("<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 %g %g' width='%g' "
                "font-family='sans-serif' font-size='11'>",
                kWidth, kHeight, kWidth) +
         painter.out + "</svg>\n";
}

std::string toPage(const std::string &title, const std::string &notes,
                   const std::vector<Chart> &charts, const std::string &csv) {
  std::string page =
      "<!DOCTYPE html>\n<html lang='en'><meta charset='utf-8'><title>" + escaped(title) +
      "</title>\n<style>body{font:14px "
      "sans-serif;margin:2em;max-width:1500px}table{border-collapse:collapse;"
      "font-size:12px}td,th{padding:2px 9px;text-align:right;border-bottom:1px solid #ddd}"
      "p{max-width:60em}.charts{display:grid;grid-template-columns:repeat(2,460px);gap:8px}</"
      "style>\n<h1>" +
      escaped(title) + "</h1>\n<p>" + escaped(notes) + "</p>\n<div class='charts'>\n";
  for (const Chart &chart : charts)
    page += toSvg(chart);
  page += "</div>\n<details><summary>All figures</summary><table>\n";
  bool first = true;
  for (size_t begin = 0; begin < csv.size();) {
    size_t end = std::min(csv.find('\n', begin), csv.size());
    std::string cell = first ? "th" : "td", line = escaped(csv.substr(begin, end - begin));
    for (size_t at = 0; (at = line.find(',', at)) != line.npos; at += 2 * cell.size() + 5)
      line.replace(at, 1, "</" + cell + "><" + cell + ">");
    page += "<tr><" + cell + ">" + line + "</" + cell + "></tr>\n";
    first = false;
    begin = end + 1;
  }
  return page + "</table></details>\n</html>\n";
}

} // namespace sluice::simtool
