// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Source: Mesa 25.0.7, genxml/v10.xml, pan_desc.c and pan_samples.c (the positions of samples).
#include "drivers/mali/sim/fragment/framebuffer.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <iterator>

#include "pipe/raster/sample_positions.h"

namespace terrazzo::mali::sim {

namespace {

// How samples are written: each to a surface of its own, or their mean.
bool check_msaa(hw::Msaa msaa, unsigned samples, const std::string& name, Fault* fault) {
    switch (msaa) {
        case hw::Msaa::Single:
            return samples == 1 || report(fault, name, ": single-sampled write-back of several samples");
        case hw::Msaa::Multiple:
            return report(fault, name, ": write-back of adjacent samples is not executed");
        case hw::Msaa::Average:
        case hw::Msaa::Layered:
            break;
    }
    return true;
}

// The number of samples and their positions. Memory has the positions, too, with 16 bits for x and y.
bool load_samples(Window& memory, const std::string& name, FramebufferState* out, Fault* fault) {
    const hw::FramebufferParameters& p = out->p;
    units::SamplePattern& pattern = out->pattern;
    pattern = {};
    constexpr unsigned kSamples[] = {1, 4, 4, 8, 16};  // by hw::SamplePattern
    const auto number = unsigned(p.sample_pattern);
    if (number >= std::size(kSamples) || p.sample_count != kSamples[number])
        return report(fault, name, ": ", p.sample_count, " samples in pattern ", number);
    if (p.sample_count > units::kMaxSamples) return report(fault, name, ": 16 samples are not executed");
    out->samples = pattern.count = p.sample_count;
    if (out->samples == 1) return true;
    uint16_t positions[units::kMaxSamples][2];
    if (!memory.read(p.sample_locations, positions, size_t(out->samples) * sizeof positions[0]))
        return report_access(fault, memory, name + ": positions of samples");
    for (unsigned n = 0; n < out->samples; ++n) {
        pipe::raster::SamplePosition at = pipe::raster::sample_at(out->samples, n);
        if (p.sample_pattern == hw::SamplePattern::Ordered4xGrid)
            at = {int8_t(n & 1 ? 4 : -4), int8_t(n & 2 ? 4 : -4)};
        pattern.x[n] = uint8_t(128 + at.x * 16);
        pattern.y[n] = uint8_t(128 + at.y * 16);
        if (positions[n][0] != pattern.x[n] || positions[n][1] != pattern.y[n])
            return report(fault, name, ": memory has another position of sample ", n, " than ",
                          hw::enum_name(p.sample_pattern));
    }
    return true;
}

bool load_target(Window& memory, uint64_t va, unsigned index, unsigned samples, TargetState* t,
                 Fault* fault) {
    const std::string name = "render target " + std::to_string(index);
    if (!read_struct(memory, va, &t->d, name.c_str(), fault)) return false;
    if (t->d.writeback_mode != hw::WritebackMode::Compat || t->d.yuv_enable)
        return report(fault, name, ": AFRC and YUV are not executed");
    if (!tile_format(t->d.internal_format, &t->tile)) {
        // A target without a format stores nothing.
        if (t->d.write_enable) return report(fault, name, " has no format in the tile buffer");
        if (!tile_format(hw::ColorBufferInternalFormat::R8G8B8A8, &t->tile)) return false;
    }
    t->writes = t->d.write_enable && t->d.writeback_block_format != hw::BlockFormat::NO_WRITE;
    if (t->writes && !writeback_supported(t->d.writeback_format, &t->pixel_B))
        return report(fault, name, ": write-back format ", hw::enum_name(t->d.writeback_format),
                      " is not executed");
    const bool raw =
        t->d.writeback_format >= hw::ColorFormat::RAW8 && t->d.writeback_format <= hw::ColorFormat::RAW128;
    if (t->writes && (raw ? t->pixel_B > t->tile.size_B : t->tile.raw))
        return report(fault, name, ": ", hw::enum_name(t->tile.internal), " cannot be written as ",
                      hw::enum_name(t->d.writeback_format));
    if (t->writes && !hw::swizzle_valid(t->d.swizzle))
        return report(fault, name, ": a swizzle with a channel that does not exist");
    if (t->writes && !check_msaa(t->d.writeback_msaa, samples, name, fault)) return false;
    if (t->writes && t->d.writeback_msaa == hw::Msaa::Average && t->tile.raw)
        return report(fault, name, ": the mean of ", hw::enum_name(t->tile.internal));
    std::memcpy(t->clear, t->d.clear, 16);
    if (!t->tile.raw) {
        const uint32_t word = clear_pixel(t->tile, t->d.clear[0]);
        std::memcpy(t->clear, &word, 4);
    }
    return true;
}

units::DepthFormat depth_format(hw::ZInternalFormat f) {
    switch (f) {
        case hw::ZInternalFormat::D16:
            return units::DepthFormat::Unorm16;
        case hw::ZInternalFormat::D24:
            return units::DepthFormat::Unorm24;
        case hw::ZInternalFormat::D32:
            break;
    }
    return units::DepthFormat::Float32;
}

}  // namespace

bool load_framebuffer(Window& memory, const hw::FramebufferPointer& pointer, FramebufferState* out,
                      Fault* fault) {
    hw::Framebuffer fb;
    if (!read_struct(memory, pointer.pointer, &fb, "framebuffer", fault)) return false;
    const hw::FramebufferParameters& p = out->p = fb.parameters;
    const std::string name = "framebuffer at " + hex_text(pointer.pointer);
    if (p.render_target_count != pointer.render_target_count ||
        p.has_zs_crc_extension != pointer.zs_crc_extension_present)
        return report(fault, name, ": its pointer says other render targets or another extension");
    if (!load_samples(memory, name, out, fault)) return false;
    if (p.z_preload_enable || p.s_preload_enable)
        return report(fault, name, ": loads of depth and stencil without a frame shader are not executed");
    if (p.downscale_geometry != hw::Downscale::None)
        return report(fault, name, ": downscaling is not executed");
    if (p.render_target_count > kMaxTargets) return report(fault, name, ": more than 8 render targets");
    if (p.effective_tile_size < 16 || p.effective_tile_size > kArea_px * kArea_px)
        return report(fault, name, ": tiles of ", p.effective_tile_size, " pixels");
    out->tile_w_px = p.effective_tile_size > 256 ? 32 : 16;
    out->tile_h_px = p.effective_tile_size > 512 ? 32 : 16;
    uint64_t va = pointer.pointer + hw::Framebuffer::kSize_B;
    out->has_zs = p.has_zs_crc_extension;
    if (out->has_zs) {
        if (!read_struct(memory, va, &out->zs, "depth and CRC extension", fault)) return false;
        // Stencil is written with depth, or to a surface of its own.
        const bool with_depth = p.s_write_enable && out->zs.zs_write_format == hw::ZsWriteFormat::D24S8;
        const bool alone = p.s_write_enable && out->zs.s_write_format != hw::StencilWriteFormat::NONE &&
                           out->zs.s_write_format != hw::StencilWriteFormat::X24S8;
        if (((p.z_write_enable || with_depth) &&
             !check_msaa(out->zs.zs_msaa, out->samples, name + ": depth", fault)) ||
            (alone && !check_msaa(out->zs.s_msaa, out->samples, name + ": stencil", fault)))
            return false;
        va += hw::ZsCrcExtension::kSize_B;
    }
    out->targets.resize(p.render_target_count);
    for (unsigned i = 0; i < p.render_target_count; ++i, va += hw::RenderTarget::kSize_B)
        if (!load_target(memory, va, i, out->samples, &out->targets[i], fault)) return false;
    if ((p.crc_read_enable || p.crc_write_enable) &&
        (!out->has_zs || out->zs.crc_render_target >= p.render_target_count))
        return report(fault, name, ": CRC without a render target for it");
    out->bounds = {int32_t(p.bound_min_x), int32_t(p.bound_min_y),
                   int32_t(std::min(p.bound_max_x + 1, p.width)),
                   int32_t(std::min(p.bound_max_y + 1, p.height))};
    out->depth_format = depth_format(p.z_internal_format);
    out->depth_clear = units::encode_depth(out->depth_format, p.z_clear);
    return true;
}

}  // namespace terrazzo::mali::sim
