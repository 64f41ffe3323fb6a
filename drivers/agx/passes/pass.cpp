// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Sources: Mesa 25.0.7, gallium agx_pipe.c (agx_cmdbuf), agx_batch.c, agx_state.c (agx_build_bg_eot);
// include/uapi/drm/asahi_drm.h of Linux.
#include "drivers/agx/passes/pass.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "drivers/agx/program/usc_words.h"

namespace terrazzo::agx {

namespace {

// The positions of one, two and four samples.
constexpr uint64_t multisample_control(uint32_t samples) {
    return samples == 4 ? 0xeaa26e26 : samples == 2 ? 0x44cc : 0x88;
}
// OpenGL's clip range is lowered in the vertex program, so bit 0 is clear; the others have no known meaning.
constexpr uint32_t kPppControl = 0x202;
// Low bits of a tile program's address.
constexpr uint32_t kTileProgramFlag = 4, kBackgroundOfManyTargets = 8;
constexpr uint32_t kManyTargets = 4;

template <class T>
uint64_t upload(Recorder& recorder, const std::vector<T>& elements) {
    if (elements.empty()) return 0;
    const Recorder::Words to = recorder.allocate(uint32_t(elements.size() * T::kSize_dw), 64);
    for (size_t n = 0; n < elements.size(); ++n)
        hw::pack(elements[n], to.cpu + n * T::kSize_dw);
    return to.va;
}

}  // namespace

/// What happens to each attachment at the begin and the end of tiles.
struct Pass::Plan {
    TileProgramKey background, partial_background, end;
    DepthStencilOps depth_stencil;
    bool stores = false, clears = false;
};

void Pass::begin(const pipe::RenderPassDesc& desc) {
    open(desc);
    recorder_.vdm.drop();  // of a pass that was dropped
    scissors_.clear();
    depth_biases_.clear();
    vertex_stack_ = false;
    counts_ = nullptr;
    tiles_ = lay_out_tiles(desc);
    write_attachments();
}

uint32_t Pass::add_scissor(const hw::Scissor& s) {
    scissors_.push_back(s);
    return uint32_t(scissors_.size() - 1);
}

uint32_t Pass::add_depth_bias(const hw::DepthBias& b) {
    depth_biases_.push_back(b);
    return uint32_t(depth_biases_.size() - 1);
}

Pass::Plan Pass::plan() const {
    Plan p;
    for (uint32_t n = 0; n < desc_.color_count; ++n) {
        const pipe::Attachment& a = desc_.color[n];
        const TileTarget& place = tiles_.target[n];
        if (!a.resource || !place.components) continue;
        const bool clears = a.load == pipe::LoadOp::Clear;
        p.clears |= clears;
        if (clears) p.background.target[n] = {TileOp::Clear, place};
        if (a.load == pipe::LoadOp::Load) p.background.target[n] = {TileOp::Load, place};
        // All that parts of a pass have drawn goes on in the next part.
        p.partial_background.target[n] = {TileOp::Load, place};
        if (a.store == pipe::StoreOp::Store) {
            p.end.target[n] = {TileOp::Store, place};
            p.stores = true;
        }
    }
    if (!desc_.depth_stencil.resource) return p;
    const pipe::FormatInfo& f = pipe::format_info(desc_.depth_stencil.format);
    const bool clears_depth = f.has_depth && desc_.depth_stencil.load == pipe::LoadOp::Clear;
    const bool clears_stencil = f.has_stencil && desc_.stencil_load == pipe::LoadOp::Clear;
    p.clears |= clears_depth || clears_stencil;
    // Draws without depth and stencil tests do not change memory.
    const bool loads = uses_depth_stencil_ || clears_depth || clears_stencil;
    DepthStencilOps& zs = p.depth_stencil;
    zs.load_depth = loads && f.has_depth && desc_.depth_stencil.load == pipe::LoadOp::Load;
    zs.load_stencil = loads && f.has_stencil && desc_.stencil_load == pipe::LoadOp::Load;
    zs.store_depth = loads && f.has_depth && desc_.depth_stencil.store == pipe::StoreOp::Store;
    zs.store_stencil = loads && f.has_stencil && desc_.stencil_store == pipe::StoreOp::Store;
    p.stores |= zs.store_depth || zs.store_stencil;
    return p;
}

uapi::drm_asahi_bg_eot Pass::write_tile_program(TilePrograms& programs, const TileProgramKey& key) {
    UscWords words;
    hw::Counts counts;
    uint32_t targets = 0;
    bool stores = false, loads = false;
    for (uint32_t n = 0; n < key.target.size(); ++n)
        if (key.target[n].op != TileOp::None) {
            targets = n + 1;
            stores |= key.target[n].op == TileOp::Store;
            loads |= key.target[n].op == TileOp::Load;
        }
    if (loads || stores) {
        const Recorder::Words table = recorder_.allocate(targets * hw::Texture::kSize_dw, 8);
        for (uint32_t n = 0; n < targets; ++n) {
            uint32_t* const out = table.cpu + n * hw::Texture::kSize_dw;
            const TileOp op = key.target[n].op;
            if (op == TileOp::Store)
                hw::pack(store_target(desc_.color[n]), out);
            else if (op == TileOp::Load)
                hw::pack(load_target(desc_.color[n]), out);
            else
                std::memset(out, 0, hw::Texture::kSize_B);
        }
        words.add(hw::UscTexture{.start = 0, .count = targets, .buffer = table.va});
        counts.textures = targets;
    }
    if (loads) {
        const Recorder::Words sampler = recorder_.allocate(hw::Sampler::kSize_dw, 8);
        hw::pack(hw::Sampler{.pixel_coordinates = true}, sampler.cpu);
        words.add(hw::UscSampler{.start = 0, .count = 1, .buffer = sampler.va});
        counts.samplers = hw::SamplerStates::Compact4;
    }
    if (!stores && targets) {
        const Recorder::Words colors = recorder_.allocate(targets * 4, 8);
        for (uint32_t n = 0; n < targets; ++n)
            std::memcpy(colors.cpu + 4 * n, desc_.clear_color[n].u, sizeof desc_.clear_color[n].u);
        words.add_uniforms(0, targets * 4, colors.va);
        counts.uniforms = targets * 8;
    }
    words.add(tiles_.shared());
    words.add_code(programs.find(key).va(), TilePrograms::kRegisters, 0, !stores);
    words.add(hw::UscNoPreshader());
    const uint64_t va = words.put(recorder_);
    uint32_t packed;
    hw::pack(counts, &packed);
    // All bits of the upper half are set, as Mesa does.
    if (!stores) packed |= 0xffff0000;
    const uint32_t flag =
        !stores && desc_.color_count >= kManyTargets ? kBackgroundOfManyTargets : kTileProgramFlag;
    return {uint32_t(va - Asahi::kUscBase) | flag, packed};
}

void Pass::end(TilePrograms& programs) {
    if (!active_) return;
    // Another context may have replaced an attachment's memory since begin().
    write_attachments();
    contexts::drop_stores(&desc_, discarded_);
    const Plan p = plan();
    if (!draws_ && !(p.clears && p.stores)) return drop();
    uapi::drm_asahi_cmd_render r{};
    r.ppp_ctrl = kPppControl;
    r.width_px = uint16_t(desc_.width);
    r.height_px = uint16_t(desc_.height);
    r.layers = 1;
    r.samples = uint8_t(tiles_.samples);
    r.sample_size_B = uint8_t(tiles_.sample_B);
    r.utile_width_px = uint8_t(tiles_.width_px);
    r.utile_height_px = uint8_t(tiles_.height_px);
    r.ppp_multisamplectl = multisample_control(tiles_.samples);
    constexpr float kTan60 = 1.732051f;
    r.isp_merge_upper_x = std::bit_cast<uint32_t>(kTan60 / float(desc_.width));
    r.isp_merge_upper_y = std::bit_cast<uint32_t>(kTan60 / float(desc_.height));
    r.isp_scissor_base = upload(recorder_, scissors_);
    r.isp_dbias_base = upload(recorder_, depth_biases_);
    if (counts_) {
        r.isp_oclqry_base = counts_->block.va;
        recorder_.hold_always(counts_);
    }
    // Tiles without primitives are cleared, too.
    if (p.clears) r.flags |= uapi::kAsahiRenderProcessEmptyTiles;
    if (vertex_stack_) r.flags |= uapi::kAsahiRenderVertexScratch;
    set_depth_stencil(desc_.depth_stencil, p.depth_stencil, desc_, &r);
    r.bg = write_tile_program(programs, p.background);
    r.eot = write_tile_program(programs, p.end);
    r.partial_bg = write_tile_program(programs, p.partial_background);
    Plan all = p;
    for (uint32_t n = 0; n < desc_.color_count; ++n)
        if (all.partial_background.target[n].op == TileOp::Load)
            all.end.target[n] = {TileOp::Store, tiles_.target[n]};
    r.partial_eot = all.end == p.end ? r.eot : write_tile_program(programs, all.end);
    r.vdm_ctrl_stream_base = recorder_.vdm.finish();
    recorder_.add_render(r);
    drop();
}

}  // namespace terrazzo::agx
