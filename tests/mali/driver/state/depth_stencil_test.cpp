// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The descriptors of rasterization, depth and stencil; when tests are early. The vectors of early tests are
// those of Mesa 25.0.7, src/panfrost/lib/tests/test-earlyzs.cpp, as far as ES 2.0 shaders allow them.
#include <doctest/doctest.h>

#include <random>

#include "drivers/mali/hw/descriptors.h"
#include "drivers/mali/state/fragment_flags.h"

using namespace terrazzo;
using namespace terrazzo::mali;

namespace {

hw::DepthStencil unpacked(const uint32_t words[8]) {
    hw::DepthStencil d;
    fields::ReservedBits found;
    REQUIRE(hw::unpack(words, &d, &found));
    return d;
}
hw::DcdFlags0 unpacked(uint32_t word) {
    hw::DcdFlags0 f;
    fields::ReservedBits found;
    REQUIRE(hw::unpack(&word, &f, &found));
    return f;
}

hw::DepthStencil write(const pipe::DepthStencilDesc& d, const pipe::RasterDesc& r, pipe::Format f,
                       bool shader_writes_depth = false, bool shader_writes_stencil = false) {
    const auto zs = pipe::Ref<MaliDepthStencil>::adopt(new MaliDepthStencil(d));
    const auto raster = pipe::Ref<MaliRaster>::adopt(new MaliRaster(r));
    uint32_t words[8];
    write_depth_stencil(*zs, *raster, 0x12, 0xfe, f, shader_writes_depth, shader_writes_stencil, words);
    return unpacked(words);
}

pipe::DepthStencilDesc busy_desc() {
    pipe::DepthStencilDesc d;
    d.depth_test = d.depth_write = d.stencil_test = true;
    d.depth_compare = pipe::Compare::LessEqual;
    d.front = {pipe::Compare::Greater,
               pipe::StencilOp::IncrClamp,
               pipe::StencilOp::DecrClamp,
               pipe::StencilOp::Invert,
               0x3c,
               0xc3};
    d.back = {pipe::Compare::NotEqual,
              pipe::StencilOp::IncrWrap,
              pipe::StencilOp::DecrWrap,
              pipe::StencilOp::Replace,
              0x55,
              0xaa};
    return d;
}

}  // namespace

TEST_CASE("mali state: depth and stencil have GL's state") {
    const hw::DepthStencil d = write(busy_desc(), {}, pipe::Format::D24_UNORM_S8_UINT);
    CHECK(d.depth_function == hw::CompareFunc::Lequal);
    CHECK(d.depth_write_enable);
    CHECK(d.depth_source == hw::DepthSource::FixedFunction);
    CHECK(d.depth_clamp_mode == hw::DepthClampMode::ZeroToOne);
    CHECK(d.depth_cull_enable);
    CHECK_FALSE(d.depth_bias_enable);
    CHECK(d.stencil_test_enable);
    CHECK(d.front_compare_function == hw::CompareFunc::Greater);
    CHECK(d.front_stencil_fail == hw::StencilOp::IncrSat);
    CHECK(d.front_depth_fail == hw::StencilOp::DecrSat);
    CHECK(d.front_depth_pass == hw::StencilOp::Invert);
    CHECK(d.front_value_mask == 0x3c);
    CHECK(d.front_write_mask == 0xc3);
    CHECK(d.front_reference_value == 0x12);
    CHECK(d.back_compare_function == hw::CompareFunc::NotEqual);
    CHECK(d.back_stencil_fail == hw::StencilOp::IncrWrap);
    CHECK(d.back_depth_fail == hw::StencilOp::DecrWrap);
    CHECK(d.back_depth_pass == hw::StencilOp::Replace);
    CHECK(d.back_value_mask == 0x55);
    CHECK(d.back_write_mask == 0xaa);
    CHECK(d.back_reference_value == 0xfe);
}

TEST_CASE("mali state: a test that is off, or whose buffer is missing, passes and writes nothing") {
    const pipe::DepthStencilDesc busy = busy_desc();
    pipe::DepthStencilDesc off = busy;
    off.depth_test = off.stencil_test = false;
    const auto depth_passes = [](const hw::DepthStencil& d) {
        return d.depth_function == hw::CompareFunc::Always && !d.depth_write_enable;
    };
    const auto stencil_passes = [](const hw::DepthStencil& d) {
        return !d.stencil_test_enable && d.front_compare_function == hw::CompareFunc::Always &&
               d.back_compare_function == hw::CompareFunc::Always && !d.front_write_mask &&
               !d.back_write_mask && d.front_depth_fail == hw::StencilOp::Keep;
    };
    const struct {
        const pipe::DepthStencilDesc& desc;
        pipe::Format format;
        bool depth, stencil;  // pass
    } rows[] = {{off, pipe::Format::D24_UNORM_S8_UINT, true, true},
                {busy, pipe::Format::None, true, true},
                {busy, pipe::Format::D16_UNORM, false, true},
                {busy, pipe::Format::D24_UNORM_X8, false, true},
                {busy, pipe::Format::S8_UINT, true, false},
                {busy, pipe::Format::D24_UNORM_S8_UINT, false, false}};
    for (const auto& row : rows) {
        CAPTURE(pipe::format_name(row.format));
        const hw::DepthStencil d = write(row.desc, {}, row.format);
        CHECK(depth_passes(d) == row.depth);
        CHECK(stencil_passes(d) == row.stencil);
        CHECK(d.front_reference_value == 0x12);
    }
    // A mask of writes without the test writes nothing.
    CHECK(MaliDepthStencil(off).writes == false);
    CHECK(MaliDepthStencil(off).always_passes == true);
    CHECK(MaliDepthStencil(busy).writes == true);
    CHECK(MaliDepthStencil(busy).always_passes == false);
    pipe::DepthStencilDesc keeps = busy;
    keeps.depth_write = false;
    keeps.front.write_mask = 0;
    keeps.back.fail = keeps.back.depth_fail = keeps.back.pass = pipe::StencilOp::Keep;
    CHECK(MaliDepthStencil(keeps).writes == false);
    CHECK(MaliDepthStencil(keeps).always_passes == false);
    pipe::DepthStencilDesc marks = off;
    marks.stencil_test = true;
    marks.front.compare = marks.back.compare = pipe::Compare::Always;
    CHECK(MaliDepthStencil(marks).writes == true);
    CHECK(MaliDepthStencil(marks).always_passes == true);
}

TEST_CASE("mali state: depth bias, and depth from the shader") {
    pipe::RasterDesc r;
    r.depth_bias_factor = 1.5f;
    r.depth_bias_units = 3;
    r.depth_bias_clamp = 0.25f;
    hw::DepthStencil d = write(busy_desc(), r, pipe::Format::D24_UNORM_X8, true);
    CHECK(d.depth_source == hw::DepthSource::Shader);
    CHECK(!d.stencil_from_shader);
    d = write(busy_desc(), {}, pipe::Format::D24_UNORM_S8_UINT, false, true);
    CHECK(d.depth_source == hw::DepthSource::FixedFunction);
    CHECK(d.stencil_from_shader);
    CHECK(d.stencil_test_enable);
    CHECK(d.front_compare_function == hw::CompareFunc::Greater);
    CHECK_FALSE(d.depth_bias_enable);
    CHECK(d.depth_units == 0);
    CHECK(d.depth_factor == 0);
    r.depth_bias = true;
    d = write(busy_desc(), r, pipe::Format::D24_UNORM_X8);
    CHECK(d.depth_bias_enable);
    CHECK(d.depth_units == 6);
    CHECK(d.depth_factor == 1.5f);
    CHECK(d.depth_bias_clamp == 0.25f);
    CHECK(write(busy_desc(), r, pipe::Format::D32_FLOAT).depth_units == 3);
}

TEST_CASE("mali state: faces") {
    using pipe::CullFace;
    for (const CullFace cull : {CullFace::None, CullFace::Front, CullFace::Back, CullFace::Both})
        for (const bool ccw : {false, true}) {
            const MaliRaster raster({.cull = cull, .front_ccw = ccw});
            const hw::DcdFlags0 faces = unpacked(raster.flags_0), none = unpacked(raster.flags_0_unculled);
            CHECK(faces.cull_front_face == (cull == CullFace::Front || cull == CullFace::Both));
            CHECK(faces.cull_back_face == (cull == CullFace::Back || cull == CullFace::Both));
            CHECK(faces.front_face_ccw == !ccw);  // hardware's y points down
            CHECK_FALSE(none.cull_front_face);
            CHECK_FALSE(none.cull_back_face);
            CHECK(none.front_face_ccw == !ccw);
            CHECK_FALSE(faces.multisample_enable);
        }
}

TEST_CASE("mali state: when depth and stencil are updated") {
    using hw::PixelKill;
    enum : unsigned { kWrites = 1, kCoverage = 2, kPasses = 4, kDiscard = 8, kDepth = 16, kQuery = 32 };
    const struct {
        PixelKill update, kill;
        unsigned flags;
    } rows[] = {
        // ShaderCalculatesZS
        {PixelKill::ForceLate, PixelKill::ForceLate, kDepth},
        {PixelKill::ForceLate, PixelKill::ForceLate, kDepth | kPasses},
        {PixelKill::ForceLate, PixelKill::ForceLate, kDepth | kPasses | kCoverage},
        // ModifiesCoverageWritesZSNoSideFX, and Alt
        {PixelKill::ForceLate, PixelKill::ForceEarly, kWrites | kDiscard},
        {PixelKill::ForceLate, PixelKill::ForceEarly, kWrites | kCoverage},
        {PixelKill::ForceLate, PixelKill::ForceEarly, kWrites | kDiscard | kCoverage},
        {PixelKill::ForceLate, PixelKill::WeakEarly, kPasses | kWrites | kDiscard},
        {PixelKill::ForceLate, PixelKill::WeakEarly, kPasses | kWrites | kCoverage},
        // NoSideFXNoShaderZS, and Alt
        {PixelKill::ForceEarly, PixelKill::ForceEarly, 0},
        {PixelKill::ForceLate, PixelKill::ForceEarly, kCoverage | kDiscard},
        {PixelKill::ForceEarly, PixelKill::ForceEarly, kWrites},
        {PixelKill::WeakEarly, PixelKill::WeakEarly, kPasses},
        {PixelKill::ForceLate, PixelKill::WeakEarly, kPasses | kCoverage | kDiscard},
        {PixelKill::WeakEarly, PixelKill::WeakEarly, kPasses | kWrites},
        // Mesa's vectors count occlusion queries as writes.
        {PixelKill::ForceLate, PixelKill::ForceEarly, kQuery | kDiscard},
        {PixelKill::ForceEarly, PixelKill::ForceEarly, kQuery},
        {PixelKill::ForceEarly, PixelKill::ForceEarly, kDiscard},
    };
    for (const auto& row : rows) {
        CAPTURE(row.flags);
        pipe::DepthStencilDesc d;
        d.depth_test = true;
        d.depth_compare = row.flags & kPasses ? pipe::Compare::Always : pipe::Compare::Less;
        d.depth_write = row.flags & kWrites;
        compiler::Info info;
        info.discards = row.flags & kDiscard;
        info.writes_depth = row.flags & kDepth;
        const MaliDepthStencil zs(d);
        BlendSummary blend;
        blend.replaces_all = true;
        const bool query = row.flags & kQuery, coverage = row.flags & kCoverage;
        const hw::DcdFlags0 f = unpacked(fragment_flags_0(info, zs, blend, true, query, coverage));
        CHECK(f.zs_update_operation == row.update);
        CHECK(f.pixel_kill_operation == row.kill);
        CHECK(f.allow_forward_pixel_to_be_killed);
        CHECK(f.allow_forward_pixel_to_kill == !(row.flags & (kDiscard | kDepth | kCoverage)));
        CHECK(f.shader_modifies_coverage == bool(row.flags & (kDiscard | kCoverage)));
        CHECK(f.alpha_to_coverage == coverage);
        CHECK(f.occlusion_query == hw::OcclusionMode::Disabled);
        // Without the buffer nothing is written, and all pass.
        const hw::DcdFlags0 bare = unpacked(fragment_flags_0(info, zs, blend, false, false, false));
        CHECK(bare.zs_update_operation == (info.writes_depth ? PixelKill::ForceLate : PixelKill::WeakEarly));
    }
}

TEST_CASE("mali state: only a draw that replaces all colours kills the fragments below") {
    const MaliDepthStencil zs({});
    compiler::Info info;
    BlendSummary blend;
    CHECK_FALSE(unpacked(fragment_flags_0(info, zs, blend, true, false, false)).allow_forward_pixel_to_kill);
    CHECK_FALSE(needs_fragment_shader(info, blend));
    blend.alpha_one_replaces = true;
    CHECK(unpacked(fragment_flags_0(info, zs, blend, true, false, false)).overdraw_alpha1);
    CHECK_FALSE(unpacked(fragment_flags_0(info, zs, blend, true, false, false)).overdraw_alpha0);
    blend.targets_written = 1;
    CHECK(needs_fragment_shader(info, blend));
    info.discards = true;
    CHECK(needs_fragment_shader(info, {}));
    CHECK_FALSE(unpacked(flags_0_without_fragment_shader(true)).allow_forward_pixel_to_kill);
    const hw::DcdFlags0 bare = unpacked(flags_0_without_fragment_shader(false));
    CHECK(bare.allow_forward_pixel_to_kill);
    CHECK(bare.zs_update_operation == hw::PixelKill::ForceEarly);
}
