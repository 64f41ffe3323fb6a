// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "drivers/adreno/sim/pixel/lrz.h"

#include <algorithm>
#include <atomic>
#include <string>

#include "drivers/adreno/sim/cp/caches.h"
#include "drivers/adreno/sim/pixel/area.h"
#include "drivers/adreno/sim/pixel/read.h"
#include "drivers/common/units/walk.h"

namespace terrazzo::adreno::sim {

namespace {

constexpr double kSteps = 65535;
/// Fast clears: blocks of a group, maximum of groups (freedreno_lrz.h: 512 bytes).
constexpr int32_t kGroup_w = 16, kGroup_h = 4;
constexpr uint32_t kGroups = 4096;
/// lrz.rst: comparisons have some tolerance, so that a clear value need not be rounded in the right
/// direction.
constexpr double kSlack = 1;
/// Areas of a draw, and of a binning pass, whose least blocks have 4x4 pixels.
constexpr int32_t kLeastBlock_px = 4, kMostColumns = Area::kSize_px / kLeastBlock_px;
static_assert(kMostColumns * kMostColumns <= LowResolutionDepth::kMostBlocks &&
              units::detail::kArea_px == Area::kSize_px);

/// Whether the places where samples may be overlap the part.
template <class Coverage>
units::detail::Overlap overlap(const units::RasterPrimitive& p, const pipe::raster::PixelRect& part) {
    return units::detail::overlap(p.triangle, Coverage::first(part.x0), Coverage::first(part.y0),
                                  Coverage::last(part.x1 - 1), Coverage::last(part.y1 - 1));
}

bool contradicts(hw::CompareFunc f, bool greater) {
    const bool less = f == hw::CompareFunc::FUNC_LESS || f == hw::CompareFunc::FUNC_LEQUAL;
    const bool more = f == hw::CompareFunc::FUNC_GREATER || f == hw::CompareFunc::FUNC_GEQUAL;
    return greater ? less : more;
}

bool load_fast_clear(Machine& m, uint64_t* bits, Fault* fault) {
    hw::GRAS_LRZ_FAST_CLEAR_BUFFER_BASE base;
    if (!m.chip.generation.has_lrz_fast_clear)
        return fail(fault, FaultKind::Hardware, "GRAS_LRZ_CNTL: the chip has no fast clears of LRZ");
    if (!take(m.registers, &base, fault)) return false;
    if (!base.value)
        return fail(fault, FaultKind::Hardware, "GRAS_LRZ_CNTL has fc_enable, and there is no buffer for it");
    *bits = base.value;
    return true;
}

}  // namespace

bool LowResolutionDepth::clear(Fault* fault) {
    const auto control = machine_.registers.get<hw::GRAS_LRZ_CNTL>();
    if (!control.enable || !control.fc_enable) return true;
    if (!load_fast_clear(machine_, &bits_, fault)) return false;
    for (uint32_t group = 0; group < kGroups; group += 8) {
        uint8_t* const bits = group_bits(group, machine_.memory, fault);
        if (!bits) return false;
        *bits = 0;
    }
    return true;
}

uint8_t* LowResolutionDepth::group_bits(uint32_t group, window::Window& memory, Fault* fault) {
    auto* const bits = reinterpret_cast<uint8_t*>(memory.at(bits_ + group / 8, 1, window::Access::Write));
    if (!bits)
        fail(fault, FaultKind::Memory, "GRAS_LRZ_FAST_CLEAR_BUFFER_BASE: " + to_string(memory.fault()));
    return bits;
}

// The contents of memory are unknown: fills the group with the value that hides nothing.
bool LowResolutionDepth::fill_group(int32_t x, int32_t y, window::Window& memory, Fault* fault) {
    x = x / kGroup_w * kGroup_w, y = y / kGroup_h * kGroup_h;
    for (int32_t k = 0; k < kGroup_h; ++k) {
        const uint64_t va = base_ + (uint64_t(y + k) * pitch_ + uint64_t(x)) * 2;
        auto* const row = reinterpret_cast<uint16_t*>(memory.at(va, kGroup_w * 2, window::Access::Write));
        if (!row) return fail(fault, FaultKind::Memory, "GRAS_LRZ_BUFFER_BASE: " + to_string(memory.fault()));
        std::fill_n(row, kGroup_w, greater_ ? uint16_t(0) : uint16_t(kSteps));
    }
    return true;
}

void LowResolutionDepth::flush() {
    if (dirty_) machine_.caches->write_by_uche(cached_base_, dirty_B_, machine_.draws);
    cached_base_ = dirty_B_ = 0;
    stale_ = dirty_ = unknown_ = false;
}

bool LowResolutionDepth::end_submit(Fault* fault) {
    return !dirty_ || fail(fault, FaultKind::Hardware,
                           "the submit ends while LRZ's cache holds what draws wrote: LRZ_FLUSH is missing");
}

bool LowResolutionDepth::wrote(uint64_t va, Fault* fault) {
    if (!cached_base_ || va != cached_base_) return true;
    stale_ = true;
    return !dirty_ ||
           fail(fault, FaultKind::Hardware,
                "the 2D engine writes where LRZ's cache holds what draws wrote: LRZ_FLUSH is missing");
}

bool LowResolutionDepth::check_cache(Fault* fault) {
    if (unknown_)
        return fail(fault, FaultKind::Hardware,
                    "LRZ: its cache may hold blocks from before the submit: LRZ_FLUSH is missing");
    if (cached_base_ && cached_base_ != base_)
        return fail(fault, FaultKind::Hardware,
                    "LRZ: its cache holds blocks of another buffer: LRZ_FLUSH is missing");
    if (stale_)
        return fail(fault, FaultKind::Hardware,
                    "LRZ: its cache holds blocks that the 2D engine has written: LRZ_FLUSH is missing");
    const auto rows = uint64_t(window_.y1 + block_.h_px() - 1) / uint64_t(block_.h_px());
    const uint64_t size_B = rows * pitch_ * 2;
    if (cached_base_ != base_)
        if (const std::string why = machine_.caches->check_lrz(base_, size_B); !why.empty())
            return fail(fault, FaultKind::Hardware, why);
    cached_base_ = base_;
    if (!writes_) return true;
    dirty_ = true;
    dirty_B_ = std::max(dirty_B_, size_B);
    return true;
}

bool LowResolutionDepth::load(Fault* fault) {
    if (loaded_) return true;
    loaded_ = true;
    tests_ = writes_ = false;
    const Registers& r = machine_.registers;
    const auto control = r.get<hw::GRAS_LRZ_CNTL>();
    if (!control.enable) return true;
    hw::RB_LRZ_CNTL rb;
    hw::RB_DEPTH_CNTL depth;
    hw::GRAS_LRZ_BUFFER_BASE base;
    hw::GRAS_LRZ_BUFFER_PITCH pitch;
    hw::GRAS_SC_WINDOW_SCISSOR_TL tl;
    hw::GRAS_SC_WINDOW_SCISSOR_BR br;
    if (!take(r, &rb, fault) || !take(r, &depth, fault) || !take(r, &base, fault) ||
        !take(r, &pitch, fault) || !take(r, &tl, fault) || !take(r, &br, fault))
        return false;
    if (!rb.enable)
        return fail(fault, FaultKind::Hardware, "GRAS_LRZ_CNTL and RB_LRZ_CNTL differ in `enable`");
    // Directions in memory are not modelled: everything is visible.
    if (control.disable_on_wrong_dir || !base.value || !depth.z_test_enable) return true;
    // Mesa's a6xx.xml.
    constexpr uint64_t kAlign_B = 256;
    if (base.value % kAlign_B)
        return fail(fault, FaultKind::Hardware, "GRAS_LRZ_BUFFER_BASE is not a multiple of 256");
    bits_ = 0;
    if (control.fc_enable && !load_fast_clear(machine_, &bits_, fault)) return false;
    if (contradicts(depth.zfunc, control.greater))
        return fail(fault, FaultKind::Hardware, "GRAS_LRZ_CNTL has another direction than RB_DEPTH_CNTL");
    state_ = {};
    constexpr unsigned kViews = 1;
    if (!load_lrz_raster(machine_, kViews, &state_, fault)) return false;
    block_ = lrz_block(state_.samples);
    tests_ = control.z_test_enable;
    greater_ = control.greater;
    base_ = base.value;
    pitch_ = pitch.pitch;
    window_ = {int32_t(tl.value.x), int32_t(tl.value.y), int32_t(br.value.x) + 1, int32_t(br.value.y) + 1};
    // In tiles, writes only happen by feedback, which is not modelled.
    writes_ = control.lrz_write && depth.z_write_enable && machine_.mode != RenderMode::Gmem;
    return (!tests_ && !writes_) || check_cache(fault);
}

bool LowResolutionDepth::hides(uint16_t stored, const Range& z) const {
    return greater_ ? z.high < stored - kSlack : z.low > stored + kSlack;
}

// Whether hides() may be true for any depth of a fragment.
bool LowResolutionDepth::may_hide(uint16_t stored, const units::FragmentDepth& depth) const {
    if (depth.is_constant || depth.low < 0 || depth.high > 1) return true;
    return greater_ ? stored > kSlack : stored + kSlack < kSteps;
}

void LowResolutionDepth::write(uint16_t* stored, const Range& z) const {
    if (greater_) {
        *stored = std::max(*stored, uint16_t(std::clamp(z.low, 0.0, kSteps)));
    } else {
        const double high = std::clamp(z.high, 0.0, kSteps);
        const auto whole = uint16_t(high);
        *stored = std::min(*stored, uint16_t(whole + (high > whole)));  // rounded up
    }
}

bool LowResolutionDepth::test(const units::RasterPrimitive& p, const units::FragmentDepth& depth,
                              const pipe::raster::PixelRect& area, window::Window& memory, bool* seen,
                              HiddenBlocks* hidden, Fault* fault) {
    using units::detail::CenterCoverage;
    using units::detail::Overlap;
    using units::detail::SampleCoverage;
    *seen = true;
    hidden->begin({}, 0, 0, 0);
    const pipe::raster::PixelRect b = intersect(p.bounds, area);
    if (!used() || p.kind != units::PrimitiveKind::Triangle || p.covers_all || b.empty() || p.bounds.x0 < 0 ||
        p.bounds.y0 < 0)
        return true;
    const int32_t w = block_.w_px(), h = block_.h_px();
    const int32_t x0 = b.x0 >> block_.log2_w, y0 = b.y0 >> block_.log2_h;
    const int32_t x1 = (b.x1 - 1) >> block_.log2_w, y1 = (b.y1 - 1) >> block_.log2_h;
    if (uint32_t(x1) >= pitch_)
        return fail(fault, FaultKind::Hardware, "GRAS_LRZ_BUFFER_PITCH is less than what is drawn is wide");
    hidden->begin(block_, x0, y0, x1 - x0 + 1);
    *seen = false;
    for (int32_t y = y0; y <= y1; ++y) {
        const uint64_t row_va = base_ + (uint64_t(y) * pitch_ + uint64_t(x0)) * 2;
        auto* const row =
            reinterpret_cast<uint16_t*>(memory.at(row_va, uint64_t(x1 - x0 + 1) * 2, window::Access::Write));
        if (!row) return fail(fault, FaultKind::Memory, "GRAS_LRZ_BUFFER_BASE: " + to_string(memory.fault()));
        for (int32_t x = x0; x <= x1; ++x) {
            const pipe::raster::PixelRect whole =
                intersect({x * w, y * h, (x + 1) * w, (y + 1) * h}, window_);
            const pipe::raster::PixelRect part = intersect(whole, b);
            if (part.empty()) continue;
            // A triangle whose bounds are within the block covers some of it, and not all.
            Overlap o = Overlap::Some;
            if (part == whole || !(part == p.bounds))
                o = state_.samples > 1 ? overlap<SampleCoverage>(p, part) : overlap<CenterCoverage>(p, part);
            if (o == Overlap::None) continue;
            uint16_t& stored = row[x - x0];
            const bool covers = o == Overlap::All && part == whole;
            const uint32_t group = uint32_t(y / kGroup_h) * (pitch_ / kGroup_w) + uint32_t(x / kGroup_w);
            uint8_t* const bits = bits_ && group < kGroups ? group_bits(group, memory, fault) : nullptr;
            if (bits_ && group < kGroups && !bits) return false;
            const auto is_filled = [&] {
                return std::atomic_ref(*bits).load(std::memory_order_acquire) >> group % 8 & 1;
            };
            const bool fresh = bits_ && !(bits && is_filled());
            // Most blocks neither hide anything nor are covered by a small triangle.
            if (!(tests_ && !fresh && may_hide(stored, depth)) && !(writes_ && covers)) {
                *seen = true;
                continue;
            }
            const units::QuadF32 z = depth.at_corners(p, part.x0, part.x1, part.y0, part.y1);
            const Range range{double(std::min(std::min(z[0], z[1]), std::min(z[2], z[3]))) * kSteps,
                              double(std::max(std::max(z[0], z[1]), std::max(z[2], z[3]))) * kSteps};
            if (tests_ && !fresh && hides(stored, range)) {
                hidden->set(x, y);
                continue;
            }
            *seen = true;
            if (!writes_ || !covers || (bits_ && !bits)) continue;
            if (fresh) {
                const std::lock_guard lock(filling_);
                if (!is_filled() && !fill_group(x, y, memory, fault)) return false;
                std::atomic_ref(*bits).fetch_or(uint8_t(1u << group % 8), std::memory_order_release);
            }
            write(&stored, range);
        }
    }
    return true;
}

bool LowResolutionDepth::test(const DrawnPrimitive& d, bool* seen, Fault* fault) {
    *seen = true;
    if (!load(fault)) return false;
    if (!used() || d.view || d.layer) return true;
    units::RasterPrimitive p;
    if (!units::set_up_raster(d.shape, state_.bias, state_.samples > 1 || !state_.pattern.is_center(), &p))
        return true;
    p.bounds = intersect(p.bounds, state_.viewport[0]);
    if (p.bounds.empty() || p.bounds.x0 < 0 || p.bounds.y0 < 0) return true;
    bool any = false;
    HiddenBlocks hidden;
    const bool good = units::detail::walk_areas(p.bounds, [&](const pipe::raster::PixelRect& area) {
        bool part_seen = false;
        if (!test(p, state_.tests.depth, area, machine_.memory, &part_seen, &hidden, fault)) return false;
        any |= part_seen;
        return true;
    });
    *seen = any;
    return good;
}

}  // namespace terrazzo::adreno::sim
