// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "drivers/adreno/sim/pixel/lrz.h"

#include <algorithm>
#include <atomic>
#include <string>

#include "drivers/adreno/sim/cp/caches.h"
#include "drivers/adreno/sim/pixel/area.h"
#include "drivers/adreno/sim/read.h"
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

bool contains(const pipe::raster::PixelRect& outer, const pipe::raster::PixelRect& inner) {
    return inner.x0 >= outer.x0 && inner.y0 >= outer.y0 && inner.x1 <= outer.x1 && inner.y1 <= outer.y1;
}

bool contradicts(hw::CompareFunc f, bool greater) {
    const bool less = f == hw::CompareFunc::FUNC_LESS || f == hw::CompareFunc::FUNC_LEQUAL;
    const bool more = f == hw::CompareFunc::FUNC_GREATER || f == hw::CompareFunc::FUNC_GEQUAL;
    return greater ? less : more;
}

bool load_fast_clear(Machine& m, uint64_t* bits, Fault* fault) {
    if (!m.chip.generation.has_lrz_fast_clear)
        return fail(fault, "GRAS_LRZ_CNTL: the chip has no fast clears of LRZ");
    FieldReader in(m.registers, fault);
    *bits = in.get<hw::GRAS_LRZ_FAST_CLEAR_BUFFER_BASE>().value;
    if (!in) return false;
    return *bits || fail(fault, "GRAS_LRZ_CNTL has fc_enable, and there is no buffer for it");
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
    if (!bits) fail(fault, FaultKind::Memory, "GRAS_LRZ_FAST_CLEAR_BUFFER_BASE: ", memory.fault());
    return bits;
}

// The contents of memory are unknown: fills the group with the value that hides nothing.
bool LowResolutionDepth::fill_group(int32_t x, int32_t y, window::Window& memory, Fault* fault) {
    x = x / kGroup_w * kGroup_w, y = y / kGroup_h * kGroup_h;
    for (int32_t k = 0; k < kGroup_h; ++k) {
        const uint64_t va = base_ + (uint64_t(y + k) * pitch_ + uint64_t(x)) * 2;
        auto* const row = reinterpret_cast<uint16_t*>(memory.at(va, kGroup_w * 2, window::Access::Write));
        if (!row) return fail(fault, FaultKind::Memory, "GRAS_LRZ_BUFFER_BASE: ", memory.fault());
        for (int32_t i = 0; i < kGroup_w; ++i)  // needs_test() on another thread may read it now
            std::atomic_ref(row[i]).store(greater_ ? uint16_t(0) : uint16_t(kSteps),
                                          std::memory_order_relaxed);
    }
    return true;
}

// Called before the first write to a block's group after a fast clear: fills the group, unless another thread
// has done so.
bool LowResolutionDepth::begin_block(int32_t x, int32_t y, uint8_t* bits, window::Window& memory,
                                     Fault* fault) {
    const std::lock_guard lock(filling_);
    const auto bit = uint8_t(1u << group_of(x, y) % 8);
    const std::atomic_ref groups(*bits);
    if (!(groups.load(std::memory_order_acquire) & bit) && !fill_group(x, y, memory, fault)) return false;
    groups.fetch_or(bit, std::memory_order_release);
    return true;
}

uint32_t LowResolutionDepth::group_of(int32_t x, int32_t y) const {
    return uint32_t(y / kGroup_h) * (pitch_ / kGroup_w) + uint32_t(x / kGroup_w);
}

// The blocks that a rectangle touches.
pipe::raster::PixelRect LowResolutionDepth::blocks_of(const pipe::raster::PixelRect& b) const {
    return {b.x0 >> block_.log2_w, b.y0 >> block_.log2_h, ((b.x1 - 1) >> block_.log2_w) + 1,
            ((b.y1 - 1) >> block_.log2_h) + 1};
}

// The pixels of a block within the window.
pipe::raster::PixelRect LowResolutionDepth::pixels_of(int32_t x, int32_t y) const {
    const int32_t w = block_.w_px(), h = block_.h_px();
    return intersect({x * w, y * h, (x + 1) * w, (y + 1) * h}, window_);
}

// Row y of a rectangle of blocks. Null: a fault.
uint16_t* LowResolutionDepth::row_at(const pipe::raster::PixelRect& blocks, int32_t y, window::Window& memory,
                                     Fault* fault) const {
    const uint64_t va = base_ + (uint64_t(y) * pitch_ + uint64_t(blocks.x0)) * 2;
    auto* const row = reinterpret_cast<uint16_t*>(
        memory.at(va, uint64_t(blocks.x1 - blocks.x0) * 2, window::Access::Write));
    if (!row) fail(fault, FaultKind::Memory, "GRAS_LRZ_BUFFER_BASE: ", memory.fault());
    return row;
}

void LowResolutionDepth::flush() {
    if (dirty_) machine_.caches->write_by_uche(cached_base_, dirty_B_, machine_.draws);
    cached_base_ = dirty_B_ = 0;
    stale_ = dirty_ = unknown_ = false;
}

bool LowResolutionDepth::end_submit(Fault* fault) {
    return !dirty_ ||
           fail(fault, "the submit ends while LRZ's cache holds what draws wrote: LRZ_FLUSH is missing");
}

bool LowResolutionDepth::wrote(uint64_t va, Fault* fault) {
    if (!cached_base_ || va != cached_base_) return true;
    stale_ = true;
    return !dirty_ ||
           fail(fault, "the 2D engine writes where LRZ's cache holds what draws wrote: LRZ_FLUSH is missing");
}

bool LowResolutionDepth::check_cache(Fault* fault) {
    if (unknown_)
        return fail(fault, "LRZ: its cache may hold blocks from before the submit: LRZ_FLUSH is missing");
    if (cached_base_ && cached_base_ != base_)
        return fail(fault, "LRZ: its cache holds blocks of another buffer: LRZ_FLUSH is missing");
    if (stale_)
        return fail(fault,
                    "LRZ: its cache holds blocks that the 2D engine has written: LRZ_FLUSH is missing");
    const auto rows = uint64_t(window_.y1 + block_.h_px() - 1) / uint64_t(block_.h_px());
    const uint64_t size_B = rows * pitch_ * 2;
    if (cached_base_ != base_)
        if (const std::string why = machine_.caches->check_lrz(base_, size_B); !why.empty())
            return fail(fault, why);
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
    const auto control = machine_.registers.get<hw::GRAS_LRZ_CNTL>();
    if (!control.enable) return true;
    FieldReader in(machine_.registers, fault);
    const bool enabled = in.get<hw::RB_LRZ_CNTL>().enable;
    const auto depth = in.get<hw::RB_DEPTH_CNTL>();
    base_ = in.get<hw::GRAS_LRZ_BUFFER_BASE>().value;
    pitch_ = in.get<hw::GRAS_LRZ_BUFFER_PITCH>().pitch;
    window_ = in.rect<hw::GRAS_SC_WINDOW_SCISSOR_TL, hw::GRAS_SC_WINDOW_SCISSOR_BR>();
    if (!in) return false;
    if (!enabled) return fail(fault, "GRAS_LRZ_CNTL and RB_LRZ_CNTL differ in `enable`");
    // Directions in memory are not modelled: everything is visible.
    if (control.disable_on_wrong_dir || !base_ || !depth.z_test_enable) return true;
    // Mesa's a6xx.xml.
    constexpr uint64_t kAlign_B = 256;
    if (base_ % kAlign_B) return fail(fault, "GRAS_LRZ_BUFFER_BASE is not a multiple of 256");
    bits_ = 0;
    if (control.fc_enable && !load_fast_clear(machine_, &bits_, fault)) return false;
    if (contradicts(depth.zfunc, control.greater))
        return fail(fault, "GRAS_LRZ_CNTL has another direction than RB_DEPTH_CNTL");
    state_ = {};
    constexpr unsigned kViews = 1;
    if (!load_lrz_raster(machine_, kViews, &state_, fault)) return false;
    block_ = lrz_block(state_.samples);
    tests_ = control.z_test_enable;
    greater_ = control.greater;
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

// *has_contents: whether memory has the block's contents. *bits: the byte with the bit of its group; null:
// there is no such bit.
bool LowResolutionDepth::find_block(int32_t x, int32_t y, window::Window& memory, uint8_t** bits,
                                    bool* has_contents, Fault* fault) {
    *bits = nullptr;
    *has_contents = !bits_;
    const uint32_t group = group_of(x, y);
    if (!bits_ || group >= kGroups) return true;
    *bits = group_bits(group, memory, fault);
    if (!*bits) return false;
    *has_contents = std::atomic_ref(**bits).load(std::memory_order_acquire) >> group % 8 & 1;
    return true;
}

bool LowResolutionDepth::may_hide(const pipe::raster::PixelRect& area, const units::FragmentDepth& depth,
                                  window::Window& memory) {
    if (!used() || area.x0 < 0 || area.y0 < 0) return used();
    bool may = true;
    Fault fault;  // test() reports it if a primitive touches the block that faulted
    return !needs_test(area, depth, false, memory, &may, &fault) || may;
}

// *is_needed: some block of the rectangle may hide a fragment, or, if `writes`, may be written.
bool LowResolutionDepth::needs_test(const pipe::raster::PixelRect& b, const units::FragmentDepth& depth,
                                    bool writes, window::Window& memory, bool* is_needed, Fault* fault) {
    const pipe::raster::PixelRect r = blocks_of(b);
    *is_needed = true;
    if (uint32_t(r.x1) > pitch_)
        return fail(fault, "GRAS_LRZ_BUFFER_PITCH is less than what is drawn is wide");
    for (int32_t y = r.y0; y < r.y1; ++y) {
        uint16_t* const row = row_at(r, y, memory, fault);
        if (!row) return false;
        for (int32_t x = r.x0; x < r.x1; ++x) {
            if (writes && contains(b, pixels_of(x, y))) return true;
            // Another thread may fill the block's group now. It does not matter which value is read: a filled
            // block hides nothing, and whether a block has contents is read later.
            const uint16_t stored = std::atomic_ref(row[x - r.x0]).load(std::memory_order_relaxed);
            if (!tests_ || !may_hide(stored, depth)) continue;
            uint8_t* bits;
            bool has_contents;
            if (!find_block(x, y, memory, &bits, &has_contents, fault)) return false;
            if (has_contents) return true;
        }
    }
    *is_needed = false;
    return true;
}

bool LowResolutionDepth::test(const units::RasterPrimitive& p, const units::FragmentDepth& depth,
                              const pipe::raster::PixelRect& area, window::Window& memory, bool* seen,
                              HiddenBlocks* hidden, Fault* fault) {
    using units::detail::Overlap;
    *seen = true;
    hidden->begin({}, 0, 0, 0);
    const pipe::raster::PixelRect b = intersect(p.bounds, area);
    if (!used() || p.kind != units::PrimitiveKind::Triangle || p.covers_all || b.empty() || p.bounds.x0 < 0 ||
        p.bounds.y0 < 0)
        return true;
    bool is_needed = false;
    if (!needs_test(b, depth, writes_, memory, &is_needed, fault)) return false;
    if (!is_needed) return true;
    const pipe::raster::PixelRect r = blocks_of(b);
    hidden->begin(block_, r.x0, r.y0, r.x1 - r.x0);
    *seen = false;
    for (int32_t y = r.y0; y < r.y1; ++y) {
        uint16_t* const row = row_at(r, y, memory, fault);
        if (!row) return false;
        for (int32_t x = r.x0; x < r.x1; ++x) {
            const pipe::raster::PixelRect whole = pixels_of(x, y), part = intersect(whole, b);
            if (part.empty()) continue;
            uint16_t& stored = row[x - r.x0];
            uint8_t* bits;
            bool has_contents;
            if (!find_block(x, y, memory, &bits, &has_contents, fault)) return false;
            const bool tests = tests_ && has_contents && may_hide(stored, depth);
            const bool writes = writes_ && part == whole && (bits || !bits_);
            if (*seen && !tests && !writes) continue;
            // A triangle whose bounds are within the block covers some of it, and not all.
            Overlap o = Overlap::Some;
            if (part == whole || !(part == p.bounds))
                o = state_.samples > 1 ? overlap<units::detail::SampleCoverage>(p, part)
                                       : overlap<units::detail::CenterCoverage>(p, part);
            if (o == Overlap::None) continue;
            // Most blocks neither hide anything nor are covered by a small triangle.
            const bool covers = writes && o == Overlap::All;
            if (!tests && !covers) {
                *seen = true;
                continue;
            }
            const units::QuadF32 z = depth.at_corners(p.depth, part.x0, part.x1, part.y0, part.y1);
            const Range range{double(std::min(std::min(z[0], z[1]), std::min(z[2], z[3]))) * kSteps,
                              double(std::max(std::max(z[0], z[1]), std::max(z[2], z[3]))) * kSteps};
            if (tests && hides(stored, range)) {
                hidden->set(x, y);
                continue;
            }
            *seen = true;
            if (!covers) continue;
            if (!has_contents && !begin_block(x, y, bits, memory, fault)) return false;
            write(&stored, range);
        }
    }
    return true;
}

bool LowResolutionDepth::test(const DrawnPrimitive& d, bool* seen, Fault* fault) {
    *seen = true;
    if (!load(fault)) return false;
    if (!used() || d.view || d.layer || d.shape.kind != units::PrimitiveKind::Triangle) return true;
    const bool multisampled = state_.samples > 1 || !state_.pattern.is_center();
    pipe::raster::PixelRect bounds;
    if (!units::find_pixels(d.shape, multisampled, &bounds)) return true;
    bounds = intersect(bounds, state_.viewport[0]);
    if (bounds.empty() || bounds.x0 < 0 || bounds.y0 < 0) return true;
    bool is_needed = false;
    if (!needs_test(bounds, state_.tests.depth, writes_, machine_.memory, &is_needed, fault)) return false;
    units::RasterPrimitive p;
    if (!is_needed || !units::set_up_raster(d.shape, state_.bias, multisampled, &p)) return true;
    p.bounds = bounds;
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
