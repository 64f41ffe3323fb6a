// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The parts of `terrazzo shader-db`, without files: recognition of programs, and numbers in sums,
// comparisons, shards and JSON.
#include <doctest/doctest.h>

#include <sstream>

#include "api/command/json_text.h"
#include "api/command/shader_db_compile.h"
#include "api/command/shader_db_desktop.h"
#include "api/command/shader_db_json.h"
#include "api/command/shader_db_template.h"
#include "api/command/shader_db_text.h"

using namespace terrazzo;
using namespace terrazzo::command;
using namespace terrazzo::command::shader_db;

namespace {

constexpr const char* kVertex = "attribute vec4 p; void main() { gl_Position = p; }";
constexpr const char* kFragment = "precision highp float; uniform vec4 c; void main() { gl_FragColor = c; }";

Row row(const char* name, const char* part, uint32_t instructions, std::vector<double> cycles = {1, 2}) {
    Row r;
    r.name = name;
    r.device = "d";
    r.part = part;
    r.instructions = instructions;
    r.cycles = std::move(cycles);
    r.threads = 8;
    r.code_B = 128;
    return r;
}

Results results(std::vector<Row> rows) {
    Results r;
    r.devices = {{"d", {"alu", "mem"}}};
    r.rows = std::move(rows);
    return r;
}

const MetricChange& change(const Comparison& c, std::string_view key) {
    for (const MetricChange& m : c.metrics)
        if (m.metric->key == key) return m;
    FAIL("no such metric");
    return c.metrics[0];
}

/// A compiler whose code has as many instructions as the device's number.
class Toy final : public pipe::OfflineCompiler {
  public:
    Toy(const char* name, uint32_t instructions) : name_(name), instructions_(instructions) {}
    const char* name() const override { return name_; }
    std::span<const pipe::OfflineUnit> units() const override { return kUnits; }
    std::span<const char* const> parts() const override { return kParts; }
    pipe::OfflineCode compile(const pipe::ProgramDesc& program, unsigned part) const override {
        pipe::OfflineCode out;
        out.present = part != 2 && program.stages[size_t(pipe::Stage::Fragment)] != nullptr;
        if (part == 1) out.error = "it is\ntoo hard";
        out.instructions = instructions_;
        out.cycles = {0.25};
        return out;
    }

  private:
    static constexpr pipe::OfflineUnit kUnits[] = {{"alu", "arithmetic"}};
    static constexpr const char* kParts[] = {"easy", "hard", "absent"};
    const char* name_;
    uint32_t instructions_;
};

}  // namespace

TEST_CASE("shader-db: the key explains every column") {
    for (const pipe::OfflineCompiler* device : all_devices()) {
        CAPTURE(device->name());
        const std::string key = column_key(*device);
        for (const pipe::OfflineUnit& unit : device->units()) {
            CHECK(unit.meaning[0] != '\0');
            CHECK(key.find(std::string("  ") + unit.name + " ") != key.npos);
            CHECK(key.find(unit.meaning) != key.npos);
        }
        Results results;
        results.devices = {{device->name(), {}}};
        std::istringstream head(to_text(results, true));
        std::string name, column;
        for (head >> name; head >> column && column != "ms";)
            CHECK(key.find("  " + column + " ") != key.npos);
        CHECK(column == "ms");
    }
}

TEST_CASE("shader-db: a .shader_test of GLSL ES 1.00 is a program") {
    const Source s = parse_shader_test(
        "# a comment\n[require]\nGL ES >= 2.0\nGLSL ES >= 1.00\nGL_OES_standard_derivatives\nSIZE 1 1\n\n"
        "[vertex shader]\nv1\nv2\n\n[fragment shader]\nf1\n[vertex data]\nx\n[test]\ndraw rect\n",
        {});
    CHECK(s.skip == "");
    CHECK(s.vertex == "v1\nv2\n\n");
    CHECK(s.fragment == "f1\n");
    CHECK(!s.may_fail);
}

TEST_CASE("shader-db: a .shader_test that requires unsupported features is skipped, with the reason") {
    const auto skip = [](const char* require, const char* more = "") {
        return parse_shader_test("[require]\n" + std::string(require) +
                                     "\n[vertex shader]\nv\n[fragment shader]\nf\n" + more,
                                 {})
            .skip;
    };
    CHECK(skip("GLSL ES >= 1.00") == "");
    CHECK(skip("GLSL ES >= 3.20") == "");
    CHECK(skip("GLSL ES >= 3.30") == "needs a later GLSL ES than 3.20");
    CHECK(skip("GL ES >= 3.1\nGLSL ES >= 1.00") == "");
    CHECK(skip("GL ES >= 4.0\nGLSL ES >= 1.00") == "needs a later OpenGL ES than 3.2");
    CHECK(skip("GLSL ES >= 3.10", "[compute shader]\nc\n") == "has a compute shader and others");
    CHECK(skip("GLSL >= 1.10") == "is desktop GLSL up to 1.20");
    CHECK(skip("GLSL >= 1.30") == "is desktop GLSL from 1.30");
    CHECK(skip("") == "is desktop GLSL up to 1.20");
    CHECK(skip("GLSL ES >= 1.00\nGL_ARB_gpu_shader5") == "needs GL_ARB_gpu_shader5");
    CHECK(skip("GLSL ES >= 1.00\n!GL_EXT_draw_buffers") == "needs that there is no GL_EXT_draw_buffers");
    CHECK(skip("GLSL ES >= 1.00\nGL_MAX_VARYING_COMPONENTS >= 8") == "");
    CHECK(skip("GLSL ES >= 1.00", "[geometry shader]\ng\n") == "has a geometry shader");
    CHECK(skip("GLSL ES >= 1.00", "[fragment shader]\ng\n") == "has several fragment shaders");
    CHECK(parse_shader_test("[require]\nGLSL ES >= 1.00\n[fragment shader]\nf\n", {}).skip ==
          "has no vertex shader");
    CHECK(parse_shader_test("", {}).skip == "is desktop GLSL up to 1.20");
}

TEST_CASE("shader-db: sections without text, and texts that end early") {
    const Source s = parse_shader_test(
        "[require]\nGLSL ES >= 1.00\n[vertex shader passthrough]\n[fragment shader]\nf", {});
    CHECK(s.skip == "");
    CHECK(s.vertex.find("gl_Position = piglit_vertex") != s.vertex.npos);
    CHECK(s.fragment == "f\n");
    CHECK(parse_shader_test("[", {}).skip != "");
    CHECK(parse_shader_test("[require", {}).skip != "");
    CHECK(parse_shader_test("[require]\nGLSL", {}).skip != "");
}

TEST_CASE("shader-db: programs that must not link may fail") {
    const Source s = parse_shader_test(
        "[require]\nGLSL ES >= 1.00\n[vertex shader]\nv\n[fragment shader]\nf\n[test]\nlink error\n", {});
    CHECK(s.skip == "");
    CHECK(s.may_fail);
    const Source pair = parse_pair("// [config]\n// expect_result: fail\n// [end config]\n", "", {});
    CHECK(pair.may_fail);
    CHECK(!parse_pair("void main() {}", "void main() {}", {}).may_fail);
}

TEST_CASE("shader-db: pairs are GLSL ES by default") {
    CHECK(parse_pair(kVertex, kFragment, {}).skip == "");
    CHECK(parse_pair("#version 100\n", kFragment, {}).skip == "");
    CHECK(parse_pair("#version 300 es\n", kFragment, {}).skip == "");
    CHECK(parse_pair("#version 330 es\n", kFragment, {}).skip == "needs a later GLSL ES than 3.20");
    CHECK(parse_pair("#version 120\n", kFragment, {}).skip == "is desktop GLSL up to 1.20");
    CHECK(parse_pair("void main() { gl_Position = ftransform(); }", kFragment, {}).skip ==
          "is desktop GLSL up to 1.20");
    CHECK(parse_pair("/* [config]\n * glsl_version: 1.50\n * [end config] */", "", {}).skip ==
          "is desktop GLSL from 1.30");
    CHECK(parse_pair("// [config]\n// require_extensions: GL_OES_mapbuffer GL_NV_nothing\n// [end config]",
                     "", {})
              .skip == "needs GL_NV_nothing");
}

TEST_CASE("shader-db: desktop shaders become GLSL ES if only names differ") {
    const LoadOptions desktop{.desktop = true};
    const Source s = parse_shader_test(
        "[require]\nGLSL >= 1.10\n[vertex shader]\n#version 110\nvoid main() { gl_Position = ftransform(); "
        "gl_TexCoord[0] = gl_MultiTexCoord0; gl_FrontColor = gl_Color; }\n"
        "[fragment shader]\nvoid main() { gl_FragColor = gl_Color * gl_TexCoord[0]; }\n",
        desktop);
    CHECK(s.skip == "");
    CHECK(s.may_fail);
    const Toy toy("toy", 5);
    const pipe::OfflineCompiler* const devices[] = {&toy};
    const Results r = compile_source("x", s, devices);
    CHECK(r.skipped.empty());
    CHECK(r.rows.size() == 1);
    CHECK(desktop_as_es("gl_Vertexed(gl_Vertex)", true).ends_with("\ngl_Vertexed(d_Vertex)"));
    CHECK(desktop_as_es("gl_Vertex", false).ends_with("\ngl_Vertex"));
}

TEST_CASE("shader-db: the replacements of glmark2 are made") {
    CHECK(complete_template("void main() {}") == "precision highp float;\nvoid main() {}");
    CHECK(complete_template("#version 100\n$X$") == "#version 100\n$X$");
    CHECK(complete_template("a$MAIN$b$c") == "precision highp float;\nab$c");
    CHECK(complete_template("// the MaterialDiffuse of\nx = MaterialDiffuse;") ==
          "precision highp float; const vec4 MaterialDiffuse = vec4(1.0, 1.0, 1.0, 1.0);\n"
          "// the MaterialDiffuse of\nx = MaterialDiffuse;");
    CHECK(complete_template("uniform vec4 MaterialDiffuse; x = MaterialDiffuse;") ==
          "precision highp float;\nuniform vec4 MaterialDiffuse; x = MaterialDiffuse;");
}

TEST_CASE("shader-db: a program has one row for each part and device; refusals and errors are failures") {
    const Toy one("one", 1), two("two", 2);
    const pipe::OfflineCompiler* const devices[] = {&one, &two};
    Source source;
    source.vertex = kVertex;
    source.fragment = kFragment;
    const Results r = compile_source("x", source, devices);
    REQUIRE(r.rows.size() == 2);
    CHECK(r.rows[0].device == "one");
    CHECK(r.rows[0].part == "easy");
    CHECK(r.rows[1].instructions == 2);
    REQUIRE(r.failed.size() == 2);
    CHECK(shader_db::to_text(r.failed[1]) == "x: two hard: it is");

    source.fragment = "void main() { oops }";
    const Results bad = compile_source("x", source, devices);
    REQUIRE(bad.failed.size() == 1);
    CHECK(bad.failed[0].reason.starts_with("fragment shader: ERROR: 0:1:"));
    source.may_fail = true;
    source.may_fail_reason = "as it should";
    const Results expected = compile_source("x", source, devices);
    CHECK(expected.failed.empty());
    REQUIRE(expected.skipped.size() == 1);
    CHECK(expected.skipped[0].reason == "as it should");
}

TEST_CASE("shader-db: programs of GLSL ES 3, including compute shaders; unsupported ones are skipped") {
    const Toy toy("toy", 5);
    const pipe::OfflineCompiler* const devices[] = {&toy};
    Source source;
    source.vertex = "#version 300 es\nvoid main() { gl_Position = vec4(1.0); }";
    source.fragment = "#version 300 es\nprecision highp float; out vec4 c; void main() { c = vec4(1.0); }";
    const Results r = compile_source("x", source, devices);
    CHECK(r.failed.empty());
    CHECK(r.rows.size() == 1);
    REQUIRE(r.skipped.size() == 1);
    CHECK(shader_db::to_text(r.skipped[0]) == "x: toy hard: it is");

    std::vector<const pipe::OfflineCompiler*> mali;
    std::string why;
    REQUIRE(find_devices(std::vector<std::string>{"mali-g610"}, &mali, &why));
    const Source compute = parse_shader_test(
        "[require]\nGLSL ES >= 3.10\n[compute shader]\n#version 310 es\nlayout(local_size_x = 4) in; "
        "layout(binding "
        "= 0) buffer B { uint a[]; }; void main() { a[gl_LocalInvocationIndex] = 1u; }\n[test]\ncompute 1 1 "
        "1\n",
        {});
    CHECK(compute.skip == "");
    const Results c = compile_source("c", compute, mali);
    CHECK(c.failed.empty());
    CHECK(c.skipped.empty());
    REQUIRE(c.rows.size() == 1);
    CHECK(c.rows[0].part == "compute");
    const Results none = compile_source("c", compute, devices);
    CHECK(none.failed.empty());
    CHECK(none.rows.empty());
    REQUIRE(none.skipped.size() == 1);
    CHECK(none.skipped[0].reason == "the device has no such shaders");
    CHECK(parse_compute("#version 310 es\n", {}).compute == "#version 310 es\n");
}

TEST_CASE("shader-db: statistics of Adreno's chips, also for compute shaders") {
    std::vector<const pipe::OfflineCompiler*> devices;
    std::string why;
    REQUIRE(find_devices(std::vector<std::string>{"adreno-630"}, &devices, &why));
    Source source;
    source.vertex = "attribute vec4 p, q; varying vec4 v; void main() { gl_Position = p; v = q * 2.0; }";
    source.fragment = "precision highp float; varying vec4 v; void main() { gl_FragColor = v; }";
    Results r = compile_source("x", source, devices);
    sort(&r);
    CHECK(r.failed.empty());
    REQUIRE(r.rows.size() == 3);
    const char* const parts[] = {"binning", "fragment", "vertex"};
    for (unsigned i = 0; i < 3; ++i) {
        CHECK(r.rows[i].part == parts[i]);
        CHECK(r.rows[i].instructions >= 1);
        CHECK(r.rows[i].threads >= 64);
        CHECK(r.rows[i].code_B % 128 == 0);
    }
    CHECK(r.rows[0].instructions < r.rows[2].instructions);
    const Source compute = parse_compute(
        "#version 310 es\nlayout(local_size_x = 4) in; layout(binding = 0) buffer B { uint a[]; }; void "
        "main() { "
        "a[gl_LocalInvocationIndex] = 1u; }\n",
        {});
    const Results c = compile_source("c", compute, devices);
    CHECK(c.failed.empty());
    CHECK(c.rows.size() == 1);
}

TEST_CASE("shader-db: statistics of Mali's chips") {
    std::vector<const pipe::OfflineCompiler*> devices;
    std::string why;
    REQUIRE(find_devices(std::vector<std::string>{"mali-g610", "mali-g710", "mali-g610"}, &devices, &why));
    REQUIRE(devices.size() == 2);
    Source source;
    source.vertex = "attribute vec4 p, q; varying vec4 v; void main() { gl_Position = p; v = q * 2.0; }";
    source.fragment = "precision highp float; varying vec4 v; void main() { gl_FragColor = v; }";
    Results r = compile_source("x", source, devices);
    sort(&r);
    CHECK(r.failed.empty());
    REQUIRE(r.rows.size() == 6);
    const char* const parts[] = {"fragment", "position", "varying"};
    for (unsigned i = 0; i < 3; ++i) {
        const Row& row = r.rows[i];
        CHECK(row.part == parts[i]);
        CHECK(row.instructions >= 2);
        CHECK(row.registers == 32);
        CHECK(row.threads >= 512);
        CHECK(row.code_B % 128 == 0);
        CHECK(row.cycles.size() == 7);
        CHECK(row.bound() > 0);
    }
    CHECK(r.rows[0].cycles[3] == 0.5);  // four varying components of 32 bits, at eight a clock

    CHECK(!find_devices(std::vector<std::string>{"mali-g0"}, &devices, &why));
    CHECK(why.starts_with("mali-g0: no such device; there is: all mali-g610 "));
    REQUIRE(find_devices({}, &devices, &why));
    CHECK(devices.size() == 1);
    REQUIRE(find_devices(std::vector<std::string>{"all"}, &devices, &why));
    CHECK(devices.size() == all_devices().size());
}

TEST_CASE("shader-db: there are sums for each part, and for all") {
    Results r = results({row("a", "f", 3), row("b", "f", 4, {5, 2}), row("b", "v", 10)});
    r.rows[1].spills = 7;
    const std::vector<Total> t = totals(r);
    REQUIRE(t.size() == 3);
    CHECK(t[0].part == "f");
    CHECK(t[0].instructions == 7);
    CHECK(t[0].bound == 7);  // 2 and 5
    CHECK(t[0].cycles == std::vector<double>{6, 4});
    CHECK(t[0].spilling == 1);
    CHECK(t[1].part == "v");
    CHECK(t[2].part == "");
    CHECK(t[2].rows == 3);
    CHECK(t[2].instructions == 17);
    CHECK(t[2].code_B == 384);
}

TEST_CASE("shader-db: JSON restores the results") {
    Results r = results({row("a \"quoted\"\\", "f", 3, {0.015625, 1e-3}), row("b", "v", 4)});
    r.rows[0].spills = 1;
    r.rows[0].loops = 2;
    r.rows[0].registers = 64;
    r.rows[0].time_us = 12.5;
    r.skipped = {{"s", "", "", "why\nnot"}};
    r.failed = {{"z", "d", "f", "bad"}, {"z2", "", "", "worse"}};
    Results back;
    std::string why;
    REQUIRE_MESSAGE(from_json(to_json(r), &back, &why), why);
    CHECK(back == r);
    CHECK(to_json(back) == to_json(r));
    REQUIRE(from_json(to_json(r, {.times = false}), &back, &why));
    CHECK(back.rows[0].time_us == 0);
    CHECK(json_number(0.015625) == "0.015625");
    CHECK(json_number(3) == "3");
}

TEST_CASE("shader-db: foreign JSON is refused and changes nothing") {
    const Results good = results({row("a", "f", 3)});
    const std::string text = to_json(good);
    const auto refused = [&](std::string from, const std::string& to) {
        std::string changed = text;
        REQUIRE(changed.find(from) != changed.npos);
        changed.replace(changed.find(from), from.size(), to);
        Results r;
        r.shards.count = 77;
        std::string why;
        CHECK(!from_json(changed, &r, &why));
        CHECK(r.shards.count == 77);
        return why;
    };
    CHECK(refused("terrazzo shader-db", "something") == "no results of terrazzo shader-db");
    CHECK(refused("\"version\": 1", "\"version\": 2") == "results of another version of terrazzo shader-db");
    CHECK(refused("[1, 2]", "[1]") == "a has not one number a unit");
    CHECK(refused("\"device\": \"d\"", "\"device\": \"e\"") == "a is of a device that is not listed");
    CHECK(refused("\"have\": [1]", "\"have\": [2]") == "the numbers of its shards make no sense");
    CHECK(refused("\"have\": [1]", "\"have\": []") == "the numbers of its shards make no sense");
    CHECK(refused("\"instructions\": 3", "\"instructions\": \"3\"") != "");
    CHECK(refused("\"instructions\"", "\"instruct\"") != "");
    CHECK(refused("}", "") != "");
    std::string why;
    Results r;
    for (size_t n = 0; n + 2 < text.size(); ++n)
        CHECK(!from_json(std::string_view(text).substr(0, n), &r, &why));
}

TEST_CASE("shader-db: a comparison has totals, and lists the helped and the hurt programs in order") {
    const Results before =
        results({row("a", "f", 10), row("b", "f", 10), row("c", "f", 10), row("gone", "f", 1)});
    Results after = results({row("a", "f", 20), row("b", "f", 10), row("c", "f", 5), row("new", "f", 1)});
    after.rows[0].threads = 16;
    const std::vector<Comparison> all = compare(before, after);
    REQUIRE(all.size() == 1);
    const Comparison& c = all[0];
    CHECK(c.rows == 3);
    REQUIRE(c.gained.size() == 1);
    CHECK(c.gained[0]->name == "new");
    REQUIRE(c.lost.size() == 1);
    CHECK(c.lost[0]->name == "gone");
    const MetricChange& instructions = change(c, "instructions");
    CHECK(instructions.before == 30);
    CHECK(instructions.after == 35);
    CHECK(instructions.helped == 1);
    CHECK(instructions.hurt == 1);
    REQUIRE(instructions.changes.size() == 2);
    CHECK(instructions.changes[0].row->name == "c");
    CHECK(instructions.changes[0].relative() == -0.5);
    CHECK(instructions.changes[1].relative() == 1);
    CHECK(change(c, "threads").helped == 1);  // more threads
    CHECK(change(c, "threads").hurt == 0);
    CHECK(change(c, "bound").changes.empty());
    const std::string text = to_text(all);
    CHECK(text.find("inst helped: c f: 10 -> 5 (-50.00 %)\ninst HURT: a f: 10 -> 20 (+100.00 %)\n") !=
          text.npos);
    CHECK(text.find("new: new f\n") != text.npos);
    CHECK(text.find("gone: gone f\n") != text.npos);
}

TEST_CASE("shader-db: no changes, and no earlier results") {
    const Results r = results({row("a", "f", 10)});
    CHECK(change(compare(r, r)[0], "instructions").changes.empty());
    CHECK(percent(10, 10) == "0.00 %");
    CHECK(percent(0, 10) == "new");
    CHECK(percent(30, 35) == "+16.67 %");
    Results other = r;
    other.devices[0].name = other.rows[0].device = "e";
    const auto both = compare(r, other);
    REQUIRE(both.size() == 2);
    CHECK(both[0].device == "e");
    CHECK(both[0].gained.size() == 1);
    CHECK(both[1].device == "d");
    CHECK(both[1].lost.size() == 1);
}

TEST_CASE("shader-db: every program is in one shard, independent of other programs") {
    unsigned in_first = 0;
    for (unsigned n = 0; n < 1000; ++n) {
        const std::string name = "piglit/tests/shader-" + std::to_string(n);
        unsigned shards = 0;
        for (unsigned i = 1; i <= 7; ++i)
            shards += Shard{i, 7}.has(name);
        CHECK(shards == 1);
        in_first += Shard{1, 7}.has(name);
        CHECK(Shard{}.has(name));
    }
    CHECK(in_first > 100);
    CHECK(in_first < 190);
    CHECK(Shard{2, 3}.has("shaders/light-basic"));  // on every machine

    const auto s = parse_shard("2/5");
    REQUIRE(s);
    CHECK(s->index == 2);
    CHECK(s->count == 5);
    for (const char* bad : {"", "2", "0/5", "6/5", "2/", "/5", "2/5x", "-1/5", "2/0", " 2/5"})
        CHECK_MESSAGE(!parse_shard(bad), bad);
}

TEST_CASE("shader-db: shards merge to the whole in any order") {
    const Results whole = [] {
        Results r = results({row("a", "f", 1), row("b", "f", 2), row("c", "f", 3)});
        r.skipped = {{"s", "", "", "x"}};
        r.failed = {{"t", "", "", "y"}};
        return r;
    }();
    Results one = results({whole.rows[1]}), two = results({}),
            three = results({whole.rows[0], whole.rows[2]});
    one.skipped = whole.skipped;
    three.failed = whole.failed;
    one.shards = {3, {1}};
    two.shards = {3, {2}};
    three.shards = {3, {3}};
    std::string why;
    Results sum = three;
    REQUIRE(merge(one, &sum, &why));
    CHECK(!sum.shards.complete());
    CHECK(sum.shards.have == std::vector<unsigned>{1, 3});
    REQUIRE(merge(two, &sum, &why));
    CHECK(to_json(sum) == to_json(whole));

    Results twice = one;
    CHECK(!merge(one, &twice, &why));
    CHECK(why == "b (d f) is there twice");
    twice = two;
    CHECK(!merge(two, &twice, &why));
    CHECK(why == "shard 2/3 is there twice");
    CHECK(twice == two);
    CHECK(!merge(whole, &two, &why));
    CHECK(why == "these are shards of 3 and of 1");
}

TEST_CASE("shader-db: runs on different devices merge; runs with different statistics do not") {
    Results d = results({row("a", "f", 1)}), e = d;
    e.devices[0].name = e.rows[0].device = "e";
    d.skipped = e.skipped = {{"s", "", "", "x"}};
    std::string why;
    REQUIRE(merge(e, &d, &why));
    CHECK(d.devices.size() == 2);
    CHECK(d.rows.size() == 2);
    CHECK(d.skipped.size() == 1);
    Results other = results({});
    other.devices[0].units = {"alu"};
    CHECK(!merge(other, &d, &why));
    CHECK(why == "d has other units in each");
}

TEST_CASE("shader-db: the page escapes its texts") {
    Results r = results({row("<b>&\"", "f", 1)});
    const std::string page = to_html(r, compare(r, r));
    CHECK(page.find("&lt;b&gt;&amp;&quot;") != page.npos);
    CHECK(page.find("<b>") == page.npos);
    CHECK(page.find("http") == page.npos);  // it needs no other file
    CHECK(page.find("prefers-color-scheme: dark") != page.npos);
}

TEST_CASE("shader-db: progress is reported from time to time") {
    std::FILE* const file = std::tmpfile();
    REQUIRE(file);
    {
        Progress lines(5, Progress::Style::Lines, file, 2);
        for (int i = 0; i < 5; ++i)
            lines.step("x", i == 0, i == 3);
        Progress silent(5, Progress::Style::Silent, file, 1);
        silent.step("x", false, false);
    }
    char text[512] = {};
    std::rewind(file);
    CHECK(std::fread(text, 1, sizeof text - 1, file) > 0);
    std::fclose(file);
    CHECK(std::string(text) ==
          "terrazzo: shader-db: 2 of 5 programs, 1 skipped, 0 failed\n"
          "terrazzo: shader-db: 4 of 5 programs, 1 skipped, 1 failed\n");
}
