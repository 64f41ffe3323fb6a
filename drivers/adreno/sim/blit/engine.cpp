// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "drivers/adreno/sim/blit/engine.h"

#include <algorithm>

#include "drivers/adreno/sim/blit/engine_state.h"
#include "drivers/common/units/blit.h"

namespace terrazzo::adreno::sim {

namespace {

using pipe::raster::PixelRect;

// The images of a blit: sources through the UCHE, targets through the engine's own path.
class Images final : public units::BlitMemory {
  public:
    Images(Machine& machine, const EngineState& state, Fault* fault)
        : m_(machine), s_(state), fault_(fault) {}
    bool read_source(const PixelRect& r, uint8_t* rows, size_t row_B) override {
        const int32_t x = s_.source.offset_x, y = s_.source.offset_y;
        if (r.x0 < x || r.y0 < y) return fail(fault_, "2D blit: SP_WINDOW_OFFSET: pixels before the bin");
        return s_.source.surface.read(m_.uche, m_.gmem, {r.x0 - x, r.y0 - y, r.x1 - x, r.y1 - y}, rows, row_B,
                                      &why_) ||
               refused("SP_PS_2D_SRC");
    }
    bool read_target(const PixelRect& r, uint8_t* rows, size_t row_B) override {
        return s_.target.read(m_.memory, m_.gmem, r, rows, row_B, &why_) || refused("RB_2D_DST");
    }
    bool write_target(const PixelRect& r, const uint8_t* rows, size_t row_B) override {
        return s_.target.write(m_.memory, m_.gmem, r, rows, row_B, &why_) || refused("RB_2D_DST");
    }
    bool should_stop() override { return m_.host.should_stop() && !fail(fault_, "2D blit: stopped"); }
    // Fills the target as a whole, so that compressed blocks take only a few bytes.
    bool fill_all() {
        return s_.target.fill(m_.memory, m_.gmem, s_.clipped, s_.pixel, &why_) || refused("RB_2D_DST");
    }

  private:
    bool refused(const char* what) { return fail(fault_, FaultKind::Memory, "2D blit: ", what, ": ", why_); }
    Machine& m_;
    const EngineState& s_;
    Fault* const fault_;
    std::string why_;
};

units::BlitDesc desc_of(const EngineState& s) {
    using enum hw::Rotation;
    const EngineSource& from = s.source;
    units::BlitDesc d;
    d.source = from.surface.format();
    d.source_rect = from.rect;
    d.source_w_px = from.width_px, d.source_h_px = from.height_px;
    d.samples = from.samples;
    d.average = from.average;
    d.filter = from.filter;
    d.flips_x = s.cntl.rotate == ROTATE_HFLIP || s.cntl.rotate == ROTATE_180;
    d.flips_y = s.cntl.rotate == ROTATE_VFLIP || s.cntl.rotate == ROTATE_180;
    d.target = s.target.format();
    d.rect = s.rect, d.clipped = s.clipped;
    d.whole = s.whole;
    std::copy_n(s.bits, sizeof d.bits, d.bits);
    return d;
}

}  // namespace

bool blit_2d(Machine& machine, Fault* fault) {
    EngineState state;
    if (!decode_engine(machine, &state, fault)) return false;
    if (state.clipped.empty()) return true;
    Images images(machine, state, fault);
    if (!state.cntl.solid_color) return units::blit(desc_of(state), images);
    return state.whole ? images.fill_all() : units::fill(desc_of(state), state.pixel, images);
}

}  // namespace terrazzo::adreno::sim
