// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Source: Mesa 25.0.7, pan_fb_preload.c.
#include "drivers/mali/passes/load_draw.h"

#include <bit>
#include <cstring>
#include <new>

#include "drivers/mali/compiler/abi.h"
#include "drivers/mali/images/target.h"
#include "drivers/mali/stream/put.h"

namespace terrazzo::mali {

namespace {

/// Whether the images that are loaded have several samples, of which each is loaded.
bool loads_samples(const pipe::RenderPassDesc& pass, const LoadKey& load) {
    const auto has_samples = [](const pipe::Attachment& a) { return a.resource->desc.samples > 1; };
    if (load.depth || load.stencil) return has_samples(pass.depth_stencil);
    return has_samples(pass.color[std::countr_zero(load.colors)]);
}

void write_load_draw(Recorder& recorder, const ShaderPart& shader, const pipe::RenderPassDesc& pass,
                     uint32_t target_count, const LoadKey& load, const LoadBox* box, bool zs, uint8_t* out) {
    // Tables, textures and a sampler are in one piece of memory.
    uint32_t textures[pipe::kMaxColorTargets][kTexture_dw];
    unsigned count = 0;
    const auto add = [&](const pipe::Attachment& a, bool stencil) {
        if (load.other != LoadKey::Other::All)
            write_load_texture(recorder.pool, a, stencil, textures[count++]);
        if (box) write_load_texture(recorder.pool, box->from, stencil, textures[count++]);
    };
    if (zs) {
        if (load.depth) add(pass.depth_stencil, false);
        if (load.stencil) add(pass.depth_stencil, true);
    } else {
        for (uint32_t i = 0; i < pass.color_count; ++i)
            if (load.colors >> i & 1) add(pass.color[i], false);
    }
    const uint32_t targets = zs ? 0 : target_count;
    const uint32_t blend_at = kTexelTexturesAt_B + count * 32, zs_at = (blend_at + targets * 16 + 31) & ~31u;
    const uint32_t fau_at = zs_at + hw::DepthStencil::kSize_B;
    const Pool::Piece p = recorder.pool.allocate(fau_at + shader.fau_count() * 8, 64);
    put_texel_tables(p.cpu, p.va, count);
    std::memcpy(p.cpu + kTexelTexturesAt_B, textures, count * 32);
    for (uint32_t i = 0; i < targets; ++i) {
        hw::Blend b;
        b.enable = load.colors >> i & 1;
        b.internal.mode = hw::BlendMode::Off;
        if (b.enable) {
            b.equation.color_mask = 15;
            b.equation.rgb = b.equation.alpha = {
                .a = hw::BlendOperandA::Src, .b = hw::BlendOperandB::Src, .c = hw::BlendOperandC::Zero};
            b.round_to_fb_precision = true;
            b.srgb = pipe::format_info(pass.color[i].format).is_srgb;
            b.internal.mode = hw::BlendMode::Opaque;
            b.internal.num_comps = 4;
            b.internal.rt = i;
            b.internal.conversion = blend_conversion(pass.color[i].format, false, false);
        }
        put(b, p.cpu + blend_at + i * 16);
    }
    hw::DepthStencil d;
    d.front_compare_function = d.back_compare_function = d.depth_function = hw::CompareFunc::Always;
    if (zs) {
        d.depth_source = load.depth ? hw::DepthSource::Shader : hw::DepthSource::FixedFunction;
        d.depth_write_enable = load.depth;
        d.stencil_from_shader = d.stencil_test_enable = load.stencil;
        d.front_write_mask = d.back_write_mask = d.front_value_mask = d.back_value_mask = 0xff;
        d.front_stencil_fail = d.front_depth_fail = d.front_depth_pass = hw::StencilOp::Replace;
        d.back_stencil_fail = d.back_depth_fail = d.back_depth_pass = hw::StencilOp::Replace;
    }
    put(d, p.cpu + zs_at);
    uint32_t uniforms[sizeof(LoadUniforms) / 4] = {};
    if (box) std::memcpy(uniforms, &box->place, sizeof(uniforms));
    write_fau(shader, uniforms, {}, reinterpret_cast<uint32_t*>(p.cpu + fau_at));
    hw::Draw draw;
    const hw::PixelKill kill = zs ? hw::PixelKill::ForceLate : hw::PixelKill::ForceEarly;
    draw.flags_0.pixel_kill_operation = draw.flags_0.zs_update_operation = kill;
    draw.flags_0.allow_forward_pixel_to_kill = !zs;
    draw.flags_0.allow_forward_pixel_to_be_killed = true;
    draw.flags_0.multisample_enable = draw.flags_0.evaluate_per_sample = shader.info.per_sample;
    // Pixels that were only loaded need not be written back.
    draw.flags_0.clean_fragment_write = true;
    draw.flags_1.sample_mask = 0xffff;
    draw.flags_1.render_target_mask = load.colors;
    draw.maximum_z = 1;
    draw.depth_stencil = p.va + zs_at;
    if (!zs) {
        draw.blend = p.va + blend_at;
        draw.blend_count = targets;
    } else {
        draw.flags_1.render_target_mask = 0;
    }
    draw.shader.resources = p.va | kTexelTables;
    draw.shader.shader = shader.spd_va();
    draw.shader.thread_storage = recorder.local_storage(0);
    draw.shader.fau_count = shader.fau_count();
    draw.shader.fau = shader.fau_count() ? p.va + fau_at : 0;
    put(draw, out);
}

}  // namespace

void put_texel_tables(uint8_t* cpu, uint64_t va, uint32_t count) {
    std::memset(cpu, 0, kTexelSamplerAt_B);
    hw::Sampler sampler;
    sampler.normalized_coordinates = false;
    sampler.clamp_integer_array_indices = false;
    sampler.minify_nearest = sampler.magnify_nearest = true;
    put(sampler, cpu + kTexelSamplerAt_B);
    hw::Resource table;
    table.address = va + kTexelSamplerAt_B;
    table.size = 32;
    put(table, cpu + 16 * unsigned(compiler::Table::Samplers));
    table.address = va + kTexelTexturesAt_B;
    table.size = count * 32;
    put(table, cpu + 16 * unsigned(compiler::Table::Textures));
}

uint64_t write_load_shaders(Recorder& recorder, InternalShaders& shaders, const pipe::RenderPassDesc& pass,
                            uint32_t target_count, const LoadKey& load, const LoadBox* box) {
    if (load == LoadKey()) return 0;
    const Pool::Piece p = recorder.pool.allocate(3 * hw::Draw::kSize_B, hw::Draw::kAlign_B);
    std::memset(p.cpu, 0, 3 * hw::Draw::kSize_B);
    for (const bool zs : {false, true}) {
        LoadKey key = load;
        if (zs)
            key.colors = 0;
        else
            key.depth = key.stencil = false;
        if (!key.colors && !key.depth && !key.stencil) continue;
        if (zs) key.integers = false;
        if (loads_samples(pass, key)) key.read = LoadKey::Samples::Each;
        const ShaderPart* shader = shaders.load_shader(key);
        if (!shader) throw std::bad_alloc();
        write_load_draw(recorder, *shader, pass, target_count, load, box, zs,
                        p.cpu + (zs ? hw::Draw::kSize_B : 0));
    }
    return p.va;
}

}  // namespace terrazzo::mali
