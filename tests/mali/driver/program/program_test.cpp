// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Linked programs on a device: descriptors in memory, and the values that draws get from them.
#include "drivers/mali/program/program.h"

#include <cstring>

#include "drivers/mali/hw/descriptors.h"
#include "shaders/ir/stored.h"
#include "tests/mali/compiler/harness.h"
#include "tests/mali/driver/device_fixture.h"
#include "tests/mali/driver/scene.h"

using namespace terrazzo;
using namespace terrazzo::mali;

namespace {

programs::Shared no_cache;

const char* const kLitVertex =
    "attribute vec4 position; attribute vec3 normal; attribute vec2 coord;\n"
    "uniform mat4 matrix; uniform vec4 light; varying vec4 color; varying vec2 uv;\n"
    "void main() { gl_Position = matrix * position; color = light * dot(normal, light.xyz); uv = coord; }";
const char* const kTexturedFragment =
    "precision mediump float; uniform sampler2D image; uniform float scale; varying vec4 color; varying vec2 "
    "uv;\n"
    "void main() { gl_FragColor = texture2D(image, uv) * color * scale; }";

pipe::ProgramDesc describe(const shaders::LinkedProgram& p, const char* label = nullptr) {
    pipe::ProgramDesc d;
    for (const ir::Stage s : {ir::Stage::Vertex, ir::Stage::Fragment})
        d.stored[size_t(s)] = p.stages[size_t(s)].stored();
    d.label = label;
    return d;
}

hw::ShaderProgram descriptor(const ShaderPart& part) {
    uint32_t words[hw::ShaderProgram::kSize_dw];
    std::memcpy(words, part.descriptor.cpu, sizeof(words));
    hw::ShaderProgram d;
    hw::unpack(words, &d);
    return d;
}

}  // namespace

TEST_CASE("mali program: descriptors have what the code needs") {
    const auto device = test::open_device("noop:mali-g610");
    const auto linked = compiler::testing::link(kLitVertex, kTexturedFragment);
    REQUIRE(linked);
    const auto p = MaliProgram::create(*device, describe(*linked), {}, no_cache);
    REQUIRE(p);
    CHECK(p->attributes == 7);
    CHECK(p->stages[pipe::Stage::Vertex].textures == 0);
    CHECK(p->stages[pipe::Stage::Fragment].textures == 1);
    CHECK(p->stages[pipe::Stage::Fragment].texture_count == 1);
    CHECK(p->varying_B == 32);
    CHECK(p->stages[pipe::Stage::Vertex].uniform_dw == 20);
    CHECK(p->stages[pipe::Stage::Fragment].uniform_dw == 1);
    CHECK(!p->stages[pipe::Stage::Vertex].uniform_buffer);
    CHECK(!p->writes_point_size);
    CHECK(!p->position_no_point_size.present);
    CHECK(p->position.uniforms.reads_sysvals);
    CHECK(!p->varying.uniforms.reads_sysvals);
    for (const ShaderPart* part : {&p->position, &p->varying, &p->fragment}) {
        REQUIRE(part->present);
        CHECK(part->spd_va() % 32 == 0);
        CHECK(part->code.va() % 128 == 0);
        uint64_t first = 0;
        std::memcpy(&first, part->code.cpu(), sizeof(first));
        CHECK(first != 0);
        const hw::ShaderProgram d = descriptor(*part);
        CHECK(d.binary == part->code.va());
        CHECK(d.register_allocation == hw::ShaderRegisterAllocation::N32PerThread);
        const bool fragment = part == &p->fragment;
        CHECK(d.stage == (fragment ? hw::ShaderStage::Fragment : hw::ShaderStage::Vertex));
        CHECK(d.requires_helper_threads == fragment);
    }
    CHECK(&p->position_part(true) == &p->position);
    CHECK(&p->position_part(false) == &p->position);
    // Vertex and instance id, the index into the position buffer; the fragment's coverage and sample.
    CHECK(descriptor(p->position).preload == (1u << 11 | 1u << 12 | 1u << 13));
    CHECK(descriptor(p->fragment).preload == (1u << 12 | 1u << 13));
    CHECK(descriptor(p->position).vertex_warp_limit == hw::WarpLimit::Half);
    CHECK(descriptor(p->varying).vertex_warp_limit == hw::WarpLimit::Full);
    CHECK(descriptor(p->fragment).fragment_coverage_bitmask_type == hw::CoverageBitmaskType::Gl);
}

TEST_CASE("mali program: point sizes are written only for points") {
    const auto device = test::open_device("noop:mali-g610");
    const auto linked = compiler::testing::link(
        "attribute vec4 p; uniform float s; void main() { gl_Position = p; gl_PointSize = s; }",
        "void main() { gl_FragColor = vec4(1.0); }");
    REQUIRE(linked);
    const auto p = MaliProgram::create(*device, describe(*linked), {}, no_cache);
    REQUIRE(p);
    CHECK(p->writes_point_size);
    CHECK(!p->varying.present);
    CHECK(p->varying_B == 0);
    REQUIRE(p->position_no_point_size.present);
    CHECK(&p->position_part(true) == &p->position);
    CHECK(&p->position_part(false) == &p->position_no_point_size);
    CHECK(!p->position_no_point_size.info.writes_point_size);
    CHECK(p->position_no_point_size.info.statistics.instructions < p->position.info.statistics.instructions);
}

TEST_CASE("mali program: indexed uniform arrays are in memory") {
    const auto device = test::open_device("noop:mali-g610");
    const auto linked = compiler::testing::link(
        "attribute vec4 p; attribute float n; uniform vec4 a[30]; void main() { gl_Position = p + a[int(n)]; "
        "}",
        "void main() { gl_FragColor = vec4(1.0); }");
    REQUIRE(linked);
    const auto p = MaliProgram::create(*device, describe(*linked), {}, no_cache);
    REQUIRE(p);
    CHECK(p->stages[pipe::Stage::Vertex].uniform_buffer);
    CHECK(p->stages[pipe::Stage::Vertex].uniform_dw == 120);
    CHECK(p->stages[pipe::Stage::Fragment].uniform_dw == 0);
}

TEST_CASE("mali program: missing support is reported with the program's name") {
    const auto device = test::open_device("noop:mali-g610");
    const auto linked = compiler::testing::link(kLitVertex, kTexturedFragment);
    REQUIRE(linked);
    std::string text;
    const pipe::Log log{
        [](void* data, pipe::Severity, std::string_view m) { *static_cast<std::string*>(data) += m; }, &text};
    pipe::ProgramDesc d = describe(*linked, "seven");
    d.stored[size_t(pipe::Stage::Fragment)] = nullptr;
    CHECK(!MaliProgram::create(*device, d, log, no_cache));
    CHECK(text == "mali: program seven: needs a vertex and a fragment shader");
    text.clear();
    d = describe(*linked, "eight");
    d.stored[size_t(pipe::Stage::Geometry)] = d.stored[0];
    CHECK(!MaliProgram::create(*device, d, log, no_cache));
    CHECK(text.starts_with("mali: program eight: geometry kernel: "));
}
