// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Source: Mesa 25.0.7, genxml/v10.xml and pan_desc.c.
#include "drivers/mali/sim/fragment/framebuffer.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

namespace terrazzo::mali::sim {

namespace {

bool load_target(Window& memory, uint64_t va, unsigned index, TargetState* t, Fault* fault) {
    const std::string name = "render target " + std::to_string(index);
    if (!read_struct(memory, va, &t->d, name.c_str(), fault)) return false;
    if (t->d.writeback_mode != hw::WritebackMode::Compat || t->d.yuv_enable)
        return report(fault, name + ": AFRC and YUV are not executed");
    if (!tile_format(t->d.internal_format, &t->tile)) {
        // A target without a format stores nothing.
        if (t->d.write_enable) return report(fault, name + " has no format in the tile buffer");
        if (!tile_format(hw::ColorBufferInternalFormat::R8G8B8A8, &t->tile)) return false;
    }
    t->writes = t->d.write_enable && t->d.writeback_block_format != hw::BlockFormat::NO_WRITE;
    if (t->writes && !writeback_supported(t->d.writeback_format, &t->pixel_B))
        return report(
            fault, name + ": write-back format " + hw::enum_name(t->d.writeback_format) + " is not executed");
    const bool raw =
        t->d.writeback_format >= hw::ColorFormat::RAW8 && t->d.writeback_format <= hw::ColorFormat::RAW128;
    if (t->writes && (raw ? t->pixel_B > t->tile.size_B : t->tile.raw))
        return report(fault, name + ": " + hw::enum_name(t->tile.internal) + " cannot be written as " +
                                 hw::enum_name(t->d.writeback_format));
    if (t->writes && !hw::swizzle_valid(t->d.swizzle))
        return report(fault, name + ": a swizzle with a channel that does not exist");
    if (t->writes && t->d.writeback_msaa != hw::Msaa::Single)
        return report(fault, name + ": multisampled write-back is not executed");
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
        return report(fault, name + ": its pointer says other render targets or another extension");
    if (p.sample_count != 1) return report(fault, name + ": multisampling is not executed");
    if (p.z_preload_enable || p.s_preload_enable)
        return report(fault, name + ": loads of depth and stencil without a frame shader are not executed");
    if (p.downscale_geometry != hw::Downscale::None)
        return report(fault, name + ": downscaling is not executed");
    if (p.render_target_count > kMaxTargets) return report(fault, name + ": more than 8 render targets");
    if (p.effective_tile_size < 16 || p.effective_tile_size > kArea_px * kArea_px)
        return report(fault, name + ": tiles of " + std::to_string(p.effective_tile_size) + " pixels");
    out->tile_w_px = p.effective_tile_size > 256 ? 32 : 16;
    out->tile_h_px = p.effective_tile_size > 512 ? 32 : 16;
    uint64_t va = pointer.pointer + hw::Framebuffer::kSize_B;
    out->has_zs = p.has_zs_crc_extension;
    if (out->has_zs) {
        if (!read_struct(memory, va, &out->zs, "depth and CRC extension", fault)) return false;
        if (out->zs.zs_msaa != hw::Msaa::Single || out->zs.s_msaa != hw::Msaa::Single)
            return report(fault, name + ": multisampled depth is not executed");
        va += hw::ZsCrcExtension::kSize_B;
    }
    out->targets.resize(p.render_target_count);
    for (unsigned i = 0; i < p.render_target_count; ++i, va += hw::RenderTarget::kSize_B)
        if (!load_target(memory, va, i, &out->targets[i], fault)) return false;
    if ((p.crc_read_enable || p.crc_write_enable) &&
        (!out->has_zs || out->zs.crc_render_target >= p.render_target_count))
        return report(fault, name + ": CRC without a render target for it");
    out->bounds = {int32_t(p.bound_min_x), int32_t(p.bound_min_y),
                   int32_t(std::min(p.bound_max_x + 1, p.width)),
                   int32_t(std::min(p.bound_max_y + 1, p.height))};
    out->depth_format = depth_format(p.z_internal_format);
    out->depth_clear = units::encode_depth(out->depth_format, p.z_clear);
    return true;
}

}  // namespace terrazzo::mali::sim
