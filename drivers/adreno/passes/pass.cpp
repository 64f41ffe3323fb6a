// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The common part of passes, and passes in sysmem. Source: Mesa 25.0.7, fd6_gmem.cc (fd6_emit_sysmem_prep,
// _sysmem, _sysmem_fini), fd6_emit.cc (fd6_emit_restore).
#include "drivers/adreno/passes/pass.h"

#include <algorithm>
#include <new>

#include "drivers/adreno/images/texture.h"
#include "drivers/adreno/program/load_state.h"
#include "drivers/adreno/submission/restore.h"

namespace terrazzo::adreno {

using namespace pipe::attachment_bit;

bool Pass::begin(const pipe::RenderPassDesc& desc, const char** why) {
    // The surfaces described here are drawn into when the pass ends.
    contexts::for_each_attachment(
        desc, [&](const pipe::Attachment& a) { recorder_.hold_target(adreno(*a.resource)); });
    Targets targets;
    if (!describe_targets(desc, &targets, why)) return false;
    parts_.assign(1, {});  // may throw: the pass is not active yet
    open(desc);
    targets_ = targets;
    needs_sysmem_ = false;
    color_textures_.clear();
    draws_ = {};
    plan_gmem();
    plan_lrz();
    pipe::ClearInfo values;
    values.color = desc.clear_color;
    values.depth = desc.clear_depth;
    values.stencil = desc.clear_stencil;
    uint32_t cleared = 0;
    for (uint32_t i = 0; i < desc.color_count; ++i)
        if (desc.color[i].resource && desc.color[i].load == pipe::LoadOp::Clear) cleared |= kColor0 << i;
    if (desc.depth_stencil.resource) {
        if (desc.depth_stencil.load == pipe::LoadOp::Clear) cleared |= kDepth;
        if (targets.has_stencil && desc.stencil_load == pipe::LoadOp::Clear) cleared |= kStencil;
    }
    if (cleared) clear(cleared, {0, 0, int32_t(desc.width), int32_t(desc.height)}, values);
    return true;
}

void Pass::close_part() {
    const auto segments = draws.finish();
    parts_.back().draws.assign(segments.begin(), segments.end());
    draws.discard();
}

void Pass::clear(uint32_t attachments, const pipe::Scissor& area, const pipe::ClearInfo& values) {
    const pipe::Scissor inside{std::max(area.x0, 0), std::max(area.y0, 0),
                               std::min(area.x1, int32_t(desc_.width)),
                               std::min(area.y1, int32_t(desc_.height))};
    if (inside.x0 >= inside.x1 || inside.y0 >= inside.y1) return;
    discarded_ &= ~attachments;
    if (!draws.empty()) {
        close_part();
        const bool fast = parts_.back().lrz_fast;
        parts_.emplace_back().lrz_fast = fast;
    }
    parts_.back().clears.push_back({attachments, inside, values});
    if (attachments & kDepth) note_depth_clear(inside, values.depth);
}

ClearPart Pass::clear_part(uint32_t attachments) {
    if (!(attachments & kStencil)) return ClearPart::Depth;
    return attachments & kDepth ? ClearPart::DepthStencil : ClearPart::Stencil;
}

void Pass::hold_targets() {
    for (const auto& r : held_)
        if (r) recorder_.hold_read(adreno(*r));
    for (const auto& r : held_)
        if (r) recorder_.hold_written(adreno(*r));
}

void Pass::use_targets(uint32_t attachments, CachePath color, CachePath depth) {
    for_each_target(attachments, color, depth,
                    [&](AdrenoResource& r, ImagePart part, CachePath path, unsigned key) {
                        recorder_.use_target(r, part, path, key);
                    });
}

void Pass::note_written(uint32_t attachments, CachePath color, CachePath depth) {
    for_each_target(attachments, color, depth,
                    [&](AdrenoResource& r, ImagePart part, CachePath path, unsigned key) {
                        recorder_.note_written(r, part, path, key);
                    });
}

void Pass::write_restore(CsBuilder& cs, const Segment& restore) {
    if (recorder_.dispatching) recorder_.sync_caches(cs, {.wait_for_idle = true});
    recorder_.dispatching = false;
    if (restored_in_ == recorder_.serial()) return;
    restored_in_ = recorder_.serial();
    cs.packet(hw::CpSetMode{.mode = 0});
    hw::HLSQ_INVALIDATE_CMD all = kInvalidatePrograms;
    all.gfx_shared_const = all.cs_shared_const = true;
    all.gfx_bindless = all.cs_bindless = 0x1f;
    cs.write(all);
    // Some of the registers are not part of the context state: the GPU must be idle. (Work that reads
    // invalidates the UCHE.)
    cs.wait_for_idle();
    cs.call_state(restore);
    for (const hw::AmbleType type : {hw::AmbleType::BIN_PREAMBLE_AMBLE_TYPE,
                                     hw::AmbleType::PREAMBLE_AMBLE_TYPE, hw::AmbleType::POSTAMBLE_AMBLE_TYPE})
        cs.packet(hw::CpSetAmble{.type = type});
}

void Pass::write_setup(CsBuilder& cs) {
    const hw::RegXy last{.x = std::max(1u, desc_.width) - 1, .y = std::max(1u, desc_.height) - 1};
    const auto direct = hw::BuffersLocation::BUFFERS_IN_SYSMEM;
    cs.write(hw::GRAS_SC_WINDOW_SCISSOR_TL{}, hw::GRAS_SC_WINDOW_SCISSOR_BR{last},
             hw::GRAS_2D_RESOLVE_CNTL_1{}, hw::GRAS_2D_RESOLVE_CNTL_2{last}, hw::RB_WINDOW_OFFSET{},
             hw::RB_WINDOW_OFFSET2{}, hw::SP_WINDOW_OFFSET{}, hw::SP_TP_WINDOW_OFFSET{},
             hw::GRAS_BIN_CONTROL{.buffers_location = direct}, hw::RB_BIN_CONTROL{.buffers_location = direct},
             hw::RB_BIN_CONTROL2{});
    cs.packet(hw::CpSetMarker{.mode = hw::Marker::RM6_DIRECT_RENDER});
    cs.packet(hw::CpSkipIb2EnableGlobal{});
    cs.packet(hw::CpSkipIb2EnableLocal{.enable = true});
    cs.write(hw::VPC_SO_DISABLE{});
    cs.packet(hw::CpSetVisibilityOverride{.enable = true});
    write_targets(cs, targets_, {});
}

void Pass::write_clears(CsBuilder& cs, const Part& part) {
    if (part.clears.empty()) return;
    const hw::Chip& chip = recorder_.device().chip();
    // The 2D engine writes depth through the color CCU.
    uint32_t attachments = 0;
    for (const Clear& c : part.clears)
        attachments |= c.attachments;
    use_targets(attachments, CachePath::Engine2d, CachePath::Engine2d);
    recorder_.sync_for_sysmem(false, true, false);
    for (const Clear& c : part.clears) {
        for (uint32_t i = 0; i < targets_.color_count; ++i) {
            const Surface& s = targets_.color[i];
            if (!(c.attachments & kColor0 << i) || s.format == hw::Format::FMT6_NONE) continue;
            for (uint32_t layer = 0; layer < s.layers; ++layer)
                fill(cs, chip, s, layer, c.area, ClearPart::Color, {.color = c.values.color[i]});
        }
        if (!(c.attachments & (kDepth | kStencil)) || targets_.depth.format == hw::Format::FMT6_NONE)
            continue;
        clear_depth_stencil(c, [&](const Surface& s, ClearPart part, const ClearValue& value) {
            for (uint32_t layer = 0; layer < s.layers; ++layer)
                fill(cs, chip, s, layer, c.area, part, value);
        });
    }
    recorder_.note_engine_2d();
    note_written(attachments, CachePath::Engine2d, CachePath::Engine2d);
}

void Pass::write_render_control(CsBuilder& cs, bool binning) {
    const hw::RB_RENDER_CNTL control{.ccusinglecachelinesize = 2,
                                     .binning = binning,
                                     .flag_depth = targets_.depth.flags_va != 0,
                                     .flag_mrts = targets_.compressed()};
    if (recorder_.device().chip().generation.has_cp_reg_write)
        cs.packet(hw::CpRegWrite{.tracker = hw::RegTracker::TRACK_RENDER_CNTL,
                                 .reg = hw::RB_RENDER_CNTL::kRegister,
                                 .value = hw::pack32(control)});
    else
        cs.write(control);
}

void Pass::write_memory_textures() {
    for (const ColorTexture& c : color_textures_) {
        if (c.target >= targets_.color_count) continue;
        const Surface& s = targets_.color[c.target];
        if (s.format == hw::Format::FMT6_NONE) continue;
        const pipe::Attachment& a = desc_.color[c.target];
        AdrenoResource& attached = adreno(*a.resource);
        AdrenoResource& image = attached.desc.samples < s.samples ? *samples_[c.target] : attached;
        write_target_texture(s, image, a.format == pipe::Format::None ? attached.desc.format : a.format,
                             c.words);
        recorder_.read(image);
    }
}

void Pass::write_sysmem(CsBuilder& cs) {
    write_memory_textures();
    write_setup(cs);
    counts.write_before(cs);
    for (size_t i = 0; i < parts_.size(); ++i) {
        const Part& part = parts_[i];
        write_clears(cs, part);
        write_lrz(cs, i);
        if (part.draws.empty()) continue;
        const bool color = targets_.color_count != 0, depth = draws_.tests_depth_stencil;
        const uint32_t attachments = depth ? kAllTargets : ~(kDepth | kStencil);
        use_targets(attachments, CachePath::Color, CachePath::Depth);
        recorder_.sync_for_sysmem(true, color, depth);
        write_render_control(cs);
        cs.call(part.draws);
        recorder_.note_ccu_draws(color, depth);
        note_written(attachments, CachePath::Color, CachePath::Depth);
    }
    counts.write_sums(cs);
    counts.write_sums_of_pass(cs);
    disable_groups(cs);
    cs.packet(hw::CpSkipIb2EnableGlobal{});
}

void Pass::end(const Segment& restore, bool goes_on) {
    if (!active_) return;
    active_ = false;
    close_part();
    const bool nothing = std::all_of(parts_.begin(), parts_.end(),
                                     [](const Part& p) { return p.clears.empty() && p.draws.empty(); });
    if (!nothing) {
        CsBuilder& cs = recorder_.main;
        hold_targets();
        write_restore(cs, restore);
        last_path_ = choose_path();
        prepare_lrz_buffers(cs);
        if (last_path_ == RenderPath::Sysmem && resolves())
            write_sysmem_resolved(cs, goes_on);
        else if (last_path_ == RenderPath::Sysmem)
            write_sysmem(cs);
        else
            write_gmem(cs, last_path_ == RenderPath::BinnedTiles, goes_on);
        recorder_.note_stores(false);
        end_lrz();
        keep_lrz(goes_on);
    }
    drop();
}

void Pass::drop() {
    close();
    draws.discard();
    parts_.clear();
    counts.clear();
}

}  // namespace terrazzo::adreno
