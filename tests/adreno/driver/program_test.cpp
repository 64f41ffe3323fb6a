// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Programs' groups of state. The compared words come from a stream of Mesa 25.0.7's freedreno on
// noop:adreno-630, for the scene triangle.
#include "drivers/adreno/program/program.h"

#include <vector>

#include "drivers/adreno/isa/isa.h"
#include "drivers/adreno/program/link.h"
#include "drivers/adreno/program/pack.h"
#include "drivers/adreno/program/stage_code.h"
#include "tests/adreno/driver/decoded.h"
#include "tests/adreno/driver/device_fixture.h"
#include "tests/common/compiler/link.h"

using namespace terrazzo;
using namespace terrazzo::adreno;
using namespace terrazzo::test;

namespace {

constexpr char kVertex[] =
    "attribute vec4 position; attribute vec3 color; varying vec3 v_color; uniform vec4 offset;\n"
    "void main() { gl_Position = position + offset; v_color = color; }\n";
constexpr char kFragment[] =
    "precision mediump float; varying vec3 v_color;\n"
    "void main() { gl_FragColor = vec4(v_color, 0.3712); }\n";

pipe::Ref<AdrenoProgram> make_program(Device& device, const std::string& vs, const std::string& fs) {
    std::string said;
    const pipe::Log log{
        [](void* to, pipe::Severity, std::string_view text) { static_cast<std::string*>(to)->append(text); },
        &said};
    const auto linked = compiled::link(vs, fs, &said);
    REQUIRE_MESSAGE(linked, said);
    pipe::ProgramDesc desc;
    for (size_t i = 0; i < pipe::kStageCount; ++i)
        if (linked->stages[i]) desc.stages[i] = linked->stages[i].get();
    AdrenoProgram::Shared shared;
    auto p = AdrenoProgram::create(device, desc, log, shared);
    REQUIRE_MESSAGE(p, said);
    return p;
}

}  // namespace

TEST_CASE("programs: their groups are streams without a problem, and have the code's address") {
    const auto device = open_adreno();
    const auto p = make_program(*device, kVertex, kFragment);
    CHECK(p->packing.attributes == 3);
    CHECK(p->packing.outputs.components == 0xf);
    Pool pool(device);
    CsBuilder cs(pool);
    GroupList groups;
    groups.set(Group::ProgramConfig, p->config.segment());
    groups.set(Group::Program, p->state.segment());
    groups.set(Group::Interpolation, p->interpolation.segment());
    groups.emit(cs);
    cs.packet(hw::CpSetMarker{.mode = hw::Marker::RM6_DIRECT_RENDER});
    cs.packet(hw::CpDrawIndxOffset{.num_instances = 1, .num_indices = 3}, 3);
    const Decoded d = decode_stream(*device, cs.finish());
    INFO(d.text);
    CHECK(d.statistics.problems == 0);
    const auto value = [&](uint16_t reg) {
        return d.registers.is_set(reg) ? d.registers.get(reg) : 0xdeadbeef;
    };
    CHECK(value(hw::HLSQ_INVALIDATE_CMD::kRegister) == 0xff);
    CHECK(value(hw::SP_VS_CONFIG::kRegister) == 0x100);
    CHECK(value(hw::SP_FS_CONFIG::kRegister) == 0x100);
    CHECK(value(hw::SP_VS_OBJ_START::kRegister) == uint32_t(p->vertex().va()));
    CHECK(value(hw::SP_FS_INSTRLEN::kRegister) == p->fragment().instrlen);
    CHECK(value(hw::VFD_CONTROL_0::kRegister) == 0x202);
    CHECK(value(hw::VFD_CONTROL_1::kRegister) == 0xfcfcfcfc);
    CHECK(value(hw::VPC_VAR_DISABLE::at(0)) == 0xfffffff8);
    CHECK(value(hw::VPC_VS_PACK::kRegister) == 0x00ff0307);
    CHECK(value(hw::PC_VS_OUT_CNTL::kRegister) == 7);
    CHECK(value(hw::SP_VS_PRIMITIVE_CNTL::kRegister) == 2);
    CHECK(value(hw::SP_VS_VPC_DST::at(0)) == 0x300);
    CHECK(value(hw::VPC_CNTL_0::kRegister) == 0xff01ff03);
    CHECK(value(hw::GRAS_CNTL::kRegister) == 1);
    CHECK(value(hw::RB_RENDER_CONTROL0::kRegister) == 0x401);
    CHECK(value(hw::SP_FS_OUTPUT_CNTL0::kRegister) == 0xfcfcfc00);
    CHECK(value(hw::SP_FS_OUTPUT::at(1)) == 0xfc);
}

TEST_CASE("programs: uniforms are in constants, with zeros after the given values") {
    const auto device = open_adreno();
    const auto p = make_program(*device, kVertex, kFragment);
    CHECK(uniforms_size_dw(p->fragment()) == 0);
    REQUIRE(uniforms_size_dw(p->vertex()) == 8);
    uint32_t words[8];
    const uint32_t given[] = {1, 2};
    CHECK(put_uniforms(words, pipe::Stage::Vertex, p->vertex(), given, 0) == words + 8);
    const Decoded d = decode_words(words);
    CHECK(d.statistics.problems == 0);
    CHECK(words[4] == 1);
    CHECK(words[5] == 2);
    CHECK(words[6] == 0);
    CHECK(words[7] == 0);
}

TEST_CASE("programs: the code is in executable memory, in units of 128 bytes") {
    const auto device = open_adreno();
    const auto p = make_program(*device, kVertex, kFragment);
    CHECK(p->vertex().va() % 128 == 0);
    CHECK(p->vertex().code.size_B() >= p->vertex().instrlen * 128);
    CHECK(p->vertex().instrlen > 0);
}

TEST_CASE("programs: programs of similar size share the memory of invocations") {
    const auto device = open_adreno();
    PrivateMemories memories;
    const PrivateMemory a = memories.get(*device, 513), b = memories.get(*device, 1024),
                        c = memories.get(*device, 16), d = memories.get(*device, PrivateMemories::kMost_B);
    REQUIRE(a.bo);
    CHECK(a.fiber_B == 1024);
    CHECK(a.processor_B == 1024 * device->chip().fibers_per_sp);
    CHECK(a.bo->size_B >= uint64_t(a.processor_B) * device->chip().sp_count);
    CHECK(b.bo.get() == a.bo.get());
    CHECK(c.fiber_B == 512);
    CHECK(c.bo.get() != a.bo.get());
    CHECK(d.fiber_B == PrivateMemories::kMost_B);
}

TEST_CASE("programs: a compute program sets the registers that freedreno sets") {
    const auto device = open_adreno();
    std::string said;
    const auto linked = compiled::link_compute(
        "#version 310 es\nlayout(local_size_x = 3, local_size_y = 4) in;\n"
        "layout(std430, binding = 0) buffer Out { uint o[]; };\nshared uint count;\n"
        "void main() { count = 0u; barrier(); atomicAdd(count, 1u); barrier(); o[gl_WorkGroupID.x] = count; "
        "}\n",
        &said);
    REQUIRE_MESSAGE(linked, said);
    pipe::ProgramDesc desc;
    desc.stages[size_t(pipe::Stage::Compute)] = linked->stages[size_t(pipe::Stage::Compute)].get();
    AdrenoProgram::Shared shared;
    const auto p = AdrenoProgram::create(*device, desc, {}, shared);
    REQUIRE(p);
    CHECK(p->is_compute());
    const Segment segment = p->state.segment();
    const Decoded d = decode_stream(*device, {&segment, 1});
    INFO(d.text);
    CHECK(d.statistics.problems == 0);
    const auto value = [&](uint16_t reg) {
        return d.registers.is_set(reg) ? d.registers.get(reg) : 0xdeadbeef;
    };
    CHECK(value(hw::HLSQ_INVALIDATE_CMD::kRegister) == 0xff);
    CHECK(value(hw::SP_CS_CONFIG::kRegister) == 0x00400100);
    // freedreno does not use the local id, in the first byte. Our driver clears shared memory with it.
    CHECK(value(hw::HLSQ_CS_CNTL_0::kRegister) == 0x00fcfcc0);
    CHECK(value(hw::HLSQ_CS_CNTL_1::kRegister) == 0xfc);
    CHECK(value(hw::SP_CS_CTRL_REG1::kRegister) == 1);
    CHECK(value(hw::HLSQ_CS_NDRANGE_0::kRegister) == 0x300b);
    CHECK(value(hw::HLSQ_CS_KERNEL_GROUP_X::kRegister) == 1);
    CHECK(value(hw::SP_CS_OBJ_START::kRegister) == uint32_t(p->stage(pipe::Stage::Compute).va()));
    CHECK(value(hw::SP_CS_INSTRLEN::kRegister) == p->stage(pipe::Stage::Compute).instrlen);
    // The second queue's registers exist on the a660.
    CHECK(!d.registers.is_set(hw::SP_CS_CNTL_0::kRegister));
    const auto later = open_adreno("noop:adreno-660");
    const auto p660 = AdrenoProgram::create(*later, desc, {}, shared);
    REQUIRE(p660);
    CHECK(decode_words(p660->state.words()).registers.get(hw::SP_CS_CNTL_0::kRegister) == 0x00fcfcc0);
}

TEST_CASE("linking: distances have places after the position, and only written ones are enabled") {
    compiler::Info vs;
    vs.outputs = {{.slot = uint8_t(ir::VaryingSlot::Position), .mask = 15, .reg = 8},
                  {.slot = uint8_t(ir::VaryingSlot::ClipDist0), .mask = 7, .reg = 12},
                  {.slot = uint8_t(ir::VaryingSlot::ClipDist1), .mask = 15, .reg = 16}};
    const VpcLink none = link_varyings(vs, {});
    CHECK(none.distances[0] == kNoPlace);
    CHECK((none.clip_mask | none.cull_mask) == 0);
    const VpcLink link = link_varyings(vs, {}, nullptr, {.clip = 4, .cull = 2});
    CHECK(link.position == 0);
    CHECK(link.distances[0] == 4);
    CHECK(link.distances[1] == 7);
    CHECK(link.clip_mask == 7);  // the fourth is not written
    CHECK(link.cull_mask == 0x30);
    CHECK(link.stride_dw == 9);
}

TEST_CASE("linking: places of point coordinates, flat varyings, unwritten inputs") {
    using Kind = compiler::VaryingInput::Kind;
    compiler::Info vs, fs;
    const auto slot = [](unsigned n) { return uint8_t(unsigned(ir::VaryingSlot::Varying0) + n); };
    vs.outputs = {{.slot = uint8_t(ir::VaryingSlot::Position), .mask = 15, .reg = 8},
                  {.slot = slot(0), .mask = 7, .reg = 4},
                  {.slot = uint8_t(ir::VaryingSlot::PointSize), .mask = 1, .reg = 12}};
    fs.varyings = {{.slot = slot(0), .inloc = 0, .mask = 5, .count = 3, .flat = true},
                   {.slot = slot(1), .inloc = 3, .mask = 1, .count = 1},
                   {.kind = Kind::PointCoord, .inloc = 4, .mask = 3, .count = 2}};
    fs.varying_dw = 6;
    const VpcLink link = link_varyings(vs, fs);
    CHECK(link.used[0] == 0x3f);
    CHECK(link.position == 6);
    CHECK(link.point_size == 10);
    CHECK(link.stride_dw == 11);
    REQUIRE(link.outputs.size() == 3);
    CHECK(link.outputs[0].reg == 4);
    CHECK(link.outputs[0].mask == 5);
    CHECK(link.outputs[1].place == 6);
    CHECK(link.interpolation[0] == 0b010101);
    CHECK(link.replacement[0] == (1u << 8 | 3u << 10));
}

TEST_CASE(
    "linking: outputs for stream output only have places after the others; shared ones have one place") {
    compiler::Info vs, fs;
    const auto slot = [](unsigned n) { return uint8_t(unsigned(ir::VaryingSlot::Varying0) + n); };
    vs.outputs = {{.slot = uint8_t(ir::VaryingSlot::Position), .mask = 15, .reg = 8},
                  {.slot = slot(0), .mask = 15, .reg = 4},
                  {.slot = slot(1), .mask = 15, .reg = 12},
                  {.slot = slot(2), .mask = 3, .reg = 16}};
    fs.varyings = {{.slot = slot(0), .inloc = 0, .mask = 4, .count = 3},
                   {.slot = slot(1), .inloc = 3, .mask = 1, .count = 1}};
    fs.varying_dw = 4;
    pipe::StreamOutputLayout layout;
    layout.outputs = {{slot(0), 0, 2, 0, 0}, {slot(1), 2, 2, 0, 2}, {slot(2), 1, 1, 1, 0}, {0, 3, 1, 1, 1}};
    layout.stride_dw = {4, 2};
    const VpcLink link = link_varyings(vs, fs, &layout);
    REQUIRE(link.outputs.size() == 5);
    CHECK(link.outputs[0].mask == 7);  // the fragment shader's place is used
    CHECK(link.outputs[0].place == 0);
    CHECK(link.outputs[1].mask == 1);
    CHECK(link.outputs[2].reg == 12);  // the same register a second time: the next varying would be there
    CHECK(link.outputs[2].place == 4);
    CHECK(link.outputs[3].place == 8);
    CHECK(link.position == 10);
    CHECK(link.stride_dw == 14);
    CHECK(link.used[0] == 0x3ff);
    const auto words = [&] {
        std::string s;
        for (const CapturedWord& w : link.captured)
            s += std::to_string(w.place) + ">" + std::to_string(w.buffer) + "." +
                 std::to_string(w.offset_dw) + " ";
        return s;
    }();
    CHECK(words == "0>0.0 1>0.1 6>0.2 7>0.3 9>1.0 13>1.1 ");
    ProgramWords packed;
    pack_stream_output(link, layout, &packed);
    const Decoded d = decode_words(packed.words());
    INFO(d.text);
    CHECK(d.statistics.problems == 0);
    CHECK(d.registers.get(hw::VPC_SO_STREAM_CNTL::kRegister) == (1u << 15 | 1 | 1 << 3));
    CHECK(d.registers.get(hw::VPC_SO_BUFFER_STRIDE::at(1)) == 2);
}

TEST_CASE("linking: captured outputs that share a register have separate places") {
    compiler::Info vs;
    const compiler::Info fs;
    const auto slot = [](unsigned n) { return uint8_t(unsigned(ir::VaryingSlot::Varying0) + n); };
    vs.outputs = {{.slot = slot(0), .mask = 15, .reg = 4}, {.slot = slot(1), .mask = 1, .reg = 4}};
    pipe::StreamOutputLayout layout;
    layout.outputs = {{slot(1), 0, 1, 0, 0}, {slot(0), 0, 4, 1, 0}};
    layout.stride_dw = {1, 4};
    std::vector<unsigned> places;
    for (const CapturedWord& w : link_varyings(vs, fs, &layout).captured)
        places.push_back(w.place);
    CHECK(places == std::vector<unsigned>{4, 0, 1, 2, 3});
}

TEST_CASE("programs: parameters follow the uniforms, in the shader's order") {
    StageCode code;
    code.info.constants.params = {compiler::Param::DrawId, compiler::Param::BaseVertex,
                                  compiler::Param::NumSamples};
    code.info.constants.params_at_dw = 8;
    REQUIRE(params_size_dw(code) == 8);
    CHECK(params_size_dw({}) == 0);
    uint32_t words[8];
    CHECK(put_params(words, pipe::Stage::Vertex, code, {.base_vertex = 5, .draw_id = 7, .samples = 4}) ==
          words + 8);
    const Decoded d = decode_words(words);
    CHECK(d.statistics.problems == 0);
    hw::LoadState load;
    REQUIRE(unpack(words + 1, &load));
    CHECK(load.dst_off == 2);
    CHECK(load.num_unit == 1);
    CHECK(words[4] == 7);
    CHECK(words[5] == 5);
    CHECK(words[6] == 4);
    CHECK(words[7] == 0);
}

TEST_CASE("linking: a vertex shader without outputs gets one") {
    const VpcLink link = link_varyings({}, {});
    CHECK(link.outputs.size() == 1);
    CHECK(link.stride_dw == 1);
    CHECK(link.position == kNoPlace);
}

TEST_CASE("programs: unsupported programs are refused with the reason") {
    const auto device = open_adreno();
    std::string said;
    const pipe::Log log{
        [](void* to, pipe::Severity, std::string_view text) { static_cast<std::string*>(to)->append(text); },
        &said};
    AdrenoProgram::Shared shared;
    CHECK(!AdrenoProgram::create(*device, {}, log, shared));
    CHECK(said == "adreno: program (unnamed): needs a vertex and a fragment shader");
}

TEST_CASE("adreno program: code as text") {
    compiler::Binary b;
    const uint64_t end = 0x0300000000000000;
    b.code = {0x200cc003'00000004, end, 0, 0};
    b.info.statistics.instructions = 2;
    b.info.full_registers = 3;
    CHECK(code_text(b) ==
          "2 instructions (0 nops), 0 in the preamble, 0 blocks, 3 registers of four words, 0 words spilled, "
          "0 (ss), 0 (sy)\n"
          "  0000  mov.u32u32 r0.w, r1.x\n  0001  end\n");
}
