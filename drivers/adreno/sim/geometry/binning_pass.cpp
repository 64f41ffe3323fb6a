// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Writes visibility streams.
#include <algorithm>
#include <string>

#include "drivers/adreno/sim/read.h"

#include "drivers/adreno/sim/geometry/visibility.h"

namespace terrazzo::adreno::sim {

namespace {

constexpr unsigned kMaxTiles = 32;  // per pipe

struct TileRect {
    int32_t x0, y0, x1, y1;  // inclusive
};

// Whether a triangle may touch a rectangle, in 1/256 px: false only if the whole rectangle is outside one
// edge.
bool may_touch(const units::Primitive& p, int64_t x0, int64_t y0, int64_t x1, int64_t y1) {
    const auto cross = [](const int32_t* a, const int32_t* b, int64_t x, int64_t y) {
        return (int64_t(b[0]) - a[0]) * (y - a[1]) - (int64_t(b[1]) - a[1]) * (x - a[0]);
    };
    const bool positive = cross(p.corner[0], p.corner[1], p.corner[2][0], p.corner[2][1]) > 0;
    for (unsigned i = 0; i < 3; ++i) {
        const int32_t *a = p.corner[positive ? i : (i + 1) % 3], *b = p.corner[positive ? (i + 1) % 3 : i];
        const int64_t far_x = b[1] > a[1] ? x0 : x1, far_y = b[0] > a[0] ? y1 : y0;
        if (cross(a, b, far_x, far_y) < 0) return false;
    }
    return true;
}

}  // namespace

void BinningPass::Pipe::begin_draw() {
    prims.clear();
    done = run = number = 0;
    draw_mask = run_mask = mask = 0;
    collecting = false;
}

void BinningPass::Pipe::end_run(uint64_t limit_B) {
    while (run && !prims_overflowed) {
        const uint32_t n = uint32_t(std::min<uint64_t>(run, 0xffffffff));
        prims.field(run_mask, tiles);
        prims.number(n);
        run -= n;
        prims_overflowed = prims.size() / 8 >= limit_B;
    }
    run = 0;
}

void BinningPass::Pipe::append_run(uint32_t tile_mask, uint64_t count, uint64_t limit_B) {
    if (!count) return;
    if (tile_mask != run_mask) {
        end_run(limit_B);
        run_mask = tile_mask;
    }
    run += count;
    done += count;
}

void BinningPass::Pipe::end_primitive(uint64_t limit_B) {
    if (collecting) append_run(mask, 1, limit_B);
    collecting = false;
}

void BinningPass::Pipe::add(uint64_t primitive, uint32_t tile_mask, uint64_t limit_B) {
    draw_mask |= tile_mask;
    if (collecting && primitive == number) {
        mask |= tile_mask;
        return;
    }
    end_primitive(limit_B);
    append_run(0, primitive - done, limit_B);
    collecting = true;
    number = primitive;
    mask = tile_mask;
}

bool BinningPass::decode_tiles(const Registers& r, Fault* fault) {
    RegisterReader in(r, fault);
    const auto size = in.get<hw::VSC_BIN_SIZE>();
    const auto count = in.get<hw::VSC_BIN_COUNT>();
    if (!in) return false;
    bin_w_px_ = size.width;
    bin_h_px_ = size.height;
    tiles_x_ = count.nx;
    tiles_y_ = count.ny;
    if (!bin_w_px_ || !bin_h_px_ || !tiles_x_ || !tiles_y_)
        return fail(fault, "VSC_BIN_SIZE or VSC_BIN_COUNT is 0");
    owner_.assign(size_t(tiles_x_) * tiles_y_, kNoPipe);
    for (unsigned p = 0; p < hw::Chip::kVscPipes; ++p) {
        const auto c = in.get<hw::VSC_PIPE_CONFIG>(p);
        if (!in) return false;
        const uint32_t tiles = c.w * c.h;
        pipes_[p].tiles = tiles;
        if (tiles > kMaxTiles)
            return fail(fault, "VSC_PIPE_CONFIG[", p, "] has ", tiles, " tiles, of at most 32");
        if (tiles != 0 && (c.x + c.w > tiles_x_ || c.y + c.h > tiles_y_))
            return fail(fault, "VSC_PIPE_CONFIG[", p, "] has tiles beyond VSC_BIN_COUNT");
        for (unsigned slot = 0; slot < tiles; ++slot) {
            uint16_t& owner = owner_[size_t(c.y + slot / c.w) * tiles_x_ + c.x + slot % c.w];
            if (owner != kNoPipe)
                return fail(fault, "VSC_PIPE_CONFIG[", p, "] has a tile of pipe ", owner / kMaxTiles);
            owner = uint16_t(p * kMaxTiles + slot);
        }
    }
    return true;
}

bool BinningPass::begin(Machine& machine, Fault* fault) {
    begun_ = false;
    RegisterReader in(machine.registers, fault);
    const uint64_t draws = in.get<hw::VSC_DRAW_STRM_ADDRESS>().value;
    const uint64_t prims = in.get<hw::VSC_PRIM_STRM_ADDRESS>().value;
    const uint64_t draw_pitch_B = in.get<hw::VSC_DRAW_STRM_PITCH>().value;
    const uint64_t prim_pitch_B = in.get<hw::VSC_PRIM_STRM_PITCH>().value;
    draw_limit_B_ = in.get<hw::VSC_DRAW_STRM_LIMIT>().value;
    prim_limit_B_ = in.get<hw::VSC_PRIM_STRM_LIMIT>().value;
    if (!in || !decode_tiles(machine.registers, fault)) return false;
    for (unsigned p = 0; p < hw::Chip::kVscPipes; ++p) {
        Pipe& pipe = pipes_[p];
        pipe.draw_va = draws + p * draw_pitch_B;
        pipe.prim_va = prims + p * prim_pitch_B;
        pipe.draws.clear();
        pipe.draw_words = pipe.prim_words = 0;
        pipe.state = 0;
        pipe.draws_overflowed = pipe.prims_overflowed = false;
        pipe.begin_draw();
    }
    begun_ = true;
    ++passes_;
    return true;
}

void BinningPass::begin_draw() {
    for (Pipe& pipe : pipes_)
        pipe.begin_draw();
}

void BinningPass::add(uint64_t number, const units::Primitive& shape) {
    const unsigned corners = units::corners_of(shape.kind);
    // Enlarged on all sides: by the places of samples, and by the neighbouring pixels that lines and points
    // may touch.
    const int64_t margin = corners == 3 ? 256 : 768 + int64_t(double(shape.size_px) * 128);
    int64_t low[2], high[2];
    for (unsigned k = 0; k < 2; ++k) {
        low[k] = high[k] = shape.corner[0][k];
        for (unsigned i = 1; i < corners; ++i) {
            low[k] = std::min<int64_t>(low[k], shape.corner[i][k]);
            high[k] = std::max<int64_t>(high[k], shape.corner[i][k]);
        }
    }
    const int64_t w = int64_t(bin_w_px_) * 256, h = int64_t(bin_h_px_) * 256;
    if (high[0] + margin < 0 || high[1] + margin < 0) return;
    const TileRect tiles{int32_t(std::max<int64_t>(low[0] - margin, 0) / w),
                         int32_t(std::max<int64_t>(low[1] - margin, 0) / h),
                         int32_t(std::min<int64_t>((high[0] + margin) / w, int64_t(tiles_x_) - 1)),
                         int32_t(std::min<int64_t>((high[1] + margin) / h, int64_t(tiles_y_) - 1))};
    const bool exact = corners == 3 && tiles.x1 > tiles.x0 && tiles.y1 > tiles.y0;
    for (int32_t y = tiles.y0; y <= tiles.y1; ++y)
        for (int32_t x = tiles.x0; x <= tiles.x1; ++x) {
            const uint16_t owner = owner_[size_t(y) * tiles_x_ + size_t(x)];
            if (owner == kNoPipe || (exact && !may_touch(shape, x * w - margin, y * h - margin,
                                                         (x + 1) * w + margin, (y + 1) * h + margin)))
                continue;
            pipes_[owner / kMaxTiles].add(number, 1u << owner % kMaxTiles, prim_limit_B_);
        }
}

bool BinningPass::write_draw(Machine& machine, Pipe* pipe, uint64_t count, Fault* fault) {
    pipe->end_primitive(prim_limit_B_);
    const auto failed = [&](const char* what) {
        return fail(fault, FaultKind::Memory, what, ": ", machine.memory.fault());
    };
    uint32_t words = 0;
    if (pipe->draw_mask) {
        pipe->append_run(0, count - pipe->done, prim_limit_B_);
        pipe->end_run(prim_limit_B_);
        words = uint32_t(pipe->prims.words().size());
        if ((pipe->prim_words + words) * 4 >= prim_limit_B_) pipe->prims_overflowed = true;
        if (pipe->prims_overflowed) return true;
        if (!machine.memory.write(pipe->prim_va + pipe->prim_words * 4, pipe->prims.words().data(),
                                  uint64_t(words) * 4))
            return failed("VSC_PRIM_STRM");
    }
    const uint64_t first = pipe->draws.size() / 32;
    pipe->draws.field(pipe->draw_mask, pipe->tiles);
    pipe->draws.bits(1, 1);
    if (pipe->draw_mask) pipe->draws.number(words);
    const uint64_t end = pipe->draws.words().size();
    if (end * 4 >= draw_limit_B_) {
        pipe->draws_overflowed = true;
        return true;
    }
    if (!machine.memory.write(pipe->draw_va + first * 4, pipe->draws.words().data() + first,
                              (end - first) * 4))
        return failed("VSC_DRAW_STRM");
    pipe->draw_words = end;
    pipe->prim_words += words;
    pipe->state |= pipe->draw_mask;
    return true;
}

bool BinningPass::end_draw(Machine& machine, uint64_t count, Fault* fault) {
    for (Pipe& pipe : pipes_)
        if (pipe.tiles && !pipe.overflowed() && !write_draw(machine, &pipe, count, fault)) return false;
    return true;
}

bool BinningPass::end(Machine& machine, Fault* fault) {
    hw::VSC_DRAW_STRM_SIZE_ADDRESS sizes;
    if (!machine.registers.require(&sizes, fault)) return false;
    for (unsigned p = 0; p < hw::Chip::kVscPipes; ++p) {
        const Pipe& pipe = pipes_[p];
        const uint32_t draw_B = uint32_t(pipe.draw_words * 4), prim_B = uint32_t(pipe.prim_words * 4);
        Registers& r = machine.registers;
        r.write(hw::VSC_STATE::at(p), pipe.overflowed() ? ~0u : pipe.state);
        // Drivers detect an overflow by a size at the limit.
        r.write(hw::VSC_DRAW_STRM_SIZE::at(p), pipe.draws_overflowed ? uint32_t(draw_limit_B_) : draw_B);
        r.write(hw::VSC_PRIM_STRM_SIZE::at(p), pipe.prims_overflowed ? uint32_t(prim_limit_B_) : prim_B);
        if (!machine.memory.write(sizes.value + p * 4, &draw_B, 4))
            return fail(fault, FaultKind::Memory, "VSC_DRAW_STRM_SIZE_ADDRESS: ", machine.memory.fault());
    }
    return true;
}

unsigned BinningPass::tiles_of(uint64_t draw_stream_va) const {
    for (const Pipe& pipe : pipes_)
        if (begun_ && pipe.tiles && pipe.draw_va == draw_stream_va) return pipe.tiles;
    return 0;
}

}  // namespace terrazzo::adreno::sim
