// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Source: Mesa 25.0.7, fd6_gmem.cc (update_vsc_pipe, emit_vsc_overflow_test, emit_conditional_ib), fd6_vsc.cc
// (the sizes of the streams' packets).
#include "drivers/adreno/passes/visibility.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <new>

namespace terrazzo::adreno {
namespace {

constexpr uint32_t kMostPipeTiles = 32;  // CP_SET_BIN_DATA5 has five bits for the tile's number
constexpr uint32_t kBeyond_B = 64;       // the hardware stops this far before the end of a stream
constexpr uint32_t kStreamAlign_B = 0x1000;
constexpr uint32_t kMostDraws_B = 1 << 20, kMostPrimitives_B = 2 << 20;  // the most for a pipe

uint32_t rounded(uint64_t size_B, uint32_t most_B) {
    const uint64_t n = (size_B + kBeyond_B + kStreamAlign_B - 1) / kStreamAlign_B * kStreamAlign_B;
    return uint32_t(std::min<uint64_t>(n, most_B));
}

uint32_t cond_write_words(uint32_t* out, uint16_t reg, uint32_t limit_B, uint64_t va) {
    return uint32_t(put_packet(out, hw::CpCondWrite5{.function = hw::CondFunction::WRITE_GE,
                                                     .poll = hw::PollSource::POLL_REGISTER,
                                                     .write_memory = true,
                                                     .poll_address = reg,
                                                     .ref = limit_B,
                                                     .mask = 0xffffffff,
                                                     .write_address = va,
                                                     .write_data = 1}) -
                    out);
}

}  // namespace

bool plan_pipes(const TilePlan& tiles, PipePlan* out) {
    const auto pipes = [](uint32_t count, uint32_t each) { return (count + each - 1) / each; };
    // The fewest tiles in a pipe; among these plans the one that is most square.
    for (uint32_t most = 1; most <= kMostPipeTiles; ++most)
        for (uint32_t shorter = uint32_t(std::sqrt(most)); shorter > 0; --shorter)
            for (const bool wide : {true, false}) {
                const uint32_t longer = most / shorter;
                const PipePlan p{wide ? longer : shorter, wide ? shorter : longer,
                                 pipes(tiles.count_x, wide ? longer : shorter),
                                 pipes(tiles.count_y, wide ? shorter : longer)};
                if (longer * shorter != most || p.count() > hw::Chip::kVscPipes) continue;
                *out = p;
                return true;
            }
    return false;
}

TilePlace place_of(const TilePlan& tiles, const PipePlan& pipes, uint32_t tile) {
    const uint32_t x = tile % tiles.count_x, y = tile / tiles.count_x;
    const uint32_t px = x / pipes.tiles_x, py = y / pipes.tiles_y;
    const uint32_t w = std::min(pipes.tiles_x, tiles.count_x - px * pipes.tiles_x),
                   h = std::min(pipes.tiles_y, tiles.count_y - py * pipes.tiles_y);
    return {py * pipes.count_x + px, y % pipes.tiles_y * w + x % pipes.tiles_x, w * h};
}

/// A packet of the draw stream has a bit for each tile, a bit for "any tile", one for the last instance, a
/// number (of words of primitives) and a checksum. One of the primitive stream has a bit for each tile, one
/// more bit, a number (of equal primitives) and a checksum. As in Mesa, every second primitive is assumed to
/// equal the one before.
void VisibilityStreams::grow(Device& device, const StreamNeed& need) {
    const uint64_t tiles = uint64_t(pipes_.tiles_x) * pipes_.tiles_y;
    const uint64_t last_bits = tiles + 19;  // the packet after all draws
    const uint64_t words = need.primitives * (tiles + 3) / 32 + 1;
    const uint64_t number_bits = 2 * uint64_t(std::bit_width(words)) - 1;
    const uint64_t draw_bits = std::max(need.instances, need.draws) * (tiles + 3 + number_bits) + last_bits;
    const uint64_t primitive_bits =
        (need.primitives / 2 + need.draws) * (tiles + 3) + 32 * need.draws + last_bits;
    uint32_t draws_B = std::max(draw_pitch_B_, rounded(draw_bits / 8, kMostDraws_B));
    uint32_t primitives_B = std::max(primitive_pitch_B_, rounded(primitive_bits / 8, kMostPrimitives_B));
    if (device.first_stream_B && !draw_pitch_B_) draws_B = primitives_B = device.first_stream_B;
    if (device.first_stream_B && draw_pitch_B_) draws_B = draw_pitch_B_, primitives_B = primitive_pitch_B_;
    // Earlier submissions may still report that their streams, of other sizes, were too small.
    if (std::atomic_ref(*reinterpret_cast<uint32_t*>(too_small_.cpu)).load() == size_number_ && draws_) {
        draws_B = std::min(2 * draw_pitch_B_, kMostDraws_B);
        primitives_B = std::min(2 * primitive_pitch_B_, kMostPrimitives_B);
    }
    if (draws_ && draws_B == draw_pitch_B_ && primitives_B == primitive_pitch_B_) return;
    constexpr uint32_t kFlags = bo_flag::kNoCpu | bo_flag::kUndefined;
    auto draws = device.create_bo(uint64_t(hw::Chip::kVscPipes) * (draws_B + 4), kFlags);
    auto primitives = device.create_bo(uint64_t(hw::Chip::kVscPipes) * primitives_B, kFlags);
    if (!draws || !primitives) throw std::bad_alloc();
    draws_ = std::move(draws);
    primitives_ = std::move(primitives);
    draw_pitch_B_ = draws_B;
    primitive_pitch_B_ = primitives_B;
    ++size_number_;
    held_in_ = 0;
}

void VisibilityStreams::begin(Recorder& recorder, const TilePlan& tiles, const PipePlan& pipes,
                              const StreamNeed& need) {
    tiles_ = tiles;
    pipes_ = pipes;
    if (!too_small_) too_small_ = recorder.device().create_block(64, 64);
    if (!too_small_) throw std::bad_alloc();
    grow(recorder.device(), need);
    if (held_in_ != recorder.serial()) {
        recorder.hold_always(pipe::Ref<const pipe::RefCounted>(draws_.get()));
        recorder.hold_always(pipe::Ref<const pipe::RefCounted>(primitives_.get()));
        held_in_ = recorder.serial();
    }
    const Pool::Piece p = recorder.pool.allocate(64, 64);
    std::memset(p.cpu, 0, 64);
    overflowed_va_ = p.va;
}

void VisibilityStreams::write_setup(CsBuilder& cs) const {
    const uint64_t sizes_va = draws_->va + uint64_t(hw::Chip::kVscPipes) * draw_pitch_B_;
    cs.write(hw::VSC_BIN_SIZE{.width = tiles_.tile_w_px, .height = tiles_.tile_h_px},
             hw::VSC_DRAW_STRM_SIZE_ADDRESS{sizes_va},
             hw::VSC_BIN_COUNT{.nx = tiles_.count_x, .ny = tiles_.count_y});
    RegisterRun run(cs.begin(hw::Chip::kVscPipes + 1));
    for (uint32_t i = 0; i < hw::Chip::kVscPipes; ++i) {
        hw::VSC_PIPE_CONFIG config;
        if (i < pipes_.count()) {
            config.x = i % pipes_.count_x * pipes_.tiles_x;
            config.y = i / pipes_.count_x * pipes_.tiles_y;
            config.w = std::min(pipes_.tiles_x, tiles_.count_x - config.x);
            config.h = std::min(pipes_.tiles_y, tiles_.count_y - config.y);
        }
        run.add(Element{i, config});
    }
    cs.end(run.finish());
    cs.write(hw::VSC_PRIM_STRM_ADDRESS{primitives_->va}, hw::VSC_PRIM_STRM_PITCH{primitive_pitch_B_},
             hw::VSC_PRIM_STRM_LIMIT{primitive_pitch_B_ - kBeyond_B}, hw::VSC_DRAW_STRM_ADDRESS{draws_->va},
             hw::VSC_DRAW_STRM_PITCH{draw_pitch_B_}, hw::VSC_DRAW_STRM_LIMIT{draw_pitch_B_ - kBeyond_B});
}

void VisibilityStreams::write_end(CsBuilder& cs) const {
    constexpr uint32_t kTest_dw = 1 + hw::CpCondWrite5::kSize_dw;
    for (uint32_t i = 0; i < pipes_.count(); ++i) {
        uint32_t* const out = cs.begin(2 * kTest_dw);
        uint32_t n =
            cond_write_words(out, hw::VSC_DRAW_STRM_SIZE::at(i), draw_pitch_B_ - kBeyond_B, overflowed_va_);
        n += cond_write_words(out + n, hw::VSC_PRIM_STRM_SIZE::at(i), primitive_pitch_B_ - kBeyond_B,
                              overflowed_va_);
        cs.end(out + n);
    }
    cs.opcode(hw::Pm4Opcode::CP_WAIT_MEM_WRITES);
    cs.opcode(hw::Pm4Opcode::CP_WAIT_FOR_ME);
    cs.packet(hw::CpSetVisibilityOverride{});
    // A stream that is too small lacks its last draws: all tiles draw everything.
    uint32_t then[hw::Chip::kVscPipes + 16];
    uint32_t* at = put_packet(then, hw::CpSetVisibilityOverride{.enable = true});
    RegisterRun run(at);
    for (uint32_t i = 0; i < pipes_.count(); ++i)
        run.add(Element{i, hw::VSC_STATE{0xffffffff}});
    at = run.finish();
    *at++ = hw::pack_type7(hw::Pm4Opcode::CP_MEM_WRITE, hw::CpMemWrite::kSize_dw + 1);
    pack(hw::CpMemWrite{.address = too_small_.va}, at);
    at += hw::CpMemWrite::kSize_dw;
    *at++ = size_number_;
    const auto size_dw = uint32_t(at - then);
    constexpr uint32_t kAlways = 0x7fffffff;  // never less than the word
    uint32_t* out = cs.begin(1 + hw::CpCondExec::kSize_dw + size_dw);
    out = put_packet(
        out, hw::CpCondExec{
                 .address0 = overflowed_va_, .address1 = overflowed_va_, .ref = kAlways, .dwords = size_dw});
    cs.end(std::copy(then, at, out));
}

void VisibilityStreams::select_tile(CsBuilder& cs, uint32_t tile) const {
    const TilePlace place = place_of(tiles_, pipes_, tile);
    const uint64_t sizes_va = draws_->va + uint64_t(hw::Chip::kVscPipes) * draw_pitch_B_;
    cs.opcode(hw::Pm4Opcode::CP_WAIT_FOR_ME);
    cs.packet(
        hw::CpSetBinData5{.vsc_size = place.pipe_tiles,
                          .vsc_n = place.slot,
                          .bin_data_address = draws_->va + uint64_t(place.pipe) * draw_pitch_B_,
                          .bin_size_address = sizes_va + uint64_t(place.pipe) * 4,
                          .bin_prim_strm = primitives_->va + uint64_t(place.pipe) * primitive_pitch_B_});
}

void VisibilityStreams::call_if_visible(CsBuilder& cs, uint32_t tile, std::span<const Segment> stream) const {
    if (stream.empty()) return;
    const TilePlace place = place_of(tiles_, pipes_, tile);
    const auto calls_dw = uint32_t(stream.size()) * (1 + hw::CpIndirectBuffer::kSize_dw);
    (void)cs.begin(2 + 3 + calls_dw);  // the condition covers contiguous words
    cs.packet(
        hw::CpRegTest{.reg = hw::VSC_STATE::at(place.pipe), .bit = place.slot, .skip_wait_for_me = true});
    cs.packet(hw::CpCondRegExec{.mode = hw::CondMode::PRED_TEST, .dwords = calls_dw}, 2);
    cs.call(stream);
}

}  // namespace terrazzo::adreno
