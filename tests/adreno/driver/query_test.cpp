// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Occlusion queries on the virtual GPU, through the pipe interface.
#include "tests/adreno/driver/open_scene.h"

using namespace terrazzo;
using namespace terrazzo::test;

namespace {

uint64_t result(DriverScene& s, pipe::Query& q) {
    uint64_t value = ~uint64_t(0);
    CHECK(s.context->query_result(q, true, &value));
    return value;
}

}  // namespace

TEST_CASE("queries: samples that pass are counted, over passes, and between others that are not") {
    DriverScene s = open_scene(64, 64);
    s.depth_stencil({.depth_test = true, .depth_write = true});
    const auto q = s.context->create_query(pipe::QueryKind::Samples);
    const auto other = s.context->create_query(pipe::QueryKind::Samples);
    s.begin(0, 0, 0, 1);
    s.rectangle(0, 0, 32, 32, 0.25f, {1, 0, 0, 1});
    s.context->begin_query(*q);
    s.rectangle(0, 0, 40, 32, 0.5f, {0, 1, 0, 1});  // 8 x 32 of it are in front
    pipe::ClearInfo c;
    c.attachments = pipe::attachment_bit::kColor0;
    c.color_mask[0] = 2;
    s.context->clear(c);  // a rectangle of ours does not count
    s.context->end_render_pass();
    s.resume();
    s.rectangle(0, 60, 4, 64, 0.5f, {0, 1, 0, 1});
    s.context->end_query(*q);
    s.context->begin_query(*other);
    s.rectangle(8, 60, 10, 62, 0.5f, {0, 1, 0, 1});
    s.context->end_query(*other);
    s.rectangle(20, 50, 30, 60, 0.5f, {0, 1, 0, 1});
    (void)s.pixels();
    CHECK(result(s, *q) == 8 * 32 + 4 * 4);
    CHECK(result(s, *other) == 4);
    // Anew, in a pass that stays open.
    s.resume();
    s.context->begin_query(*q);
    s.rectangle(60, 0, 64, 4, 0.5f, {0, 1, 0, 1});
    s.context->end_query(*q);
    CHECK(result(s, *q) == 16);
    s.context->end_render_pass();
    CHECK(s.messages == "");
}

TEST_CASE("queries: whether any sample passed; what a shader discards did not") {
    DriverScene s = open_scene(32, 32);
    s.depth_stencil({.depth_test = true});
    const auto program = s.link(
        "attribute vec4 position; attribute vec4 color; varying vec4 v;\n"
        "void main() { gl_Position = position; v = color; }\n",
        "precision highp float; varying vec4 v;\n"
        "void main() { if (v.x > 0.5) discard; gl_FragColor = v; }\n");
    s.context->bind_program(program.get());
    const auto none = s.context->create_query(pipe::QueryKind::AnySamples);
    const auto some = s.context->create_query(pipe::QueryKind::AnySamplesConservative);
    s.begin(0, 0, 0, 1);
    s.context->begin_query(*none);
    s.rectangle(0, 0, 32, 32, 0.5f, {1, 0, 0, 1});
    s.context->end_query(*none);
    s.context->begin_query(*some);
    s.rectangle(0, 0, 32, 32, 0.5f, {0, 0, 0, 1});
    s.context->end_query(*some);
    (void)s.pixels();
    CHECK(result(s, *none) == 0);
    CHECK(result(s, *some) == 1);
    CHECK(s.messages == "");
}

TEST_CASE("queries: one that never began, and one without draws") {
    DriverScene s = open_scene(16, 16);
    const auto q = s.context->create_query(pipe::QueryKind::Samples);
    CHECK(result(s, *q) == 0);
    s.context->begin_query(*q);
    s.context->end_query(*q);
    CHECK(result(s, *q) == 0);
    CHECK(s.messages == "");
}
