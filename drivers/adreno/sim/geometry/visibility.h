// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// VSC: the draws and primitives that each tile needs. The binning pass writes streams, the draws of tiles
// read them. A pipe is a rectangle of up to 32 tiles and has a draw stream and a primitive stream. Their
// contents have the fields that Mesa 25.0.7's fd6_vsc.cc lists to estimate their sizes, in an order of our
// own:
//   draw stream       a packet per draw: a bit field of the tiles that need it, 1, and if there are any, a
//                     number: its words in the primitive stream
//   primitive stream  packets of each draw that a tile needs, from a new word on: a bit field of tiles, a
//                     number: how many consecutive primitives have this field
//   bit field         0 for no tile; else 1, and a bit per tile
//   number n > 0      as many zeros as n has bits after its first one, then n
// If a stream overflows, all draws from there on are visible in all tiles of the pipe.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "drivers/adreno/sim/draw/primitive.h"
#include "drivers/adreno/sim/machine.h"

namespace terrazzo::adreno::sim {

/// Bits in words, the lowest first.
class BitWriter {
  public:
    void bits(uint32_t value, unsigned count);
    void number(uint32_t n);
    void field(uint32_t mask, unsigned tiles);
    uint64_t size() const { return size_; }
    const std::vector<uint32_t>& words() const { return words_; }
    void clear();

  private:
    std::vector<uint32_t> words_;
    uint64_t size_ = 0;
};

class BitReader {
  public:
    explicit BitReader(const std::vector<uint32_t>& words) : words_(words) {}
    /// Zeros after the end.
    uint32_t bits(unsigned count);
    /// 0: the stream has ended.
    uint32_t number();
    uint32_t field(unsigned tiles);
    bool at_end() const { return at_ >= words_.size() * 32; }

  private:
    const std::vector<uint32_t>& words_;
    uint64_t at_ = 0;
};

/// The binning pass. The event that begins it calls begin(), the one that ends it calls end().
class BinningPass {
  public:
    /// Reads the registers of VSC.
    [[nodiscard]] bool begin(Machine& machine, Fault* fault);
    bool begun() const { return begun_; }
    /// A draw begins. Its primitives are numbered from 0 over all instances.
    void begin_draw();
    /// Adds a drawn part of primitive `number`. Numbers must not decrease.
    void add(uint64_t number, const units::Primitive& shape);
    /// `count`: of primitives. Writes the draw to the streams.
    [[nodiscard]] bool end_draw(Machine& machine, uint64_t count, Fault* fault);
    /// Writes sizes and states to registers and memory.
    [[nodiscard]] bool end(Machine& machine, Fault* fault);
    /// The number of tiles of the pipe whose draw stream is at that address; 0: the pass wrote none there.
    unsigned tiles_of(uint64_t draw_stream_va) const;
    /// Grows with each pass.
    uint64_t passes() const { return passes_; }

  private:
    struct Pipe {
        uint32_t tiles = 0;  // 0: the pipe is not used
        uint64_t draw_va = 0, prim_va = 0;
        BitWriter draws;
        uint64_t draw_words = 0, prim_words = 0;  // the room in memory
        uint32_t state = 0;
        bool draws_overflowed = false, prims_overflowed = false;
        // Of the draw: its packets; primitives in them and in the last run, which is not in them yet; the
        // primitive whose tiles are being collected.
        BitWriter prims;
        uint64_t done = 0, run = 0, number = 0;
        uint32_t draw_mask = 0, run_mask = 0, mask = 0;
        bool collecting = false;

        bool overflowed() const { return draws_overflowed || prims_overflowed; }
        void begin_draw();
        void add(uint64_t primitive, uint32_t tile_mask, uint64_t limit_B);
        void end_primitive(uint64_t limit_B);
        void append_run(uint32_t tile_mask, uint64_t count, uint64_t limit_B);
        void end_run(uint64_t limit_B);
    };
    bool decode_tiles(const Registers& r, Fault* fault);
    bool write_draw(Machine& machine, Pipe* pipe, uint64_t count, Fault* fault);

    static constexpr uint16_t kNoPipe = 0xffff;
    std::array<Pipe, hw::Chip::kVscPipes> pipes_;
    std::vector<uint16_t> owner_;  // per tile: 32 times its pipe, plus the slot there
    uint32_t bin_w_px_ = 0, bin_h_px_ = 0, tiles_x_ = 0, tiles_y_ = 0;
    uint64_t passes_ = 0;
    uint64_t draw_limit_B_ = 0, prim_limit_B_ = 0;
    bool begun_ = false;
};

/// Reads the streams for the draws of a tile.
class TileVisibility {
  public:
    /// Begins a draw of a tile. False: `fault`. Else *drawn: whether the tile needs any of it.
    [[nodiscard]] bool begin_draw(Machine& machine, const BinningPass& pass, const DrawCall& call,
                                  bool* drawn, Fault* fault);
    /// Whether the tile needs primitive `number` of that draw. Numbers must not decrease.
    bool needs(uint64_t number);

  private:
    struct Draw {
        bool needed = true;
        uint64_t first_word = 0;
        uint32_t words = 0;
    };
    struct Run {
        uint64_t end;
        bool needed;
    };
    bool load(Machine& machine, unsigned tiles, Fault* fault);
    bool load_runs(Machine& machine, unsigned tiles, const Draw& draw, Fault* fault);

    std::vector<Draw> draws_;
    std::vector<Run> runs_;
    size_t run_ = 0;
    uint64_t loaded_from_ = 0, loaded_pass_ = 0;
    unsigned loaded_slot_ = 0;
    uint32_t last_index_ = 0;
};

/// Writer and reader, as a member of Machine.
struct Visibility {
    BinningPass pass;
    TileVisibility tile;
};
/// The machine's; made at the first call.
Visibility& visibility_of(Machine& machine);

}  // namespace terrazzo::adreno::sim
