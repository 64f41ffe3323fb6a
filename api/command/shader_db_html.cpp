// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include <cstdio>

#include "api/command/html_text.h"
#include "api/command/shader_db_text.h"

namespace terrazzo::command::shader_db {

namespace {

constexpr const char* kHead = R"(<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Terrazzo shader-db</title>
<style>
:root { color-scheme: light dark; --paper: #fdfdfb; --ink: #22262b; --soft: #6a7078; --line: #d9dce0;
  --band: #f0f1ee; --good: #1a7f37; --bad: #b3261e; --link: #1f5fae; }
@media (prefers-color-scheme: dark) {
  :root { --paper: #17191c; --ink: #e4e6e8; --soft: #9aa1a9; --line: #363b41; --band: #202327;
    --good: #6cc784; --bad: #ff8b80; --link: #7db4f5; } }
body { margin: 1.5rem auto; max-width: 110rem; padding: 0 1rem; background: var(--paper); color: var(--ink);
  font: 14px/1.45 system-ui, sans-serif; }
h1 { font-size: 1.4rem; } h2 { font-size: 1.15rem; margin-top: 2rem; }
p, caption { color: var(--soft); text-align: left; }
table { border-collapse: collapse; margin: .5rem 0 1rem; }
th, td { padding: .15rem .55rem; border-bottom: 1px solid var(--line); text-align: right; white-space: nowrap;
  font-variant-numeric: tabular-nums; }
th { position: sticky; top: 0; background: var(--band); }
th.t, td.t { text-align: left; } td.t { white-space: normal; overflow-wrap: break-word; }
table.sort th { cursor: pointer; color: var(--link); user-select: none; }
th[aria-sort=ascending]::after { content: " \25b2"; } th[aria-sort=descending]::after { content: " \25bc"; }
tbody tr:hover { background: var(--band); }
.good { color: var(--good); } .bad { color: var(--bad); }
input { font: inherit; padding: .25rem .5rem; width: 20rem; max-width: 100%; background: var(--paper);
  color: var(--ink); border: 1px solid var(--line); border-radius: 4px; }
</style>
<h1>Terrazzo shader-db</h1>
)";

constexpr const char* kScript = R"(<script>
for (const table of document.querySelectorAll("table.sort")) {
  const heads = [...table.tHead.rows[0].cells], body = table.tBodies[0];
  heads.forEach((head, column) => head.addEventListener("click", () => {
    const down = head.getAttribute("aria-sort") === (head.className === "t" ? "ascending" : "descending");
    const up = head.className === "t" ? !down : down;
    heads.forEach(h => h.removeAttribute("aria-sort"));
    head.setAttribute("aria-sort", up ? "ascending" : "descending");
    const value = row => row.cells[column].textContent;
    const order = head.className === "t" ? (a, b) => value(a).localeCompare(value(b))
                                         : (a, b) => parseFloat(value(a)) - parseFloat(value(b));
    body.append(...[...body.rows].sort((a, b) => up ? order(a, b) : order(b, a)));
  }));
}
document.getElementById("filter").addEventListener("input", event => {
  const words = event.target.value.toLowerCase().split(/\s+/);
  for (const row of document.querySelectorAll("table.sort tbody tr"))
    row.hidden = !words.every(word => row.textContent.toLowerCase().includes(word));
});
</script>
</html>
)";

std::string number(double v) {
    char text[32];
    std::snprintf(text, sizeof text, v == double(int64_t(v)) ? "%.0f" : "%.3f", v);
    return text;
}

/// Text cells are aligned left, numbers right.
void text_cell(std::string* out, std::string_view text) {
    out->append("<td class=t>").append(html_text(text));
}
void cell(std::string* out, std::string_view text, std::string_view kind = {}) {
    out->append(kind.empty() ? "<td>" : "<td class=")
        .append(kind)
        .append(kind.empty() ? "" : ">")
        .append(text);
}

class Table {
  public:
    /// A title that begins with '<' marks a column of text.
    Table(std::string* out, bool sortable, const std::vector<std::string>& titles) : out_(out) {
        out_->append(sortable ? "<table class=sort><thead><tr>" : "<table><thead><tr>");
        for (const std::string& title : titles)
            out_->append(title[0] == '<' ? "<th class=t>" + html_text(title.substr(1))
                                         : "<th>" + html_text(title));
        out_->append("</tr></thead>\n<tbody>\n");
    }
    ~Table() { out_->append("</tbody></table>\n"); }
    Table(const Table&) = delete;
    Table& operator=(const Table&) = delete;

  private:
    std::string* const out_;
};

std::vector<std::string> join(std::vector<std::string> a, const std::vector<std::string>& b,
                              const std::vector<std::string>& c) {
    a.insert(a.end(), b.begin(), b.end());
    a.insert(a.end(), c.begin(), c.end());
    return a;
}

void add_totals(std::string* out, const DeviceUnits& device, const std::vector<Total>& sums) {
    const Table table(out, false,
                      join({"<part", "shaders", "instructions", "cycles"}, device.units,
                           {"loops", "that spill", "spilled words", "bytes", "ms"}));
    for (const Total& t : sums) {
        if (t.device != device.name) continue;
        out->append("<tr>");
        text_cell(out, t.part.empty() ? "all" : t.part);
        cell(out, number(t.rows));
        cell(out, number(double(t.instructions)));
        cell(out, number(t.bound));
        for (size_t i = 0; i < device.units.size(); ++i)
            cell(out, number(i < t.cycles.size() ? t.cycles[i] : 0));
        for (const double v : {double(t.loops), double(t.spilling), double(t.spills), double(t.code_B)})
            cell(out, number(v));
        cell(out, number(t.time_us / 1000));
        out->append("\n");
    }
}

void add_rows(std::string* out, const DeviceUnits& device, const std::vector<Row>& rows) {
    const Table table(out, true,
                      join({"<shader", "<part", "instructions", "cycles", "<bound"}, device.units,
                           {"loops", "registers", "threads", "spills", "bytes", "\xC2\xB5s"}));
    for (const Row& row : rows) {
        if (row.device != device.name) continue;
        out->append("<tr>");
        text_cell(out, row.name);
        text_cell(out, row.part);
        cell(out, number(row.instructions));
        cell(out, number(row.bound()));
        text_cell(out, row.bound_unit(device));
        for (const double v : row.cycles)
            cell(out, number(v));
        for (const uint32_t v : {row.loops, row.registers, row.threads})
            cell(out, number(v));
        cell(out, number(row.spills), row.spills ? "bad" : "");
        cell(out, number(row.code_B));
        cell(out, number(row.time_us));
        out->append("\n");
    }
}

bool better(const Metric& metric, double before, double after) {
    return (after < before) != metric.more_is_better;
}

void change_cells(std::string* out, const Metric& metric, double before, double after) {
    cell(out, number(before));
    cell(out, number(after));
    cell(out, percent(before, after), before == after ? "" : better(metric, before, after) ? "good" : "bad");
}

void add_comparison(std::string* out, const Comparison& c) {
    out->append("<h2>Changes on " + html_text(c.device) + "</h2>\n<p>" + std::to_string(c.rows) +
                " shaders in both runs, " + std::to_string(c.gained.size()) + " new, " +
                std::to_string(c.lost.size()) + " gone.</p>\n");
    {
        const Table table(out, false, {"<total", "before", "after", "change", "helped", "hurt"});
        for (const MetricChange& m : c.metrics) {
            out->append("<tr>");
            text_cell(out, m.metric->help);
            change_cells(out, *m.metric, m.before, m.after);
            cell(out, number(m.helped));
            cell(out, number(m.hurt));
            out->append("\n");
        }
    }
    const Table table(out, true, {"<what", "<shader", "<part", "before", "after", "change"});
    for (const MetricChange& m : c.metrics) {
        for (const Change& change : m.changes) {
            out->append("<tr>");
            text_cell(out, m.metric->help);
            text_cell(out, change.row->name);
            text_cell(out, change.row->part);
            change_cells(out, *m.metric, change.before, change.after);
            out->append("\n");
        }
    }
}

void add_notes(std::string* out, const char* title, const std::vector<Note>& notes) {
    if (notes.empty()) return;
    out->append("<h2>" + std::string(title) + ": " + std::to_string(notes.size()) + "</h2>\n");
    const Table table(out, true, {"<program", "<device", "<part", "<reason"});
    for (const Note& n : notes) {
        out->append("<tr>");
        for (const std::string* text : {&n.name, &n.device, &n.part, &n.reason})
            text_cell(out, *text);
        out->append("\n");
    }
}

}  // namespace

std::string to_html(const Results& results, const std::vector<Comparison>& comparisons) {
    std::string out = kHead;
    out +=
        "<p><input id=filter type=search placeholder=\"Filter: words of a name, part, unit\" "
        "aria-label=Filter></p>\n";
    for (const Comparison& c : comparisons)
        add_comparison(&out, c);
    const std::vector<Total> sums = totals(results);
    for (const DeviceUnits& device : results.devices) {
        out += "<h2>" + html_text(device.name) + "</h2>\n";
        add_totals(&out, device, sums);
        add_rows(&out, device, results.rows);
    }
    add_notes(&out, "Failed", results.failed);
    add_notes(&out, "Skipped", results.skipped);
    return out + kScript;
}

}  // namespace terrazzo::command::shader_db
