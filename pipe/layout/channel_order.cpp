// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Channels are moved by shifts, which come from the format's row.
#include "pipe/layout/channel_order.h"

#include <algorithm>
#include <cstring>

namespace terrazzo::pipe {

namespace {

// Where in R, G, B, A a channel stands.
uint32_t rank(char letter) {
    switch (letter) {
        case 'G':
            return 1;
        case 'B':
            return 2;
        case 'A':
        case 'X':
            return 3;
        default:
            return 0;
    }
}

struct Move {
    uint32_t mask = 0, from = 0, to = 0;  // mask: of the channel's bits, from bit 0
};
struct Moves {
    Move of[4];
    uint32_t pixel_B = 0;
};

Moves moves_of(Format format) {
    const FormatInfo& f = format_info(format);
    Moves m;
    m.pixel_B = f.block_B;
    uint32_t at = 0;
    for (uint32_t r = 0; r < 4; ++r)
        for (uint32_t i = 0; i < f.channel_count; ++i) {
            const ChannelInfo& c = f.channel[i];
            if (rank(c.letter) != r) continue;
            m.of[i] = {(1u << c.bits) - 1, c.shift, at};
            at += c.bits;
        }
    return m;
}

template <class Word>
void move_channels(const Moves& m, bool back, const uint8_t* from, uint8_t* to, uint32_t count) {
    uint32_t out[4], in[4];
    for (uint32_t i = 0; i < 4; ++i) {
        in[i] = back ? m.of[i].to : m.of[i].from;
        out[i] = back ? m.of[i].from : m.of[i].to;
    }
    for (uint32_t p = 0; p < count; ++p) {
        Word word;
        std::memcpy(&word, from + p * sizeof(Word), sizeof(Word));
        uint32_t moved = 0;
        for (uint32_t i = 0; i < 4; ++i)
            moved |= (uint32_t(word) >> in[i] & m.of[i].mask) << out[i];
        word = Word(moved);
        std::memcpy(to + p * sizeof(Word), &word, sizeof(Word));
    }
}

void move_pixels(Format format, bool back, const void* from, void* to, uint32_t count) {
    const Moves m = moves_of(format);
    const auto* const in = static_cast<const uint8_t*>(from);
    auto* const out = static_cast<uint8_t*>(to);
    if (m.pixel_B == 4)
        move_channels<uint32_t>(m, back, in, out, count);
    else
        move_channels<uint16_t>(m, back, in, out, count);
}

}  // namespace

bool format_in_rgba_order(Format format) {
    const FormatInfo& f = format_info(format);
    // Formats that are not in order have pixels of 2 or 4 bytes.
    if (f.layout != FormatLayout::Plain || !f.is_color || (f.block_B != 2 && f.block_B != 4)) return true;
    for (uint32_t i = 1; i < f.channel_count; ++i)
        if (rank(f.channel[i].letter) < rank(f.channel[i - 1].letter)) return false;
    return true;
}

void pixels_to_rgba_order(Format format, const void* from, void* to, uint32_t count) {
    move_pixels(format, false, from, to, count);
}
void pixels_from_rgba_order(Format format, const void* from, void* to, uint32_t count) {
    move_pixels(format, true, from, to, count);
}

void detail::copy_reordered(Format format, const RowCopy& c, bool to_surface,
                            void (*copy)(const RowCopy& c)) {
    // Pieces of whole tiles, as far as there are: the sides of any tile divide these.
    constexpr uint32_t kRow_B = 1024, kRows = 16;
    alignas(64) uint8_t pixels[kRow_B * kRows];
    const uint32_t columns = kRow_B / c.block_B, samples = c.block_B / format_info(format).block_B;
    RowCopy piece = c;
    piece.rows_stride_B = kRow_B;
    piece.rows = pixels;
    const uint32_t x_end = c.x_el + c.w_el, y_end = c.y_el + c.h_el;
    for (uint32_t y = c.y_el; y < y_end; y += piece.h_el)
        for (uint32_t x = c.x_el; x < x_end; x += piece.w_el) {
            piece.x_el = x, piece.w_el = std::min(columns - x % columns, x_end - x);
            piece.y_el = y, piece.h_el = std::min(kRows - y % kRows, y_end - y);
            if (!to_surface) copy(piece);
            for (uint32_t i = 0; i < piece.h_el; ++i) {
                uint8_t* const row = c.rows + ptrdiff_t(y - c.y_el + i) * c.rows_stride_B +
                                     ptrdiff_t(x - c.x_el) * ptrdiff_t(c.block_B);
                uint8_t* const buffered = pixels + i * size_t(kRow_B);
                if (to_surface)
                    pixels_to_rgba_order(format, row, buffered, piece.w_el * samples);
                else
                    pixels_from_rgba_order(format, buffered, row, piece.w_el * samples);
            }
            if (to_surface) copy(piece);
        }
}

}  // namespace terrazzo::pipe
